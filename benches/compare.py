#!/usr/bin/env python3
"""Compares the library and the function with a bare `lambda_http` echo and with rmcp: CPU time, latency,
memory, instructions, start. Writes docs/performance.md and its chart.

All run behind the same emulated Runtime API on loopback, and receive the same API Gateway event (REST,
payload version 1). `make bench` builds them with optimizations and runs this script.

CPU time is the time that the kernel measured for the process during the warm invocations. Rounds
alternate between the programs, and the table shows medians, to reduce the influence of other load.
Callgrind counts instructions if valgrind is installed: the difference of a long and a short run, without
the start. The script does not fail because of a number.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import time

import page

ROUNDS = 5
STARTS = 15
CALLGRIND_RUNS = (100, 600)
VERSION = "2026-07-28"
FORECAST = {"city": "Berlin", "days": 3}
ECHO = "echo"
PEERS = "lambda_http 1.3.2, rmcp 3.11.0"


def main():
    args = arguments()
    subjects = dict(programs(args))
    for title, (program, sent) in subjects.items():
        check(title, program, sent)
    rounds = [
        {title: warm(*subject, args.invocations) for title, subject in subjects.items()}
        for _ in range(ROUNDS)
    ]
    count = shutil.which("valgrind") and not args.no_callgrind
    counted = {title: instructions(*subject) for title, subject in subjects.items()} if count else {}
    tables = {"warm": report(subjects, rounds, counted), "cold": cold(args)}
    for head, rows in tables.values():
        print("\n" + page.markdown(head, rows))
    if counted and not args.no_page:
        page.write(
            **tables, counted=counted, peers=PEERS, rounds=ROUNDS, invocations=args.invocations, starts=STARTS
        )


def programs(args):
    """The programs and their events, by titles."""
    yield ECHO, (args.echo, event(call("get_projects", {"featured": True})))
    for name, program in (
        ("one tool", args.edges / "native"),
        ("one tool by lambda_http", args.edges / "through_lambda_http"),
        ("rmcp", args.peers / "rmcp"),
    ):
        yield f"{name}: tools/list", (program, event(request("tools/list", {})))
        yield f"{name}: tools/call", (program, event(call("forecast", FORECAST)))
    for title, message in messages():
        yield f"portfolio: {title}", (args.server, event(message))


def arguments():
    parser = argparse.ArgumentParser(description="Compares the server with a bare lambda_http echo.")
    parser.add_argument("--server", type=pathlib.Path, default="target/release/portfolio")
    parser.add_argument("--echo", type=pathlib.Path, default="target/echo/release/echo")
    parser.add_argument("--edges", type=pathlib.Path, default="target/edges/release")
    parser.add_argument("--peers", type=pathlib.Path, default="target/peers/release")
    parser.add_argument("--invocations", type=int, default=5000, help="for each program and round")
    parser.add_argument("--no-callgrind", action="store_true", help="do not count instructions")
    parser.add_argument("--no-page", action="store_true", help="do not write docs/performance.md")
    return parser.parse_args()


# --- What is sent -------------------------------------------------------------------------------


def messages():
    yield "get_projects", call("get_projects", {"featured": True})
    yield "check_availability", call("check_availability", {})
    yield "get_resume", call("get_resume", {})
    yield "tools/list", request("tools/list", {})
    yield "server/discover", request("server/discover", {})


def call(tool, arguments):
    return request("tools/call", {"name": tool, "arguments": arguments})


def request(method, params):
    meta = {
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1.0.0"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}


def event(message):
    """The event of a REST API for the request, with the headers that CloudFront adds."""
    host = "a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com"
    headers = {
        "Accept": "application/json, text/event-stream",
        "Accept-Encoding": "gzip, br",
        "CloudFront-Forwarded-Proto": "https",
        "CloudFront-Is-Desktop-Viewer": "true",
        "CloudFront-Is-Mobile-Viewer": "false",
        "CloudFront-Is-SmartTV-Viewer": "false",
        "CloudFront-Is-Tablet-Viewer": "false",
        "CloudFront-Viewer-ASN": "64496",
        "CloudFront-Viewer-Country": "DE",
        "Content-Type": "application/json",
        "Host": host,
        "MCP-Protocol-Version": VERSION,
        "Mcp-Method": message["method"],
        "User-Agent": "bench/1.0.0",
        "Via": "2.0 0123456789abcdef.cloudfront.net (CloudFront)",
        "X-Amz-Cf-Id": "0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghij",
        "X-Amzn-Trace-Id": "Root=1-67891233-abcdef012345678912345678",
        "X-Forwarded-For": "192.0.2.1, 198.51.100.1",
        "X-Forwarded-Port": "443",
        "X-Forwarded-Proto": "https",
    }
    if "name" in message["params"]:
        headers["Mcp-Name"] = message["params"]["name"]
    identity = ["cognitoIdentityPoolId", "accountId", "cognitoIdentityId", "caller", "accessKey"]
    context = {
        "accountId": "123456789012",
        "apiId": "a1b2c3d4e5",
        "domainName": host,
        "domainPrefix": "a1b2c3d4e5",
        "extendedRequestId": "JKJaXmPLvHcESHA=",
        "httpMethod": "POST",
        "identity": {**dict.fromkeys(identity), "sourceIp": "192.0.2.1", "userAgent": "bench/1.0.0"},
        "path": "/prod/mcp",
        "protocol": "HTTP/1.1",
        "requestId": "c6af9ac6-7b61-11e6-9a41-93e8deadbeef",
        "requestTime": "29/Nov/2026:12:00:00 +0000",
        "requestTimeEpoch": 1795953600000,
        "resourceId": "123456",
        "resourcePath": "/mcp",
        "stage": "prod",
    }
    whole = {
        "resource": "/mcp",
        "path": "/mcp",
        "httpMethod": "POST",
        "headers": headers,
        "multiValueHeaders": {name: [value] for name, value in headers.items()},
        "queryStringParameters": None,
        "multiValueQueryStringParameters": None,
        "pathParameters": None,
        "stageVariables": None,
        "requestContext": context,
        "body": json.dumps(message),
        "isBase64Encoded": False,
    }
    return json.dumps(whole).encode()


# --- Lambda's Runtime API -----------------------------------------------------------------------


class Function:
    """A function's process, and the connection on which it requests its next invocation."""

    def __init__(self, program, wrapper=()):
        self.listener = socket.create_server(("127.0.0.1", 0))
        environment = {
            "PATH": os.environ["PATH"],
            "AWS_LAMBDA_RUNTIME_API": "127.0.0.1:%d" % self.listener.getsockname()[1],
            "AWS_LAMBDA_FUNCTION_NAME": "bench",
            "AWS_LAMBDA_FUNCTION_VERSION": "1",
            "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "256",
            "AWS_LAMBDA_LOG_GROUP_NAME": "bench",
            "AWS_LAMBDA_LOG_STREAM_NAME": "bench",
        }
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            [*wrapper, str(program)],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE if wrapper else None,
        )
        self.listener.settimeout(30)
        self.connection, _ = self.listener.accept()
        self.connection.settimeout(30)
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.unread = b""
        self.read()

    def read(self):
        """The body of the next request on the connection."""
        while b"\r\n\r\n" not in self.unread:
            self.more()
        head, _, self.unread = self.unread.partition(b"\r\n\r\n")
        length = re.search(rb"content-length: *(\d+)", head, re.IGNORECASE)
        length = int(length[1]) if length else 0
        while len(self.unread) < length:
            self.more()
        body, self.unread = self.unread[:length], self.unread[length:]
        return body

    def more(self):
        data = self.connection.recv(1 << 16)
        if not data:
            sys.exit("bench: the function closed its connection")
        self.unread += data

    def invoke(self, sent):
        """Answers `next` with an event; gives the response, and how long it took."""
        head = (
            b"HTTP/1.1 200 OK\r\nlambda-runtime-aws-request-id: 8476a536-e9f4-11e8-9739-2dfe598c3fcd\r\n"
            b"lambda-runtime-deadline-ms: %d\r\nlambda-runtime-invoked-function-arn: arn:aws:lambda:\r\n"
            b"lambda-runtime-trace-id: Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700\r\n"
            b"content-type: application/json\r\ncontent-length: %d\r\n\r\n"
        )
        start = time.perf_counter()
        self.connection.sendall(head % ((time.time() + 10) * 1000, len(sent)) + sent)
        answer = self.read()
        took = time.perf_counter() - start
        self.connection.sendall(b"HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n")
        self.read()
        return answer, took

    def cpu_seconds(self):
        threads = pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9

    def peak_kib(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1])

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        _, errors = self.process.communicate()
        self.connection.close()
        self.listener.close()
        return errors


# --- What is measured ---------------------------------------------------------------------------


def check(title, program, sent):
    """Checks the response before anything is measured."""
    function = Function(program)
    answer, _ = function.invoke(sent)
    function.end()
    answer = json.loads(answer)
    body = json.loads(answer["body"])
    failed = body.get("error") or body.get("result", {}).get("isError")
    if answer["statusCode"] != 200 or failed:
        sys.exit(f"bench: {title} was answered with {answer['statusCode']}: {answer['body'][:300]}")


def warm(program, sent, invocations):
    function = Function(program)
    for _ in range(200):
        function.invoke(sent)
    before = function.cpu_seconds()
    latencies = sorted(function.invoke(sent)[1] for _ in range(invocations))
    cpu = (function.cpu_seconds() - before) / invocations
    measured = {
        "cpu": cpu * 1e6,
        "p50": statistics.median(latencies) * 1e6,
        "p99": latencies[int(invocations * 0.99)] * 1e6,
        "peak": function.peak_kib() / 1024,
    }
    function.end()
    return measured


def instructions(program, sent):
    counts = []
    for invocations in CALLGRIND_RUNS:
        wrapper = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
        function = Function(program, wrapper)
        for _ in range(invocations):
            function.invoke(sent)
        counts.append(int(re.search(rb"Collected : (\d+)", function.end())[1]))
    return (counts[1] - counts[0]) / (CALLGRIND_RUNS[1] - CALLGRIND_RUNS[0])


def report(subjects, rounds, counted):
    """The table of warm invocations."""
    head = ["", "CPU", "x echo", "p50", "p99", "MiB", "instructions", "x echo"]
    rows = []
    for title in subjects:
        cpu, p50, p99, peak = (
            statistics.median(measured[title][key] for measured in rounds)
            for key in ("cpu", "p50", "p99", "peak")
        )
        ratio = statistics.median(measured[title]["cpu"] / measured[ECHO]["cpu"] for measured in rounds)
        row = [title, f"{cpu:.1f}", f"{ratio:.2f}", f"{p50:.0f}", f"{p99:.0f}", f"{peak:.1f}"]
        if counted:
            row += [f"{counted[title]:,.0f}", f"{counted[title] / counted[ECHO]:.2f}"]
        rows.append(row)
    return head[: len(rows[0])], rows


def cold(args):
    """The table of starts."""
    rows = []
    forecast = event(call("forecast", FORECAST))
    projects = event(call("get_projects", {"featured": True}))
    for title, program, sent in (
        (ECHO, args.echo, projects),
        ("one tool", args.edges / "native", forecast),
        ("rmcp", args.peers / "rmcp", forecast),
        ("portfolio", args.server, projects),
    ):
        times = []
        for _ in range(STARTS):
            function = Function(program)
            function.invoke(sent)
            times.append((time.perf_counter() - function.started) * 1000)
            function.end()
        size = program.stat().st_size / 1e6
        rows.append([title, f"{min(times):.1f}", f"{statistics.median(times):.1f}", f"{size:.1f}"])
    return ["", "least", "median", "MB of the program"], rows


if __name__ == "__main__":
    main()
