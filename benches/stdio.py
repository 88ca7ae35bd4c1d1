#!/usr/bin/env python3
"""Compares round trips over stdio: this library, rmcp and the TypeScript SDK, each with one tool.

Each server is started as a client does it. After the handshake of protocol 2025-11-25, calls are sent one
after the other, and then all at once. CPU time is what the kernel measured for the process. Rounds alternate
between the servers, and the table shows medians. The script does not fail because of a number.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import threading
import time

ROUNDS = 5
VERSION = "2025-11-25"


def main():
    parser = argparse.ArgumentParser(description="Compares round trips over stdio.")
    parser.add_argument("--programs", type=pathlib.Path, default="target/stdio/release")
    parser.add_argument("--typescript", type=pathlib.Path, default=".tools/clients/typescript")
    parser.add_argument("--calls", type=int, default=3000, help="for each server and round")
    args = parser.parse_args()
    brought = sorted(args.typescript.resolve().glob("node_modules/node-*/bin/node"))
    script = pathlib.Path(__file__).resolve().parent / "stdio/typescript.mjs"
    servers = {
        "lambda-mcp": ([args.programs.resolve() / "ours"], "."),
        "rmcp": ([args.programs.resolve() / "rmcp"], "."),
        "TypeScript SDK": ([brought[0] if brought else "node", script], args.typescript),
    }
    rounds = [{name: measure(*server, args.calls) for name, server in servers.items()} for _ in range(ROUNDS)]
    print(f"{'server':16} {'round trip':>12} {'99th of 100':>12} {'at once':>14} {'CPU a call':>12} {'memory':>10}")
    for name in servers:
        median = {key: statistics.median(one[name][key] for one in rounds) for key in rounds[0][name]}
        print(
            f"{name:16} {median['p50']:9.0f} µs {median['p99']:9.0f} µs {median['rate']:8,.0f} calls/s"
            f" {median['cpu']:9.1f} µs {median['kb'] / 1000:7.1f} MB"
        )


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
    """User and system time."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_kb(process):
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


if __name__ == "__main__":
    main()
