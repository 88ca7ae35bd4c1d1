#!/usr/bin/env python3
"""Runs the official MCP conformance suite against the server at MCP_URL and checks the results.

    run.py --suite .tools/conformance --revision 2026-07-28 [--revision …] [SCENARIO …]

Without scenarios it runs all scenarios that a revision requires, and those that are reported only.
REVISION.yaml beside this file lists the expected failures in the format of the suite, each with its
reason above it. This script is stricter than the suite: warnings (rules of level SHOULD) are failures,
unscored scenarios count, and an expected failure that passes is an error.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
PACKAGE = "node_modules/@modelcontextprotocol/conformance"
SUITE_SECONDS = 300
# The scenarios about HTTP itself.
OF_HTTP = {"dns-rebinding-protection", "server-sse-multiple-streams", "server-sse-polling"}


def main():
    parser = argparse.ArgumentParser(description="Runs the official MCP conformance suite.")
    parser.add_argument("--suite", type=pathlib.Path, required=True, help="where npm installed the suite")
    parser.add_argument("--revision", required=True, action="append", help="for example 2026-07-28")
    parser.add_argument("--stdio", action="store_true", help="the server is behind bridge.mjs")
    parser.add_argument("scenarios", nargs="*", help="only these")
    args = parser.parse_args()
    return max(run(args, revision) for revision in args.revision)


def run(args, revision):
    """Runs and checks one revision. Returns 0 if nothing unexpected happened."""
    suite, scenarios = args.suite, args.scenarios
    name = f"{revision}-stdio" if args.stdio else revision
    expected = read_expected(HERE / f"{name}.yaml")
    required, reported = read_listed(suite / PACKAGE / "requirements" / f"{revision}.yaml")
    if args.stdio:
        # What these check is the bridge.
        required = [scenario for scenario in required if scenario not in OF_HTTP]
        reported = []
        scenarios = scenarios or required
    results = suite / "results" / name
    shutil.rmtree(results, ignore_errors=True)
    results.mkdir(parents=True)
    for selection in selections(revision, scenarios):
        run_suite(suite, selection, results)
    wanted = scenarios or required + reported
    return judge(name, read_results(results), wanted, required, expected)


def selections(revision, scenarios):
    """The arguments of each run of the suite: one scenario, or the whole revision."""
    if not scenarios:
        return [["--requirements", revision]]
    # `--force` runs scenarios of extensions, which are on no revision's timeline.
    return [["--scenario", name, "--spec-version", revision, "--force"] for name in scenarios]


def run_suite(suite, selection, results):
    command = [node(suite), suite / PACKAGE / "dist/index.js", "server"]
    command += ["--url", os.environ["MCP_URL"], "--output-dir", results, *selection]
    with open(results / "output.txt", "ab") as output:
        subprocess.run(command, stdout=output, stderr=output, check=False, timeout=SUITE_SECONDS)


def node(suite):
    """Node.js 22 or newer: the one that npm installed, or else the machine's."""
    brought = sorted((suite / "node_modules").glob("node-*/bin/node"))
    return brought[0] if brought else "node"


def read_expected(path):
    """The entries of a file of expected failures, with their reasons."""
    entries, reason = {}, ""
    for line in path.read_text().splitlines():
        entry = re.fullmatch(r"\s+- (\S+)", line)
        comment = re.fullmatch(r"\s+# (.+)", line)
        if entry and not reason:
            sys.exit(f"{path.name}: `{entry[1]}` has no reason above it")
        if entry:
            entries[entry[1]] = reason
        elif comment:
            reason = comment[1]
        else:
            reason = ""
    return entries


def read_listed(path):
    """The server scenarios that a revision scores, and those that it reports only."""
    text = path.read_text()
    section = re.search(r"^server:\n((?:  - .+\n)+)", text, re.MULTILINE)
    reported = re.findall(r"- scenario: (\S+)\n\s+leg: server\n", text)
    return re.findall(r"- (\S+)", section[1]), reported


def read_results(results):
    """The checks of each scenario, as `id -> [(status, message)]`."""
    scenarios = {}
    for path in sorted(results.glob("server-*/checks.json")):
        name = re.fullmatch(r"server-(.+?)-\d{4}-\d\d-\d\dT.*", path.parent.name)[1]
        checks = scenarios.setdefault(name, collections.defaultdict(list))
        for check in json.loads(path.read_text()):
            details = check.get("details") or {}
            message = check.get("errorMessage") or details.get("message") or ""
            checks[check["id"]].append((check["status"], message))
    return scenarios


def judge(revision, scenarios, wanted, required, expected):
    counts = collections.Counter()
    faults = [f"{name}: did not run" for name in wanted if name not in scenarios]
    for name, checks in scenarios.items():
        failed = {
            check: next(message for status, message in outcomes if status in ("FAILURE", "WARNING"))
            for check, outcomes in checks.items()
            if any(status in ("FAILURE", "WARNING") for status, _ in outcomes)
        }
        passed = [c for c, outcomes in checks.items() if all(s == "SUCCESS" for s, _ in outcomes)]
        known = [check for check in failed if name in expected or f"{name}:{check}" in expected]
        new = [f"{name}:{check}: {failed[check]}" for check in failed if check not in known]
        stale = [entry for entry in expected if entry in (f"{name}:{check}" for check in passed)]
        if name in expected and not failed:
            stale.append(name)
        faults += new + [f"{entry}: passes; remove it from {revision}.yaml" for entry in stale]
        kind = "required" if name in required else "not scored"
        proved = passed or known or new
        if not proved and kind == "required":
            faults.append(f"{name}: checked nothing")
        mark = "known" if known else "passes" if proved else "skips"
        if new or stale or (not proved and kind == "required"):
            mark = "fails"
        counts[kind, mark] += 1
        counts["checks"] += len(passed)
        note = f", {len(known)} known not to pass" if known else ""
        print(f"  {mark:6} {name}: {len(passed)} checks{note}")
    for fault in faults:
        print(f"  FAULT  {fault}")
    print(f"conformance {revision}: {summary(counts)}")
    return 1 if faults else 0


def summary(counts):
    parts = []
    for kind in ("required", "not scored"):
        marks = ("passes", "known", "fails", "skips")
        passed, known, failed, skipped = (counts[kind, mark] for mark in marks)
        if passed + known + failed + skipped:
            parts.append(f"{kind}: {passed} pass, {known} known not to, {failed} fail")
        if skipped:
            parts[-1] += f", {skipped} do not apply"
    return "; ".join([*parts, f"{counts['checks']} checks passed"])


if __name__ == "__main__":
    sys.exit(main())
