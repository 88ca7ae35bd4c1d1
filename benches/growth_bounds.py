"""What is above a bound of the platform or of the server, and the memory that large arguments need."""

import json
import sys
import tempfile

from messages import call, event, request
from growth_cases import BYTES, arguments, batch, nested, resume
from runtime_api import Function

MORE = 4
# As the starter sets it.
ENVIRONMENT = {"MALLOC_MMAP_THRESHOLD_": "131072"}


def memory_table(program):
    """Peak memory above that of small requests, for the largest arguments of each shape."""
    rows = []
    for case in arguments():
        small, large = (peaks_kib(program, case.sent(size)) for size in (BYTES[0], BYTES[-1]))
        row = [case.name]
        for before, after in zip(small, large, strict=True):
            row += [f"{(after - before) / 1024:.1f}", f"{(after - before) * 1024 / BYTES[-1]:.1f}"]
        rows.append(row)
    return ["", "first call, MiB", "× the size", "later calls, MiB", "× the size"], rows


def peaks_kib(program, sent):
    """The peak after the first call, and after some more."""
    function = Function(program, environment=ENVIRONMENT)
    function.invoke(sent)
    first = function.memory_kib("VmHWM")
    for _ in range(MORE):
        function.invoke(sent)
    later = function.memory_kib("VmHWM")
    function.end()
    return first, later


def refused(program, portfolio):
    """The answers to what is above a bound. Ends the run if one of them is not refused."""
    above = {
        "an answer of 8 MB": event(call("table", {"count": 80_000})),
        "a request of 1.5 MB": event(call("length", {"text": "a" * 1_500_000})),
        "a batch of 51 messages": batch(51),
        "arguments of 100 levels": nested(100),
    }
    rows = [row(what, program, sent) for what, sent in above.items()]
    with tempfile.TemporaryDirectory() as folder:
        content = {"CONTENT_DIR": str(resume(6_000_000, folder))}
        read = event(request("resources/read", {"uri": "resume://json"}))
        rows.append(row("a résumé of 6 MB, read as one resource", portfolio, read, content))
    return ["", "status", "message"], rows


def row(what, program, sent, environment=None):
    function = Function(program, environment=environment)
    answer, _ = function.invoke(sent)
    function.end()
    response = json.loads(answer)
    message = refusal(json.loads(response["body"]))
    if not message:
        sys.exit(f"bench: {what} is not refused: {answer[:400]!r}")
    return [what, str(response["statusCode"]), message]


def refusal(body):
    """The message of a protocol error or of a tool error, or `None`."""
    if isinstance(body, list):
        body = body[0]
    if "error" in body:
        return body["error"]["message"]
    return body["result"]["content"][0]["text"] if body["result"].get("isError") else None

