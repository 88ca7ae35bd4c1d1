#!/usr/bin/env python3
"""Sends generated requests to the servers of other SDKs, and compares their answers with this project's.

    compare.py --requests FILE --tools .tools/clients

The requests, and the kind of this project's answers, are from tests/it/generated. Status, error code and
kind of answer are compared. differences.jsonl lists the known differences, each with its reason; any other
one fails, and so does an entry that explains nothing.
"""

import argparse
import base64
import collections
import concurrent.futures
import http.client
import json
import pathlib
import re
import subprocess
import sys
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
# A server that has not ended its answer by then holds a stream open.
SECONDS = 10
SHOWN = 15


def main():
    parser = argparse.ArgumentParser(description="Compares the answers of several servers.")
    parser.add_argument("--requests", type=pathlib.Path, required=True, help="JSON lines: the requests")
    parser.add_argument("--tools", type=pathlib.Path, required=True, help="where the SDKs are installed")
    parser.add_argument("--only", choices=["rmcp", "typescript"], help="only this SDK")
    args = parser.parse_args()
    requests = [json.loads(line) for line in args.requests.read_text().splitlines()]
    known = [Known(number, line) for number, line in enumerate((HERE / "differences.jsonl").read_text().splitlines(), 1)]
    failed = False
    for name, command in servers(args.tools.resolve()).items():
        if args.only in (None, name):
            failed |= compare(name, command, args.tools / "typescript", requests, known)
    stale = [entry for entry in known if not entry.uses and args.only in (None, entry.sdk)]
    for entry in stale:
        print(f"differences.jsonl, line {entry.number}: explains nothing: {entry.reason}")
    return 1 if failed or stale else 0


def servers(tools):
    return {
        "rmcp": [tools / "rmcp/debug/server"],
        "typescript": [node(tools), HERE / "typescript.mjs"],
    }


def node(tools):
    own = list((tools / "typescript/node_modules").glob("node-*/bin/node"))
    return own[0] if own else "node"


class Known:
    """A known difference: patterns for what was changed in the request, and for both answers."""

    def __init__(self, number, line):
        entry = json.loads(line)
        self.number, self.uses = number, 0
        self.sdk, self.reason = entry["sdk"], entry["reason"]
        self.patterns = [re.compile(entry.get(name, "")) for name in ("story", "ours", "theirs")]

    def explains(self, sdk, *seen):
        if self.sdk != sdk or not all(pattern.search(text) for pattern, text in zip(self.patterns, seen)):
            return False
        self.uses += 1
        return True


def compare(name, command, folder, requests, known):
    """Whether an answer of a server differs without a known reason."""
    unknown = collections.defaultdict(list)
    same = explained = 0
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    try:
        url = process.stdout.readline().strip()
        if not url:
            sys.exit(f"{name} did not start")
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda request: answer(url, request), requests))
        for request, their in zip(requests, answers):
            our = request["ours"]
            if our == their:
                same += 1
            elif any(entry.explains(name, request["story"], our, their) for entry in known):
                explained += 1
            else:
                unknown[our, their].append(request)
    finally:
        process.terminate()
        process.wait()
    count = sum(map(len, unknown.values()))
    print(f"{name}: {same} answers are the same, {explained} differ for a known reason, {count} without one")
    for (our, their), requests in sorted(unknown.items(), key=lambda item: -len(item[1])):
        print(f"  {len(requests)} × ours: {our}; {name}: {their}")
        for request in requests[:SHOWN]:
            print(f"      {request['story']}")
    return bool(unknown)


def answer(url, request):
    """The status and the kind of an answer, as text."""
    parts = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=SECONDS)
    try:
        connection.putrequest(request["method"], parts.path, skip_accept_encoding=True)
        for name, value in request["headers"]:
            connection.putheader(name, value)
        body = base64.b64decode(request["body"])
        connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        response = connection.getresponse()
        return f"{response.status} {kind(response)}"
    except TimeoutError:
        return "no answer"
    except (OSError, http.client.HTTPException) as error:
        return f"no answer: {type(error).__name__}"
    finally:
        connection.close()


def kind(response):
    """What an answer says: a code, a result, nothing."""
    try:
        body = response.read().decode()
    except TimeoutError:
        return "stream without end"
    if response.headers.get_content_type() == "text/event-stream":
        data = [line[5:].strip() for line in body.splitlines() if line.startswith("data:")]
        body = next((line for line in reversed(data) if line), "")
    if not body:
        return "nothing"
    try:
        message = json.loads(body)
    except ValueError:
        return "text"
    if isinstance(message, list):
        return "batch"
    if "error" in message:
        return str(message["error"]["code"]) if isinstance(message["error"], dict) else "text"
    return "tool error" if message.get("result", {}).get("isError") else "result"


if __name__ == "__main__":
    sys.exit(main())
