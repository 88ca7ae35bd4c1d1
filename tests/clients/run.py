#!/usr/bin/env python3
"""Runs the clients of the SDKs against the servers, and checks what each of them received.

    run.py --tools .tools/clients --cargo-lambda PATH [--server NAME …] [--client NAME …]

infra/tools/serve.py starts each server of `servers/` as AWS Lambda does. Each client of clients.py
carries out the plan of the server's module and writes a report. This script checks the report and the
server's log. README.md describes the plan and the report.
"""

import argparse
import importlib
import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.request

import clients as all_clients
import server_log
from servers import Check, Outcome

HERE = pathlib.Path(__file__).resolve().parent
SERVERS = ["portfolio", "cook_book", "travel", "counter"]
CLIENT_SECONDS = 120


def main():
    parser = argparse.ArgumentParser(description="Runs the clients of the SDKs against the servers.")
    parser.add_argument("--tools", type=pathlib.Path, required=True, help="where the clients are installed")
    parser.add_argument("--cargo-lambda", help="path of cargo-lambda")
    parser.add_argument("--server", action="append", choices=SERVERS, help="only this one")
    parser.add_argument("--client", action="append", help="only this one")
    parser.add_argument("--at", choices=SERVERS, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.at:
        return try_all(args)
    results = args.tools / "results"
    results.mkdir(parents=True, exist_ok=True)
    passed = failed = 0
    for name in args.server or SERVERS:
        counts = results / f"{name}.json"
        counts.unlink(missing_ok=True)
        served = subprocess.run(serving(args, name), check=False)
        if not counts.exists():
            sys.exit(f"clients: {name} could not be served (status {served.returncode})")
        runs = json.loads(counts.read_text())
        passed, failed = passed + runs["passed"], failed + runs["failed"]
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


def serving(args, name):
    """The command that starts one server and runs this script against it."""
    again = [sys.executable, __file__, "--tools", args.tools, "--at", name]
    for client in args.client or []:
        again += ["--client", client]
    command = [sys.executable, "infra/tools/serve.py", "--cargo-lambda", args.cargo_lambda]
    command += ["--prebuilt", "--port", "0", "--logs", args.tools / f"results/{name}.log"]
    return [*command, *importlib.import_module(f"servers.{name}").TARGET, "--", *again]


def try_all(args):
    """Runs every client against the server at MCP_URL."""
    server = importlib.import_module(f"servers.{args.at}")
    log = server_log.ServerLog(args.tools / f"results/{args.at}.log")
    passed = failed = streams = 0
    log.news()
    for client in all_clients.CLIENTS:
        if args.client and client.name not in args.client:
            continue
        visits = server.visits(client, ask)
        if not visits:
            continue
        earlier = log.news()
        began = time.monotonic()
        check, version, connections = try_one(args, server, client, visits)
        requests = log.news()
        server_log.judge(check, client, requests, connections)
        streams += server_log.judge_others(check, earlier + requests)
        passed, failed = passed + (not check.faults), failed + bool(check.faults)
        mark = "FAILS " if check.faults else "passes"
        print(
            f"  {mark} {server.NAME:9} {client.name} {version}, {client.era} {client.protocol}: "
            f"{check.passed} checks, {len(check.faults)} failed, {time.monotonic() - began:.1f} s"
        )
        for fault in check.faults:
            print(f"         {fault}")
        sys.stdout.flush()
    if not streams and not args.client:
        # The clients must have asked for streams, or the refusal of streams is not tested.
        failed += 1
    counts = {"passed": passed, "failed": failed}
    (args.tools / f"results/{args.at}.json").write_text(json.dumps(counts))
    print(f"         {server.NAME}: {streams} GET requests for streams, each refused with 405")
    return 0


def try_one(args, server, client, visits, where=None):
    """Runs all visits of one client and checks what it received. `where` says how it reaches the server,
    by default at MCP_URL."""
    check, version, connections = Check(), "?", 0
    where = where or {"url": os.environ["MCP_URL"]}
    for visit in visits:
        steps = [step for step in visit.steps if not step.needs or step.needs in client.can]
        connections += 1 if client.connects_once else 1 + len(steps)
        plan = {
            **where,
            "client": f"try-{client.name}",
            "era": client.era,
            "answers": visit.answers,
            "steps": [step.plan for step in steps],
        }
        seen = carried_out(args, check, client, plan)
        if seen is None:
            continue
        version = seen["version"]
        judge_connection(check, client, server, seen)
        check.equal("steps taken", len(seen["steps"]), len(steps))
        for step, came in zip(steps, seen["steps"]):
            try:
                step.expect(Outcome(check, told(step.plan), came, client))
            except (LookupError, TypeError, ValueError) as error:
                check.holds(f"{told(step.plan)}: has the expected form ({error!r})", False, came)
        check.equal("questions put", questions(seen), sorted(visit.asked))
    return check, version, connections


def told(plan):
    what = plan.get("name") or plan.get("uri") or ""
    return f"{plan['do']} {what} {json.dumps(plan.get('arguments', ''))}"


def questions(seen):
    """The questions of the server: forms with their fields, texts with their maximum length."""
    return sorted(
        (q["kind"], q["message"], tuple(sorted(q["fields"])) if "fields" in q else q["maxTokens"])
        for q in seen["asked"]
    )


def carried_out(args, check, client, plan):
    """The report of the client, or None if it wrote none."""
    python = args.tools / "python-newest/bin/python"
    folder = args.tools / "typescript"
    command = all_clients.command(client, args.tools.resolve(), python.resolve())
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            input=json.dumps(plan),
            capture_output=True,
            text=True,
            timeout=CLIENT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        check.holds(f"ends within {CLIENT_SECONDS} s", False)
        return None
    check.holds("ends well and in silence", done.returncode == 0 and not done.stderr, done.stderr)
    try:
        return json.loads(done.stdout)
    except ValueError:
        check.holds("reports", False, f"status {done.returncode}: {done.stdout}")
        return None


def judge_connection(check, client, server, seen):
    check.equal("version negotiated", seen["protocolVersion"], client.protocol)
    check.equal("server's name", (seen["server"] or {}).get("name"), server.NAME)
    check.equal("server's version", (seen["server"] or {}).get("version"), server.VERSION)
    check.equal("capabilities", sorted(seen["capabilities"]), server.CAPABILITIES[client.era])


def ask(method, params=None):
    """A plain request without any client: the result, or nothing if the server does not know it."""
    session = {}
    if os.environ.get("LEGACY_HANDSHAKE") == "required":
        info = {"name": "ask", "version": "1"}
        version = all_clients.LATEST_LEGACY
        handshake = {"protocolVersion": version, "clientInfo": info, "capabilities": {}}
        headers, _ = post("initialize", handshake, {})
        session = {"Mcp-Session-Id": headers["Mcp-Session-Id"]}
    return post(method, params or {}, session)[1]


def post(method, params, headers):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    headers = {"Content-Type": "application/json", "Accept": "application/json", **headers}
    request = urllib.request.Request(os.environ["MCP_URL"], body, headers)
    with urllib.request.urlopen(request, timeout=CLIENT_SECONDS) as response:
        return response.headers, json.load(response).get("result", {})


if __name__ == "__main__":
    sys.exit(main())
