"""Writes what `compare.py` measured: docs/performance.md and the chart docs/performance.svg."""

import datetime
import pathlib
import platform
import re
import subprocess
from html import escape

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"

TEXT = """\
# Performance

Written by `make bench`, on {date}: {machine}, Linux {kernel}, {rust}, {peers}. All programs are
optimized builds behind the same emulated Runtime API on loopback, and get the same events of a REST API
(payload version 1). Rounds alternate between the programs; times are medians of {rounds} rounds of
{invocations:,} warm invocations, in microseconds. *Instructions* are counted with callgrind for one
invocation, in user space, so they are the same on each run. The answers are checked to be successes first.

*Echo* is a bare `lambda_http` function that sends back the body. *One tool* is a server of this library with
one tool, which takes two arguments and returns structured content; it writes its log line, the others write
none. *rmcp* is the same tool with the official SDK on `lambda_http`, stateless and with JSON responses, its
fastest mode. *portfolio* is the shipped function with its example content.

![Instructions of one invocation](performance.svg)

{warm}
From the start of the process to its first response, in milliseconds, of {starts} starts:

{cold}
These are numbers of one machine. The ratios move by some hundredths between runs; instructions do not.
`make bench-guard` compares the instructions and allocations of each method with `benches/baseline.json`.
"""

BAR = 16
LEFT = 250
WIDTH = 760


def markdown(head, rows):
    """A table. All columns but the first are numbers."""
    lines = ["| " + " | ".join(row) + " |" for row in [head, *rows]]
    lines.insert(1, "| --- |" + " ---: |" * (len(head) - 1))
    return "\n".join(lines) + "\n"


def chart(values):
    """Horizontal bars, one for each title."""
    most = max(values.values())
    bars = []
    for row, (title, value) in enumerate(values.items()):
        y = 8 + row * (BAR + 8)
        width = round((WIDTH - LEFT - 90) * value / most)
        color = "#2f6f9f" if title.startswith(("one tool", "portfolio")) else "#9a9a9a"
        bars.append(
            f'<text x="{LEFT - 8}" y="{y + 12}" text-anchor="end">{escape(title)}</text>'
            f'<rect x="{LEFT}" y="{y}" width="{width}" height="{BAR}" fill="{color}"/>'
            f'<text x="{LEFT + width + 6}" y="{y + 12}">{value:,.0f}</text>'
        )
    height = 8 + len(values) * (BAR + 8)
    style = 'font-family="sans-serif" font-size="12" fill="#555"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" {style}>'
        f"<title>Instructions of one invocation</title>{''.join(bars)}</svg>\n"
    )


def machine():
    model = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    return f"{model[1].strip() if model else platform.machine()}, {platform.machine()}"


def write(*, warm, cold, counted, peers, rounds, invocations, starts):
    """`warm` and `cold` are tables: a head and rows."""
    rust = subprocess.run(["rustc", "--version"], check=True, capture_output=True, text=True).stdout
    (DOCS / "performance.svg").write_text(chart(counted))
    (DOCS / "performance.md").write_text(TEXT.format(
        date=datetime.date.today().isoformat(), machine=machine(), kernel=platform.release().split("-")[0],
        rust=rust.split(" (")[0], peers=peers, rounds=rounds, invocations=invocations, starts=starts,
        warm=markdown(*warm), cold=markdown(*cold),
    ))
