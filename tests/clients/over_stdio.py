#!/usr/bin/env python3
"""Runs the clients of the SDKs against servers that they start themselves, over stdio.

    over_stdio.py --tools .tools/clients --programs target/debug [--server NAME …] [--client NAME …]

The plans, the checks of the reports and the checks of the server's log are those of run.py. In the era
with `initialize` a server can ask its client on such a connection, which it cannot over HTTP.
"""

import argparse
import importlib
import json
import os
import pathlib
import subprocess
import sys
import time

import clients as all_clients
import run
import server_log
from servers import Check

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The server and its program below the folder of programs.
SERVERS = {"portfolio": "portfolio", "travel": "examples/ask_the_user"}


def main():
    parser = argparse.ArgumentParser(description="Runs the clients of the SDKs over stdio.")
    parser.add_argument("--tools", type=pathlib.Path, required=True, help="where the clients are installed")
    parser.add_argument("--programs", type=pathlib.Path, required=True, help="where cargo put the servers")
    parser.add_argument("--server", action="append", choices=SERVERS, help="only this one")
    parser.add_argument("--client", action="append", help="only this one")
    args = parser.parse_args()
    (args.tools / "results").mkdir(parents=True, exist_ok=True)
    faults = passed = 0
    for name in args.server or SERVERS:
        for client in all_clients.OVER_STDIO:
            if not args.client or client.name in args.client:
                failed = try_one(args, name, client)
                faults, passed = faults + failed, passed + (not failed)
    print(f"over stdio: {passed} passed, {faults} failed")
    return 1 if faults or not passed else 0


def try_one(args, name, client):
    server = importlib.import_module(f"servers.{name}")
    program = (args.programs / SERVERS[name]).resolve()
    path = (args.tools / f"results/{name}-stdio.log").resolve()
    path.write_text("")
    log = server_log.ServerLog(path)
    began = time.monotonic()
    visits = server.visits(client, lambda method, params=None: ask(program, method, params))
    command = {"command": "/bin/sh", "args": ["-c", 'exec "$0" stdio 2>>"$1"', str(program), str(path)]}
    check, version, connections = run.try_one(args, server, client, visits, {"server": command})
    server_log.judge(check, client, log.news(), connections)
    mark = "FAILS " if check.faults else "passes"
    print(
        f"  {mark} {server.NAME:9} {client.name} {version} over stdio, {client.era} {client.protocol}: "
        f"{check.passed} checks, {len(check.faults)} failed, {time.monotonic() - began:.1f} s"
    )
    for fault in check.faults:
        print(f"         {fault}")
    sys.stdout.flush()
    return bool(check.faults)


def ask(program, method, params):
    """The result of a request, without any client: two lines to a server that ends after them."""
    info = {"name": "ask", "version": "1"}
    handshake = {"protocolVersion": all_clients.LATEST_LEGACY, "clientInfo": info, "capabilities": {}}
    messages = [("initialize", handshake), (method, params or {})]
    lines = "".join(
        json.dumps({"jsonrpc": "2.0", "id": number, "method": name, "params": given}) + "\n"
        for number, (name, given) in enumerate(messages)
    )
    done = subprocess.run(
        [program, "stdio"], input=lines, capture_output=True, text=True, timeout=run.CLIENT_SECONDS,
        check=True, env={"PATH": os.environ["PATH"], "LOG_LEVEL": "off"},
    )
    return json.loads(done.stdout.splitlines()[1]).get("result", {})


if __name__ == "__main__":
    sys.exit(main())
