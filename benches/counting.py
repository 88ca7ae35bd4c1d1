"""Counts what does not depend on the clock: instructions with callgrind, allocations with dhat.

Both count in user space, so the numbers of one program on one kind of machine are the same on each run.
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import sys
import tempfile

from runtime_api import Function

# The difference of a long and a short run has neither the start nor the end of the process.
RUNS = (50, 250)
TIMEOUT_S = 300
TOOLS = {
    "instructions": (["--tool=callgrind", "--callgrind-out-file=/dev/null"], rb"Collected : (\d+)"),
    "allocations": (["--tool=dhat", "--dhat-out-file=/dev/null"], rb"Total: +[\d,]+ bytes in ([\d,]+) blocks"),
}
# dhat replaces the allocator of shared libraries. One that is part of the program is counted by its calls.
CALLS = "calls of malloc"
MALLOC = re.compile(r"dlmalloc::dlmalloc::Dlmalloc<.*>::malloc(?!\w)")
# Where a page is touched, the kernel maps the pages around it that it has in memory: 64 KiB.
PIECE = 1 << 16
# glibc chooses how it copies by the processor, and `rep movsb` counts as an instruction for each byte. Without these
# features it copies in the same way on each processor of the kind.
SAME_EVERYWHERE = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX2,-AVX2_Usable,-AVX,-ERMS,-FSRM"}
INSTALL = "valgrind is not installed (Debian: apt install valgrind)"


def installed():
    return shutil.which("valgrind") is not None


def skip_unless_installed(what):
    """Ends the run without valgrind: as a failure in CI, and with a message elsewhere."""
    if installed():
        return
    if os.environ.get("CI"):
        sys.exit(f"{what}: {INSTALL}")
    print(f"*** SKIPPED: {what}: {INSTALL}", file=sys.stderr)
    sys.exit(0)


def total(tool, program, sent, invocations, environment=None):
    """What a process counts from its start to its end."""
    if tool == CALLS:
        return calls(profile(program, [sent] * invocations, environment=environment), MALLOC)
    options, pattern = TOOLS[tool]
    environment = {**SAME_EVERYWHERE, **(environment or {})}
    function = Function(program, ["valgrind", *options], environment, TIMEOUT_S)
    for _ in range(invocations):
        function.invoke(sent)
    return int(re.search(pattern, function.end())[1].replace(b",", b""))


def count(tool, program, sent, runs=RUNS):
    """What one invocation counts, and what the start with the first answer counts more than an invocation."""
    short, long = (total(tool, program, sent, invocations) for invocations in runs)
    one = (long - short) / (runs[1] - runs[0])
    return one, short - runs[0] * one


def pieces(program, sent):
    """How many pieces of the program's code a start with the first answer touches, as the kernel maps them."""
    written = profile(program, [sent], "--dump-instr=yes")
    return len({address // PIECE for address in addresses(written, str(program))})


def functions(program, events, *options, environment=None):
    """The names of the functions that ran, from the start of the process on."""
    # A name is written once, behind its number, and a recursive function has one for each depth:
    # `fn=(12) core::fmt::write'2`.
    names = re.findall(r"^c?fn=\(\d+\) (.+)$", profile(program, events, *options, environment=environment), re.M)
    return {re.sub(r"'\d+$", "", name) for name in names}


def calls(profile, wanted):
    """How often functions with such a name were called, from a profile of callgrind."""
    numbered, called, sum_of_calls = {}, "", 0
    for line in profile.splitlines():
        if found := re.match(r"c?fn=(\(\d+\))(?: (.+))?", line):
            called = numbered.setdefault(*found.groups())
        elif (found := re.match(r"calls=(\d+)", line)) and wanted.fullmatch(re.sub(r"'\d+$", "", called)):
            sum_of_calls += int(found[1])
    return sum_of_calls


def profile(program, events, *options, environment=None):
    """What callgrind writes about a process that answers events."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *options]
        function = Function(program, tool, {**SAME_EVERYWHERE, **(environment or {})}, TIMEOUT_S)
        for sent in events:
            function.invoke(sent)
        function.end()
        return out.read_text()


def addresses(profile, program):
    """The addresses of the instructions that a program ran, from a profile of callgrind."""
    numbered, is_own, address = {}, False, 0
    for line in profile.splitlines():
        if found := re.match(r"(c?)ob=(\(\d+\))(?: (.+))?", line):
            called, number, name = found.groups()
            name = numbered.setdefault(number, name)
            is_own = name == program if not called else is_own
        elif found := re.match(r"(0x[0-9a-f]+|[+-]\d+|\*) ", line):
            given = found[1]
            # Relative to the line before, or the same.
            address = int(given, 16) if given.startswith("0x") else address + int(given.replace("*", "0"))
            if is_own:
                yield address


def count_all(wanted, runs=RUNS):
    """`count` for each `(tool, program, sent)` by its key. Runs in parallel, which changes no number."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = {key: pool.submit(count, *what, runs) for key, what in wanted.items()}
        return {key: future.result() for key, future in counts.items()}
