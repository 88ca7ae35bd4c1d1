#!/usr/bin/env python3
"""Measures what it costs to check arguments, for each keyword of JSON Schema at several sizes.

Counts instructions with callgrind, so the numbers are the same on each run of one build. Writes
docs/validation-cost.md, and fails if a cost grows faster than the value, or if a step costs so much that
the deadline is noticed late. Started by `make bench-validation`.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "validation-cost.md"
MANIFEST = "benches/validation/Cargo.toml"
PROGRAM = "target/validation/release/validation"
# The function whose instructions are counted.
CHECK = "*validate*Validator*::check"
# The work of doubling the size may grow by this factor: the rest is for hash tables that double.
LINEAR = 2.35
# The clock is read once in 16,384 steps, so this keeps the time between two readings below some 10 ms.
INSTRUCTIONS_PER_STEP = 1500

HEAD = """\
# The cost of checking arguments

Written by `make bench-validation`. The arguments of a call are checked against the schema of the tool
before its handler runs. The table shows instructions, counted with callgrind in an optimized build, for
each keyword and for values of growing size: items of an array, members of an object, or pairs of
characters. *Growth* is the largest size compared with half of it: 2 is linear, and less has a constant
part, such as the text of an error.

A check may take {max_steps:,} steps. *Per step* is the number of instructions for each step that the larger
size takes more. For most keywords it is 100 to 400, and it must not exceed {per_step:,}. So the steps alone
bound a check to some seconds. What ends it in time is the deadline of the call: the clock is read once in
16,384 steps, every few milliseconds.

"""


def run(*command, **options):
    return subprocess.run(command, cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def lines(text):
    for line in text.splitlines():
        start = line.find('{"keyword"')
        if start >= 0:
            yield json.loads(line[start:])


def steps():
    """The steps that each check takes, from the unit tests of the validator."""
    test = "schema::validate::tests::cost::the_steps_of_all_cases_are_printed"
    text = run("cargo", "test", "--quiet", "--locked", "--workspace", "--all-features",
               "--lib", "--", "--ignored", "--exact", "--nocapture", test)
    found = {(line["keyword"], line["size"]): line["steps"] for line in lines(text)}
    if not found:
        sys.exit(f"no steps in the output of the test {test}")
    return found


def instructions():
    """The instructions that each check takes, in the order of the cases."""
    run("cargo", "build", "--quiet", "--locked", "--release", "--manifest-path", MANIFEST,
        "--target-dir", "target/validation")
    cases = [(line["keyword"], line["size"]) for line in lines(run(str(ROOT / PROGRAM)))]
    return {case: count(*case) for case in cases}


def count(keyword, size):
    """The instructions of one check."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        run("valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", f"--toggle-collect={CHECK}",
            str(ROOT / PROGRAM), keyword, str(size), stderr=subprocess.DEVNULL)
        counted = int(re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.M)[1])
    if not counted:
        sys.exit(f"nothing was counted for {keyword}: is {CHECK} still the name of the check?")
    return counted


def max_steps():
    source = (ROOT / "src/schema/validate/budget.rs").read_text()
    return int(re.search(r"MAX_STEPS: u64 = ([\d_]+)", source)[1].replace("_", ""))


def table(instructions, steps):
    sizes = sorted({size for _, size in instructions})
    rows = [["keyword", *map(str, sizes), "growth", "steps", "per step"]]
    faults = []
    for keyword in dict.fromkeys(keyword for keyword, _ in instructions):
        costs = [instructions[keyword, size] for size in sizes]
        taken = [steps[keyword, size] for size in sizes]
        growth, more = costs[-1] / costs[-2], taken[-1] - taken[-2]
        # A check that stops early takes no more steps for a larger value.
        per_step = round((costs[-1] - costs[-2]) / more) if more > 100 else None
        cells = [keyword.replace("|", "\\|"), *(f"{cost:,}" for cost in costs), f"{growth:.2f}", f"{taken[-1]:,}"]
        rows.append([*cells, "" if per_step is None else f"{per_step:,}"])
        if growth > LINEAR:
            faults.append(f"{keyword}: twice the size costs {growth:.2f} times as much")
        if per_step is not None and per_step > INSTRUCTIONS_PER_STEP:
            faults.append(f"{keyword}: a step costs {per_step:,} instructions")
    markdown = ["| " + " | ".join(row) + " |" for row in rows]
    markdown.insert(1, "| --- |" + " ---: |" * (len(rows[0]) - 1))
    return "\n".join(markdown) + "\n", faults


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--check", action="store_true", help="do not write the page")
    check = arguments.parse_args().check
    if not shutil.which("valgrind"):
        sys.exit("valgrind is not installed (Debian: apt install valgrind)")
    text, faults = table(instructions(), steps())
    print(text, end="")
    if not check:
        PAGE.write_text(HEAD.format(max_steps=max_steps(), per_step=INSTRUCTIONS_PER_STEP) + text)
    for fault in faults:
        print(fault, file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
