"""What grows in `make bench-growth`: for each case the sizes, and the request of a size."""

import json
import pathlib
from dataclasses import dataclass, field
from typing import Callable

from messages import call, event, request
from runtime_api import ROOT

BYTES = (1_000, 10_000, 100_000, 1_000_000)
BATCH_VERSION = "2025-03-26"
# Few invocations, since a large one takes callgrind seconds. The first one also does what is done once.
FEW = (1, 3)
# Small invocations after a large start, whose count differs by some thousandths from run to run.
MANY = (10, 210)


@dataclass(frozen=True)
class Case:
    """A cost that grows. `sent` makes the event of a size, `environment` the function's variables for it."""

    group: str
    name: str
    unit: str
    sizes: tuple
    sent: Callable
    environment: Callable = field(default=lambda size, folder: {})
    # Whether the start is counted, in place of an invocation.
    start: bool = False
    portfolio: bool = False
    # The cost of an invocation is the difference of two runs with so many invocations.
    runs: tuple = FEW


def cases():
    yield from tools()
    yield from content()
    yield from arguments()
    yield from answers()
    yield from forms()


# --- Tools and content --------------------------------------------------------------------------


def tools():
    """Five tools are part of the server, so the sizes are rounded."""
    several, counts = lambda size, folder: {"TOOLS": str(max(size - 5, 0))}, (10, 100, 1_000)
    small = event(call("length", {"text": "a text"}))
    yield Case("tools", "start and first list", "tools", counts, lambda size: whole_list(), several, start=True)
    yield Case("tools", "list, first page", "tools", counts, lambda size: whole_list(), several, runs=MANY)
    yield Case("tools", "call", "tools", counts, lambda size: small, several, runs=MANY)


def whole_list():
    return event(request("tools/list", {}))


def content():
    sizes = (10_000, 100_000, 1_000_000, 2_000_000)
    several = lambda size, folder: {"CONTENT_DIR": str(resume(size, folder))}
    everything = event(call("get_resume", {}))
    projects = event(call("get_projects", {}))
    yield Case("content", "start and get_resume", "bytes", sizes, lambda size: everything, several, True, True)
    yield Case("content", "get_resume", "bytes", sizes, lambda size: everything, several, portfolio=True, runs=MANY)
    yield Case("content", "get_projects", "bytes", sizes, lambda size: projects, several, portfolio=True, runs=MANY)


def resume(size, folder):
    """A folder with the example content, and as many projects more as the size needs."""
    source, target = ROOT / "content", pathlib.Path(folder) / str(size)
    target.mkdir(exist_ok=True)
    (target / "profile.toml").write_bytes((source / "profile.toml").read_bytes())
    written = json.loads((source / "resume.json").read_text(encoding="utf-8"))
    model, length = written["projects"][0], len(json.dumps(written["projects"][0]))
    missing = size - len(json.dumps(written))
    written["projects"] += [{**model, "name": f"Project {number:06}"} for number in range(max(missing, 0) // length)]
    (target / "resume.json").write_text(json.dumps(written), encoding="utf-8")
    return target


# --- Arguments and answers ----------------------------------------------------------------------


def arguments():
    """Sizes are those of the arguments as the request carries them."""
    shapes = {
        "plain text": lambda size: call("length", {"text": "a" * size}),
        "text of quotes and line ends": lambda size: call("length", {"text": '"\n' * (size // 4)}),
        "objects, read as a JSON value": lambda size: call("value", {"value": rows(size)}),
        "objects, read as typed rows": lambda size: call("rows", {"rows": rows(size)}),
        "one object of many members": lambda size: call("value", {"value": members(size)}),
    }
    for name, message in shapes.items():
        yield Case("arguments", name, "bytes", BYTES, lambda size, message=message: event(message(size)))


def rows(size):
    length = len(json.dumps(row(99_999))) + 2
    return [row(number) for number in range(size // length)]


def row(number):
    return {"id": number, "name": f"the row of number {number:06}", "active": number % 2 == 0}


def members(size):
    return {f"member{number:06}": number for number in range(size // 24)}


def answers():
    echo = lambda size: event(call("echo", {"text": "a" * size}))
    table = lambda size: event(call("table", {"count": size // 100}))
    yield Case("answers", "plain text, sent and returned", "bytes", BYTES, echo)
    yield Case("answers", "typed rows, returned", "bytes", BYTES, table)


# --- The form of a request ----------------------------------------------------------------------


def forms():
    yield Case("form", "headers", "headers", (25, 50, 100, 200, 400), headers)
    yield Case("form", "messages of a batch", "messages", (2, 10, 50), batch)
    yield Case("form", "levels of nested arrays", "levels", (5, 20, 50), nested)


def headers(count):
    whole = json.loads(event(call("length", {"text": "a text"})))
    for number in range(count - len(whole["headers"])):
        whole["headers"][f"X-Header-{number:03}"] = f"the value of number {number:03}"
    whole["multiValueHeaders"] = {name: [value] for name, value in whole["headers"].items()}
    return json.dumps(whole).encode()


def batch(count):
    message = {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "length", "arguments": {"text": "a"}}}
    whole = json.loads(event(request("tools/list", {})))
    for one in (whole["headers"], whole["multiValueHeaders"]):
        del one["Mcp-Method"]
    whole["headers"]["MCP-Protocol-Version"] = BATCH_VERSION
    whole["multiValueHeaders"]["MCP-Protocol-Version"] = [BATCH_VERSION]
    whole["body"] = json.dumps([{**message, "id": number} for number in range(count)])
    return json.dumps(whole).encode()


def nested(levels):
    value = "a"
    for _ in range(levels):
        value = [value]
    return event(call("value", {"value": value}))
