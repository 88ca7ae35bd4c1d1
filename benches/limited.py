#!/usr/bin/env python3
"""Times calls of the shipped function under one limit and under three, with a DynamoDB that takes 5 ms for
each answer. Windows of one caller share a write, and other writes run at the same time, so three limits take
about as long as one. Started by `make bench-limits`.
"""

import argparse
import json
import pathlib
import statistics
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from messages import call, event
from runtime_api import Function

ANSWER_S = 0.005
# No limit is reached: what a refusal costs is another question.
LIMITS = {
    "no limit": "",
    "one limit": "get_projects=100000/1h",
    "three windows of a caller": "get_projects=100000/1h,200000/6h,300000/1d",
    "two windows of a caller and a total": "get_projects=100000/1h,300000/1d,total:900000/1d",
}
ONE = "one limit"
WARM_UP = 20


class DynamoDb(ThreadingHTTPServer):
    """Counts every attribute of an item that an update adds to."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Update)
        self.counts, self.writes = {}, 0
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Update(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self):
        update = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        key = update["Key"]["pk"]["S"]
        self.server.writes += 1
        count = self.server.counts[key] = self.server.counts.get(key, 0) + 1
        attributes = {name: {"N": str(count)} for name in update["ExpressionAttributeNames"].values()}
        time.sleep(ANSWER_S)
        answer = json.dumps({"Attributes": attributes}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/x-amz-json-1.0")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *arguments):
        pass


def environment(database, limits):
    variables = {
        "AWS_ACCESS_KEY_ID": "bench",
        "AWS_SECRET_ACCESS_KEY": "bench",
        "AWS_ENDPOINT_URL_DYNAMODB": "http://127.0.0.1:%d" % database.server_address[1],
    }
    return {**variables, "RATE_LIMITS": limits, "RATE_LIMIT_TABLE": "limits"} if limits else variables


def timed(function, sent):
    answer, took = function.invoke(sent)
    if json.loads(answer)["statusCode"] != 200:
        raise SystemExit(f"a call failed: {answer[:300]!r}")
    return took


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--portfolio", type=pathlib.Path, required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--calls", type=int, default=100, help="for each function and round")
    arguments = parser.parse_args()
    sent = event(call("get_projects", {"featured": True}))
    database = DynamoDb()
    functions = {
        name: Function(arguments.portfolio, environment=environment(database, limits))
        for name, limits in LIMITS.items()
    }
    times, writes = {name: [] for name in LIMITS}, dict.fromkeys(LIMITS, 0)
    for function in functions.values():
        for _ in range(WARM_UP):
            timed(function, sent)
    for _ in range(arguments.rounds):
        for name, function in functions.items():
            before = database.writes
            times[name] += [timed(function, sent) for _ in range(arguments.calls)]
            writes[name] += database.writes - before
    for function in functions.values():
        function.end()
    one = statistics.median(times[ONE])
    print("| limits | writes a call | p50 ms | p99 ms | p50 × one limit |\n| --- | --- | --- | --- | --- |")
    for name, took in times.items():
        p50, p99 = statistics.median(took), sorted(took)[int(len(took) * 0.99)]
        row = f"{writes[name] / len(took):.1f} | {p50 * 1e3:.2f} | {p99 * 1e3:.2f} | {p50 / one:.2f}"
        print(f"| {name} | {row} |")


if __name__ == "__main__":
    main()
