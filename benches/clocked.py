"""Measures what depends on the clock and on memory: CPU time, latency, start, peak memory.

The emulator and the function share one CPU: one waits while the other works, and neither migrates.
"""

import os
import statistics
import time

from messages import event
from runtime_api import Function

WARM_UP = 200


def on_one_cpu():
    """Keeps this process and those that it starts on one CPU."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def warm(subject, invocations):
    """Microseconds of one warm invocation."""
    sent = subject.events()["v1"]
    function = Function(subject.program.path)
    for _ in range(WARM_UP):
        function.invoke(sent)
    before = function.cpu_seconds()
    latencies = sorted(function.invoke(sent)[1] for _ in range(invocations))
    cpu = (function.cpu_seconds() - before) / invocations
    function.end()
    return {
        "cpu": cpu * 1e6,
        "p50": statistics.median(latencies) * 1e6,
        "p99": latencies[int(invocations * 0.99)] * 1e6,
    }


def start(program):
    """Milliseconds from the start of the process to its first answer, which is that of a tool."""
    sent = event(program.requests[program.first])
    function = Function(program.path)
    function.invoke(sent)
    took = (time.perf_counter() - function.started) * 1e3
    function.end()
    return took


def memory(program, invocations):
    """MiB at the peak after some invocations of all kinds, and how much came after the first tenth of them."""
    sent = [event(message) for message in program.requests.values()]
    function, early = Function(program.path), 0
    for number in range(invocations):
        function.invoke(sent[number % len(sent)])
        if number == invocations // 10:
            early = function.memory_kib("VmHWM")
    peak = function.memory_kib("VmHWM")
    function.end()
    return {"peak": peak / 1024, "growth": (peak - early) / 1024}


def spread(values):
    """The median, and half of the range that the middle half of the values is in."""
    quarters = statistics.quantiles(values, n=4) if len(values) > 1 else [values[0]] * 3
    return statistics.median(values), (quarters[2] - quarters[0]) / 2
