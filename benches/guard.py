#!/usr/bin/env python3
"""Counts the instructions and allocations of one invocation, for each method, and compares them with the
numbers in benches/baseline.json.

The counts are of one build on one kind of machine, and the same on each run: no clock is involved. A count
that differs by more than 3 % fails, in either direction, so that the baseline stays true; `--update` writes
the new numbers. Counts depend on the compiler, so another version of Rust needs a new baseline. Started by
`make bench-guard`; needs valgrind.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

from compare import FORECAST, VERSION, Function, call, check, event, request

ROOT = pathlib.Path(__file__).resolve().parent.parent
BASELINE = ROOT / "benches" / "baseline.json"
PROGRAM = ROOT / "target/edges/release/native"
# The difference of a long and a short run has neither the start nor the end.
RUNS = (50, 250)
TOLERANCE = 0.03
TOOLS = {
    "instructions": (["--tool=callgrind", "--callgrind-out-file=/dev/null"], rb"Collected : (\d+)"),
    "allocations": (["--tool=dhat", "--dhat-out-file=/dev/null"], rb"Total: +[\d,]+ bytes in ([\d,]+) blocks"),
}


def subjects():
    """The events by their titles: payloads of versions 1 and 2."""
    messages = {
        "tools/list": request("tools/list", {}),
        "tools/call": call("forecast", FORECAST),
        "server/discover": request("server/discover", {}),
        "an unknown tool": call("forecasts", FORECAST),
    }
    for title, message in messages.items():
        yield f"{title}, v1", event(message)
        yield f"{title}, v2", http_event(message)
    yield "GET (405), v1", get()


def http_event(message):
    """The same request as an HTTP API sends it."""
    rest = json.loads(event(message))
    context = rest["requestContext"]
    http = {"method": "POST", "path": "/prod/mcp", "protocol": "HTTP/1.1", **context["identity"]}
    members = ("accountId", "apiId", "domainName", "domainPrefix", "requestId", "stage")
    headers = {name.lower(): value for name, value in rest["headers"].items()}
    return json.dumps({
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": "/prod/mcp",
        "rawQueryString": "",
        "headers": headers,
        "requestContext": {**{name: context[name] for name in members}, "http": http},
        "body": rest["body"],
        "isBase64Encoded": False,
    }).encode()


def get():
    rest = json.loads(event(request("tools/list", {})))
    return json.dumps({**rest, "httpMethod": "GET", "body": None}).encode()


def count(tool, sent):
    """What one invocation takes, and what the start takes."""
    options, pattern = TOOLS[tool]
    counts = []
    for invocations in RUNS:
        function = Function(PROGRAM, ["valgrind", *options])
        for _ in range(invocations):
            function.invoke(sent)
        counts.append(int(re.search(pattern, function.end())[1].replace(b",", b"")))
    one = (counts[1] - counts[0]) / (RUNS[1] - RUNS[0])
    return round(one), round(counts[0] - RUNS[0] * one)


def measure():
    counted = {}
    for title, sent in subjects():
        if "405" not in title and "unknown" not in title:
            check(title, PROGRAM, sent)
        counts = {tool: count(tool, sent) for tool in TOOLS}
        counted[title] = {tool: one for tool, (one, _) in counts.items()}
        counted.setdefault("start", {tool: start for tool, (_, start) in counts.items()})
        print(title, counted[title], flush=True)
    counted["program"] = {"bytes": PROGRAM.stat().st_size}
    return counted


def differences(counted, baseline):
    """The counts that differ by more than the tolerance."""
    for title, counts in counted.items():
        for what, now in counts.items():
            before = baseline.get(title, {}).get(what)
            if before is None:
                yield f"{title}: {what} {now:,} has no baseline"
            elif abs(now - before) > TOLERANCE * before:
                yield f"{title}: {what} {before:,} -> {now:,} ({now / before - 1:+.1%})"


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--update", action="store_true", help="write the baseline")
    update = arguments.parse_args().update
    if not shutil.which("valgrind"):
        sys.exit("valgrind is not installed (Debian: apt install valgrind)")
    rust = subprocess.run(["rustc", "--version"], check=True, capture_output=True, text=True).stdout.strip()
    counted = measure()
    if update:
        BASELINE.write_text(json.dumps({"rust": rust, "protocol": VERSION, "counts": counted}, indent=2) + "\n")
        return
    baseline = json.loads(BASELINE.read_text())
    faults = list(differences(counted, baseline["counts"]))
    if faults and baseline["rust"] != rust:
        faults.append(f"the baseline is of {baseline['rust']}, this is {rust}")
    if faults:
        sys.exit("\n".join([*faults, "`python3 benches/guard.py --update` writes the new numbers"]))


if __name__ == "__main__":
    main()
