"""Counts what does not depend on the clock: instructions with callgrind, allocations with dhat.

Both count in user space, so the numbers of one program on one kind of machine are the same on each run.
"""

import concurrent.futures
import os
import re
import shutil
import sys

from runtime_api import Function

# The difference of a long and a short run has neither the start nor the end of the process.
RUNS = (50, 250)
TIMEOUT_S = 300
TOOLS = {
    "instructions": (["--tool=callgrind", "--callgrind-out-file=/dev/null"], rb"Collected : (\d+)"),
    "allocations": (["--tool=dhat", "--dhat-out-file=/dev/null"], rb"Total: +[\d,]+ bytes in ([\d,]+) blocks"),
}
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


def count_all(wanted, runs=RUNS):
    """`count` for each `(tool, program, sent)` by its key. Runs in parallel, which changes no number."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = {key: pool.submit(count, *what, runs) for key, what in wanted.items()}
        return {key: future.result() for key, future in counts.items()}
