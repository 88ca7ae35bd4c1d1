"""Compares round trips over stdio: this library, rmcp and the TypeScript SDK, each with one tool.

Each server is started as a client does it. After the handshake of protocol 2025-11-25, calls are sent one
after the other, and then all at once. CPU time is what the kernel measured for the process. Rounds alternate
between the servers, and the table shows medians.
"""

import json
import pathlib
import statistics
import subprocess
import threading
import time

from runtime_api import ROOT

VERSION = "2025-11-25"


def servers(typescript, built=ROOT / "target/stdio/release"):
    """The command of each server and the folder that it starts in."""
    folder = typescript.resolve()
    brought = sorted(folder.glob("node_modules/node-*/bin/node"))
    return {
        "lambda-mcp": ([built / "ours"], ROOT),
        "rmcp": ([built / "rmcp"], ROOT),
        "TypeScript SDK": ([brought[0] if brought else "node", ROOT / "benches/stdio/typescript.mjs"], folder),
    }


def compare(servers, calls, rounds):
    """The table: a head and rows."""
    measured = [{name: measure(*server, calls) for name, server in servers.items()} for _ in range(rounds)]
    head = ["", "round trip µs", "p99 µs", "calls a second, sent at once", "CPU µs", "× lambda-mcp", "MB"]
    rows = []
    for name in servers:
        median = {key: statistics.median(one[name][key] for one in measured) for key in measured[0][name]}
        against = statistics.median(one[name]["cpu"] / one["lambda-mcp"]["cpu"] for one in measured)
        rows.append([
            name, f"{median['p50']:.0f}", f"{median['p99']:.0f}", f"{median['rate']:,.0f}", f"{median['cpu']:.1f}",
            f"{against:.2f}", f"{median['kb'] / 1000:.1f}",
        ])
    return head, rows


def measure(command, folder, calls):
    process = subprocess.Popen(
        command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    info = {"name": "bench", "version": "1"}
    send(process, request(0, "initialize", {"protocolVersion": VERSION, "clientInfo": info, "capabilities": {}}))
    assert "result" in json.loads(process.stdout.readline())
    send(process, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    times = []
    for number in range(calls // 10):
        round_trip(process, number)
    before = cpu_s(process.pid)
    for number in range(calls):
        times.append(round_trip(process, number))
    cpu = cpu_s(process.pid) - before
    times.sort()
    lines = b"".join(line(call(number)) for number in range(calls))
    began = time.perf_counter()
    writer = threading.Thread(target=lambda: (process.stdin.write(lines), process.stdin.flush()))
    writer.start()
    for _ in range(calls):
        assert process.stdout.readline()
    rate = calls / (time.perf_counter() - began)
    writer.join()
    kb = memory_kb(process.pid)
    process.stdin.close()
    process.wait(timeout=10)
    return {
        "p50": times[len(times) // 2] * 1e6,
        "p99": times[len(times) * 99 // 100] * 1e6,
        "rate": rate,
        "cpu": cpu / calls * 1e6,
        "kb": kb,
    }


def round_trip(process, number):
    began = time.perf_counter()
    send(process, call(number))
    answer = process.stdout.readline()
    took = time.perf_counter() - began
    assert b"a text to return" in answer, answer
    return took


def call(number):
    return request(number, "tools/call", {"name": "echo", "arguments": {"text": "a text to return"}})


def request(number, method, params):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def line(message):
    return json.dumps(message).encode() + b"\n"


def send(process, message):
    process.stdin.write(line(message))
    process.stdin.flush()


def cpu_s(process):
    """User and system time of its threads."""
    threads = pathlib.Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9


def memory_kb(process):
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])
