#!/usr/bin/env python3
"""Compares what a request, a start and a build cost with the numbers in benches/baseline.json.

Guarded are the instructions and allocations of each kind of request, for a server with one tool and for the shipped
function; those of the start, also with many tools and with a long résumé; how many pieces of its code a start
touches; the sizes of the programs; and the numbers of their crates. No clock is involved, and the numbers of one
build on one kind of machine are the same on each run. A number that differs by more than 3 % fails, in either
direction, so that the baseline stays true; `--update` writes the new numbers. They depend on the compiler, so
another version of Rust needs a new baseline.
"""

import argparse
import json
import platform
import sys
import tempfile

import counting
import growth_cases
from messages import FORECAST, VERSION, call, event, get, http_event, request
from machine import output
from programs import CALL, LIST, ONE_TOOL, Program, Subject, add_portfolio, check, portfolio_program
from runtime_api import ROOT, Function

BASELINE = ROOT / "benches" / "baseline.json"
TOLERANCE = 0.03
# Each crate is a decision, so their number has no tolerance.
EXACT = ("crates",)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_portfolio(parser)
    parser.add_argument("--update", action="store_true", help="write the baseline")
    args = parser.parse_args()
    if platform.machine() != "x86_64":
        print("*** SKIPPED: the baseline of bench-guard is of x86_64", file=sys.stderr)
        return
    counting.skip_unless_installed("bench-guard")
    if b"/ld-linux" in args.portfolio.read_bytes()[:4096]:
        print("*** SKIPPED: the baseline of bench-guard is of a function with musl", file=sys.stderr)
        return
    rust = output("rustc", "--version")
    counted = measure(
        Program(ONE_TOOL, ROOT / "target/edges/release/native", {"tools/list": LIST, "tools/call": CALL}),
        portfolio_program(args),
    )
    with tempfile.TemporaryDirectory() as folder:
        counted |= large_starts(ROOT / "target/edges/release/growth", args.portfolio.resolve(), folder)
    for title, counts in counted.items():
        print(f"{title:52}", ", ".join(f"{value:,} {what}" for what, value in counts.items()))
    if args.update:
        BASELINE.write_text(json.dumps({"rust": rust, "protocol": VERSION, "counts": counted}, indent=2) + "\n")
        return
    baseline = json.loads(BASELINE.read_text())
    faults = list(differences(counted, baseline["counts"]))
    if faults and baseline["rust"] != rust:
        faults.append(f"the baseline is of {baseline['rust']}, this is {rust}")
    if faults:
        sys.exit("\n".join([*faults, "`make bench-guard UPDATE=1` writes the new numbers"]))


def measure(one_tool, portfolio):
    """All numbers by the title of what they are of."""
    events = {}
    requests = {**one_tool.requests, "server/discover": request("server/discover", {})}
    for title, message in requests.items():
        check(Subject(one_tool, title, message))
        events[f"{one_tool.name}: {title}, v1"] = (one_tool, event(message))
        events[f"{one_tool.name}: {title}, v2"] = (one_tool, http_event(message))
    events[f"{one_tool.name}: unknown tool, v1"] = (one_tool, event(call("forecasts", FORECAST)))
    events[f"{one_tool.name}: GET (405), v1"] = (one_tool, get())
    for title, message in portfolio.requests.items():
        check(Subject(portfolio, title, message))
        events[f"{portfolio.name}: {title}, v1"] = (portfolio, event(message))
    counts = counting.count_all({
        (title, tool): (*program.counted(tool), sent)
        for title, (program, sent) in events.items() for tool in counting.TOOLS
    })
    measured = {title: {tool: round(counts[title, tool][0]) for tool in counting.TOOLS} for title in events}
    musl = ("--target", "x86_64-unknown-linux-musl")
    for program, package, options in ((one_tool, "lambda-mcp", ()), (portfolio, "portfolio", musl)):
        first = f"{program.name}: {program.first}, v1"
        measured[f"{program.name}: start and first answer"] = {
            **{tool: round(sum(counts[first, tool])) for tool in counting.TOOLS},
            "pieces of code": counting.pieces(program.path, event(program.requests[program.first])),
        }
        size = program.path.stat().st_size
        measured[f"{program.name}: program"] = {"bytes": size, "crates": crates(package, *options)}
    return measured


def large_starts(tools, portfolio, folder):
    """The instructions from the start to the first answer of what a start can have much of."""
    many = {"TOOLS": "100"}
    emulated = {**many, "LAMBDA_TASK_ROOT": ""}
    long = {"CONTENT_DIR": str(growth_cases.resume(1_000_000, folder))}
    length, listed = event(call("length", {"text": "a text"})), event(LIST)
    starts = {
        "lambda-mcp: start with 105 tools": (tools, length, many),
        "lambda-mcp: start with 105 tools and first list": (tools, listed, many),
        "lambda-mcp: start with 105 tools, not on Lambda": (tools, length, emulated),
        "portfolio: start with a résumé of 1 MB": (portfolio, event(call("get_resume", {})), long),
    }
    for title, (program, sent, environment) in starts.items():
        answered(title, program, sent, environment)
    return {
        title: {"instructions": counting.total("instructions", program, sent, 1, environment)}
        for title, (program, sent, environment) in starts.items()
    }


def answered(title, program, sent, environment):
    """Ends the run if the answer is not a result."""
    function = Function(program, environment=environment)
    answer, _ = function.invoke(sent)
    function.end()
    result = json.loads(json.loads(answer)["body"]).get("result")
    if not result or result.get("isError"):
        sys.exit(f"bench-guard: {title}: {answer[:400]!r}")


def crates(package, *options):
    """How many packages are compiled into it, with its default features."""
    command = ["cargo", "tree", "--locked", "--edges", "normal", "--package", package, "--prefix", "none"]
    tree = output(*command, *options)
    return len({" ".join(line.split()[:2]) for line in tree.splitlines() if line.strip()})


def differences(counted, baseline):
    """The counts that differ by more than the tolerance, and those that have no counterpart."""
    for title in sorted(counted.keys() | baseline.keys()):
        now, before = counted.get(title, {}), baseline.get(title, {})
        for what in sorted(now.keys() | before.keys()):
            if what not in now or what not in before:
                missing = "the baseline" if what not in before else "the measurement"
                yield f"{title}: {missing} has no number of {what}"
            elif abs(now[what] - before[what]) > (0 if what in EXACT else TOLERANCE) * before[what]:
                change = now[what] / before[what] - 1
                yield f"{title}: {before[what]:,} {what} -> {now[what]:,} ({change:+.1%})"


if __name__ == "__main__":
    main()
