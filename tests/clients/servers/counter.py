"""`examples/progress.rs`: a tool that tells how far it is, on the stream of its own request."""

from servers import Step, Visit

TARGET = ["--example", "progress"]
NAME = "counter"
VERSION = "1.0.0"
# Without memory, the level that a legacy client sets once for all could not be kept.
CAPABILITIES = {"modern": ["logging", "tools"], "legacy": ["tools"]}
STEPS = 3


def visits(client, _ask):
    if "hears" not in client.can:
        return []
    call = {"do": "call", "name": "count", "arguments": {"to": STEPS}, "progress": True}
    return [Visit([Step(call, counted_aloud)])]


def counted_aloud(outcome):
    outcome.equal("text", outcome.text(), f"Counted to {STEPS}.")
    wanted = [
        {"progress": step, "total": STEPS, "message": f"{step} of {STEPS}"}
        for step in range(1, STEPS + 1)
    ]
    outcome.equal("progress heard", outcome.seen.get("progress"), wanted)
