#!/usr/bin/env python3
"""Writes functions/portfolio/link_order.ld: which functions the linker places next to each other.

A start waits for each page of the program that it touches, and its memory counts the pages around them. The functions
that a start and the read-only requests run are a quarter of the code; without an order they are all over it. First come
those that run with the content that the build has checked, then those that check other content.

Functions are found with callgrind in a build with symbols. Names are written without the hashes that depend on the
compiler and the target, so a name can be that of several functions. Those of which most of the code runs come first.
"""

import argparse
import collections
import pathlib
import re
import tempfile

import counting
from machine import output
from messages import event, get, http_event
from programs import portfolio_requests
from runtime_api import ROOT

SCRIPT = ROOT / "functions" / "portfolio" / "link_order.ld"
# A module is placed as a whole if this part of its code is used.
ENOUGH = 0.9
HEAD = """\
/* Written by `make link-order`: the functions that a start and the usual requests run, next to each other
   (docs/adr/0037-functions-in-the-order-of-use.md). A name that no longer exists has no effect. */
SECTIONS
{
  .text : {
    /* The C library: it has one section for each of its files. */
    *libc.a:*(.text .text.*)
"""
TAIL = """\
    *(.text .text.*)
  }
}
INSERT AFTER .eh_frame;
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--portfolio", type=pathlib.Path, required=True, help="the function, with symbols")
    portfolio = parser.parse_args().portfolio.resolve()
    counting.skip_unless_installed("link-order")
    functions, addresses = sizes_and_addresses(portfolio)
    lines, placed = [], set()
    with tempfile.TemporaryDirectory() as folder:
        for title, environment, events in runs(folder):
            ran = counting.functions(portfolio, events, "--demangle=no", environment=environment)
            # The linker folds equal functions, and may keep another one than callgrind names.
            at = {addresses[name] for name in ran & functions.keys()}
            used = {name for name, address in addresses.items() if address in at} - placed
            placed |= used
            lines += [f"    /* {title} */", *(f"    *(.text.*{pattern})" for pattern in order(used, functions))]
    SCRIPT.write_text(HEAD + "\n".join(lines) + "\n" + TAIL)
    total = sum(functions.values())
    print(f"{len(placed):,} functions of {len(functions):,}, {sum(map(functions.get, placed)):,} bytes of {total:,}")


def runs(folder):
    """What is run, by title: the environment and the events."""
    requests = portfolio_requests().values()
    usual = [make(message) for message in requests for make in (event, http_event)] + [get()]
    (pathlib.Path(folder) / "resume.json").write_text((ROOT / "content" / "resume.json").read_text() + "\n")
    (pathlib.Path(folder) / "profile.toml").write_text((ROOT / "content" / "profile.toml").read_text())
    yield "The content that the build has checked.", {}, usual
    yield "Other content.", {"CONTENT_DIR": folder}, usual[:1]


def sizes_and_addresses(program):
    """The size of each function by its symbol, and the address."""
    symbols = (line.split() for line in output("nm", "--print-size", str(program)).splitlines())
    found = [symbol for symbol in symbols if len(symbol) == 4 and symbol[2] in "tTwW"]
    return {symbol[3]: int(symbol[1], 16) for symbol in found}, {symbol[3]: symbol[0] for symbol in found}


def order(used, functions):
    """Patterns for the names of the used functions, the ones that match the least of other code first."""
    of_all, of_used = collections.Counter(), collections.Counter()
    for symbol, size in functions.items():
        for part in prefixes(symbol):
            of_all[part] += size
            of_used[part] += size if symbol in used else 0
    share = {}
    for symbol in used:
        # The shortest name that is one of used functions, such as that of a module, else the whole one.
        *parts, whole = prefixes(symbol)
        part = next((part for part in parts if of_used[part] >= ENOUGH * of_all[part]), whole)
        share[part] = round(of_used[part] / of_all[part], 1)
    return sorted(share, key=lambda part: (-share[part], part))


def prefixes(symbol):
    """A symbol without its hashes as a pattern, after those for the parts of its path."""
    found = re.fullmatch(r"_ZN(.*)17h[0-9a-f]{16}E(\.(llvm\.)?\d+)?", symbol)
    if not found:
        return [re.sub(r"\.\d+$", "*", re.sub(r"Cs[0-9A-Za-z]+_", "Cs*_", symbol))]
    path, parts = found[1], []
    while length := re.match(r"\d+", path):
        end = length.end() + int(length[0])
        parts.append((parts[-1] if parts else "_ZN") + path[:end])
        path = path[end:]
    return [*(f"{part}*" for part in parts[1:-1]), f"{parts[-1]}17h*E*"]


if __name__ == "__main__":
    main()
