#!/usr/bin/env python3
"""Counts how the cost of a request grows, and checks that it is linear. Writes docs/performance.md and its charts.

Instructions are counted with callgrind at sizes that differ by up to a hundredfold. The cost of one unit more - a
byte, a tool, a header - must not rise with the size: in each interval of sizes it may be at most `TOLERANCE` times
that of the intervals before. A cost that rises by less than `CONSTANT` of its total is constant. Started by
`make bench-growth`; needs valgrind. No clock is involved.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import sys
import tempfile

import chart
import counting
import growth_bounds
import tables
from growth_cases import cases
from runtime_api import ROOT, Function

TOLERANCE = 1.25
CONSTANT = 0.10
PROGRAM = ROOT / "target/edges/release/growth"
TITLES = {
    "tools": "Tools",
    "content": "Size of the résumé",
    "arguments": "Size of the arguments",
    "answers": "Size of the answer",
    "form": "Headers, messages and levels",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--portfolio", type=pathlib.Path, required=True, help="the built function")
    parser.add_argument("--check", action="store_true", help="write no page")
    parser.add_argument("--only", help="one group: " + ", ".join(TITLES))
    args = parser.parse_args()
    if not counting.installed():
        sys.exit(f"bench: {counting.INSTALL}")
    measured = measure(args.portfolio.resolve(), args.only)
    places, faults = {}, []
    for group in dict.fromkeys(case.group for case in measured):
        curves = {case: points for case, points in measured.items() if case.group == group}
        places[f"growth-{group}"] = tables.markdown(*table(curves))
        faults += [fault for case, points in curves.items() if (fault := rises(case.name, points))]
        print(f"{TITLES[group]}\n\n{places[f'growth-{group}']}\n")
    if not args.only:
        places["growth-memory"] = tables.markdown(*growth_bounds.memory_table(PROGRAM))
        places["growth-bounds"] = tables.markdown(*growth_bounds.refused(PROGRAM, args.portfolio.resolve()))
        print(places["growth-memory"], places["growth-bounds"], sep="\n\n")
    if not args.check:
        tables.write(ROOT / "docs/performance.md", places)
        draw(measured)
    sys.exit("\n".join(faults) if faults else 0)


def measure(portfolio, only):
    """The points of each case: its sizes and instructions."""
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wanted = [case for case in cases() if only in (None, case.group)]
        for case in wanted:
            for size in case.sizes:
                check(case, size, portfolio, folder)
        jobs = {
            case: [pool.submit(instructions, case, size, portfolio, folder) for size in case.sizes] for case in wanted
        }
        return {
            case: [(size, job.result()) for size, job in zip(case.sizes, futures, strict=True)]
            for case, futures in jobs.items()
        }


def prepared(case, size, portfolio, folder):
    """The program of a case, the event of a size, and the function's variables."""
    return portfolio if case.portfolio else PROGRAM, case.sent(size), case.environment(size, folder)


def instructions(case, size, portfolio, folder):
    program, sent, environment = prepared(case, size, portfolio, folder)
    counts = [
        counting.total("instructions", program, sent, invocations, environment)
        for invocations in (case.runs[:1] if case.start else case.runs)
    ]
    return counts[0] if case.start else (counts[1] - counts[0]) // (case.runs[1] - case.runs[0])


def check(case, size, portfolio, folder):
    """Ends the run if the answer is not a success."""
    program, sent, environment = prepared(case, size, portfolio, folder)
    function = Function(program, environment=environment)
    answer, _ = function.invoke(sent)
    function.end()
    response = json.loads(answer)
    body = json.loads(response["body"])
    results = [message.get("result") for message in (body if isinstance(body, list) else [body])]
    if response["statusCode"] != 200 or not all(result and not result.get("isError") for result in results):
        sys.exit(f"bench: {case.name}, {size:,} {case.unit}: {answer[:400]!r}")


def rates(points):
    """The cost of one unit more, in each interval of the sizes."""
    return [
        (after[1] - before[1]) / (after[0] - before[0]) for before, after in zip(points, points[1:], strict=False)
    ]


def is_constant(points):
    costs = [cost for _, cost in points]
    return max(costs) - min(costs) <= CONSTANT * min(costs)


def rises(name, points):
    """What is wrong with a cost that grows faster than the size, or `None`."""
    if is_constant(points):
        return None
    of_unit = rates(points)
    for number in range(1, len(of_unit)):
        before = max(0, *of_unit[:number])
        rise = points[number + 1][1] - points[number][1]
        if of_unit[number] > TOLERANCE * before and rise > CONSTANT * points[number][1]:
            size = points[number + 1][0]
            return f"{name}: a unit more costs {of_unit[number]:,.1f} instructions at {size:,}, and {before:,.1f} before"
    return None


def table(curves):
    """The table of a group, whose cases can have different sizes."""
    most = max(len(points) for points in curves.values())
    rows = []
    for case, points in curves.items():
        cells = [f"{size:,}: {millions(cost)}" for size, cost in points]
        each = "constant" if is_constant(points) else f"{rates(points)[-1]:,.0f} a {case.unit.removesuffix('s')}"
        rows.append([case.name, *cells, *[""] * (most - len(points)), each])
    units = ", ".join(dict.fromkeys(case.unit for case in curves))
    head = [f"{units}: million instructions", *[""] * most, "one more"]
    return head, rows


def millions(cost):
    return f"{cost / 1e6:,.2f}" if cost < 10e6 else f"{cost / 1e6:,.0f}"


def draw(measured):
    """A chart for each pair of groups whose sizes are bytes, if all of it was measured."""
    for name, groups in (("arguments", ("arguments", "answers")), ("content", ("content",))):
        curves = {case.name: points for case, points in measured.items() if case.group in groups}
        if {case.group for case in measured if case.group in groups} == set(groups):
            title = " and ".join(TITLES[group].lower() for group in groups)
            chart.write(f"growth-{name}", chart.lines(f"Instructions by the {title}", curves, "bytes"))


if __name__ == "__main__":
    main()
