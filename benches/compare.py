#!/usr/bin/env python3
"""Compares the library and the function with a bare `lambda_http` echo, with rmcp and with turul, and over stdio
with rmcp and the TypeScript SDK. Writes the tables of docs/performance.md and README.md, and their charts.

All functions run behind the same emulated Runtime API on loopback and get the same events. `make bench` builds
them with optimizations and runs this script. What depends on the clock is measured in rounds that alternate
between the programs, and the tables show medians, to reduce the influence of other load. The script does not fail
because of a number; `make bench-guard` does.
"""

import argparse
import pathlib
import statistics
import sys

import chart
import clocked
import counting
import machine
import stdio
import tables
from programs import ECHO, ONE_TOOL, PORTFOLIO, add_portfolio, check, portfolio_program, programs, subjects
from runtime_api import ROOT

# How often, for a run and for a short one, which shows that all works and writes nothing.
FULL = {"rounds": 9, "invocations": 3_000, "starts": 25, "memory": 60_000, "calls": 3_000}
SHORT = {"rounds": 2, "invocations": 300, "starts": 3, "memory": 2_000, "calls": 300}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_portfolio(parser)
    parser.add_argument("--typescript", type=pathlib.Path, required=True, help="where the TypeScript SDK is installed")
    parser.add_argument("--short", action="store_true", help="measure little, and write no page")
    args = parser.parse_args()
    if not counting.installed():
        sys.exit(f"bench: {counting.INSTALL}")
    often = SHORT if args.short else FULL
    compared = list(programs(portfolio_program(args)))
    for subject in subjects(compared):
        check(subject)
    counted = count(compared)
    over_stdio = stdio.compare(stdio.servers(args.typescript), often["calls"], often["rounds"])
    clocked.on_one_cpu()
    warm = [
        {subject.name: clocked.warm(subject, often["invocations"]) for subject in subjects(compared)}
        for _ in range(often["rounds"])
    ]
    starts = [{program.name: clocked.start(program) for program in compared} for _ in range(often["starts"])]
    memory = {program.name: clocked.memory(program, often["memory"]) for program in compared}
    places = {
        "invocation": tables.markdown(*invocation_table(compared, counted, warm)),
        "process": tables.markdown(*process_table(compared, counted, starts, memory)),
        "stdio": tables.markdown(*over_stdio),
    }
    summary = tables.markdown(*summary_table(compared, counted, warm, starts, memory))
    print("\n\n".join([*places.values(), summary]))
    if not args.short:
        about = f"{machine.described()} {peer_versions()} Medians of {often['rounds']} rounds of " \
                f"{often['invocations']:,} invocations, and of {often['starts']} starts."
        tables.write(ROOT / "docs/performance.md", {"about": about, **places})
        tables.write(ROOT / "README.md", {"about": f"{machine.described()} {peer_versions()}", "summary": summary})
        chart.write("performance", bars(compared, counted))


def count(compared):
    """Instructions and allocations of each subject, and instructions of each start."""
    wanted = {}
    for subject in subjects(compared):
        events = subject.events()
        for version, tool in (("v1", "instructions"), ("v2", "instructions"), ("v1", "allocations")):
            wanted[subject.name, version, tool] = (*subject.program.counted(tool), events[version])
    return counting.count_all(wanted)


def invocation_table(compared, counted, warm):
    head = ["", "instructions", "× echo", "payload v2", "× echo", "allocations",
            "CPU µs", "× echo", "p50 µs", "p99 µs"]
    rows = []
    for subject in subjects(compared):
        row = [subject.name]
        for version in ("v1", "v2"):
            instructions, echo = (counted[name, version, "instructions"][0] for name in (subject.name, subject.echo))
            row += [f"{instructions:,.0f}", f"{instructions / echo:.2f}"]
        cpu, p50, p99 = (
            statistics.median(measured[subject.name][key] for measured in warm) for key in ("cpu", "p50", "p99")
        )
        allocations = counted[subject.name, "v1", "allocations"][0]
        row += [f"{allocations:,.0f}", f"{cpu:.1f}", ratio(cpu_ratios(subject, warm)), f"{p50:.0f}", f"{p99:.0f}"]
        rows.append(row)
    return head, rows


def cpu_ratios(subject, warm):
    return [measured[subject.name]["cpu"] / measured[subject.echo]["cpu"] for measured in warm]


def ratio(values):
    return "{:.2f} ± {:.2f}".format(*clocked.spread(values))


def process_table(compared, counted, starts, memory):
    head = ["", "first answer ms", "least ms", "× echo", "instructions", "peak MiB", "growth MiB", "program MB"]
    rows = []
    for program in compared:
        times = [measured[program.name] for measured in starts]
        against = [measured[program.name] / measured[ECHO] for measured in starts]
        started = counted[f"{program.name}: {program.first}", "v1", "instructions"][1]
        rows.append([
            program.name, f"{statistics.median(times):.2f}", f"{min(times):.2f}", ratio(against), f"{started:,.0f}",
            f"{memory[program.name]['peak']:.1f}", f"{memory[program.name]['growth']:.1f}",
            f"{program.path.stat().st_size / 1e6:.1f}",
        ])
    return head, rows


def summary_table(compared, counted, warm, starts, memory):
    """What the README shows: a call of a tool, by program."""
    head = ["a call of a tool", "instructions", "CPU", "start", "memory", "program"]
    rows = []
    for program in compared:
        subject = next(one for one in subjects([program]) if one.title == program.first)
        started = statistics.median(measured[program.name] for measured in starts)
        rows.append([
            program.name, f"{counted[subject.name, 'v1', 'instructions'][0] / 1000:,.0f} k",
            f"{statistics.median(measured[subject.name]['cpu'] for measured in warm):.0f} µs", f"{started:.1f} ms",
            f"{memory[program.name]['peak']:.1f} MiB", f"{program.path.stat().st_size / 1e6:.1f} MB",
        ])
    return head, rows


def bars(compared, counted):
    """Instructions by kind of request. The portfolio's own requests are a group."""
    groups = {"tools/list": {}, "tools/call": {}, "portfolio": {}}
    for subject in subjects(compared):
        value = counted[subject.name, "v1", "instructions"][0]
        if subject.program.name == PORTFOLIO:
            groups["portfolio"][subject.title] = value
        else:
            group = "tools/call" if subject.title == "tools/call" else "tools/list"
            groups[group][subject.program.name] = value
    ours = {ONE_TOOL, *groups["portfolio"]}
    return chart.bars("Instructions of one invocation", groups, ours)


def peer_versions():
    return "Compared with " + ", ".join(f"{name} {version}" for name, version in machine.peers().items()) + "."


if __name__ == "__main__":
    main()
