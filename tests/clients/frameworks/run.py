#!/usr/bin/env python3
"""Runs agent frameworks and proxies against the portfolio, and checks what each of them received.

    run.py --tools .tools/clients --cargo-lambda PATH [--only NAME …]

Each program of this folder lists the tools, calls one, makes a call that is refused, reads a resource
and gets a prompt, all by its framework's own functions. ../README.md describes the plan and the report.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import clients  # noqa: E402
import server_log  # noqa: E402
from servers import Check, portfolio  # noqa: E402

PROGRAM_SECONDS = 120
# The environment of each program, in the folder of tools, and the program.
PROGRAMS = {
    "mcp-remote": ("node", "mcp_remote.mjs"),
    "ai-sdk": ("node", "ai_sdk.mjs"),
    "langchain": ("langchain", "langchain_client.py"),
    "fastmcp": ("frameworks", "fastmcp_client.py"),
    "llama-index": ("frameworks", "llama_index_client.py"),
    "pydantic-ai": ("frameworks", "pydantic_ai_client.py"),
    "openai-agents": ("frameworks", "openai_agents_client.py"),
}
PLAN = {
    "call": {"name": "get_resume", "arguments": {"section": "basics"}},
    "refused": {"name": "get_resume", "arguments": {"section": "no such section"}},
    "resource": "resume://markdown",
    "prompt": {"name": "assess_fit", "arguments": {"role": "Rust engineer"}},
}


def main():
    parser = argparse.ArgumentParser(description="Run agent frameworks against the portfolio.")
    parser.add_argument("--tools", type=pathlib.Path, required=True, help="where they are installed")
    parser.add_argument("--cargo-lambda", help="path of cargo-lambda")
    parser.add_argument("--only", nargs="*", choices=PROGRAMS, default=list(PROGRAMS))
    args = parser.parse_args()
    if "MCP_URL" not in os.environ:
        return subprocess.run(serving(args), check=False).returncode
    log = server_log.ServerLog(log_of(args))
    failed = sum(not run_one(args, name, log) for name in args.only)
    print(f"{len(args.only) - failed} passed, {failed} failed")
    return 1 if failed else 0


def serving(args):
    """Serves the portfolio and runs this script again with its URL."""
    log_of(args).parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "infra/tools/serve.py", "--cargo-lambda", args.cargo_lambda]
    command += ["--prebuilt", "--port", "0", "--logs", log_of(args), *portfolio.TARGET, "--"]
    return [*command, sys.executable, __file__, "--tools", args.tools, "--only", *args.only]


def log_of(args):
    return args.tools / "results/frameworks.log"


def run_one(args, name, log):
    """Runs one program and prints what it received; whether all of it is right."""
    check, began = Check(), time.monotonic()
    log.news()
    report = carried_out(args, check, name)
    if report is not None:
        judge(check, report)
    judge_log(check, log.news())
    mark = "FAILS " if check.faults else "passes"
    seconds = time.monotonic() - began
    version = (report or {}).get("version", "?")
    print(f"  {mark} {name} {version}: {check.passed} checks, {seconds:.1f} s", flush=True)
    for fault in check.faults:
        print(f"         {fault}")
    return not check.faults


def carried_out(args, check, name):
    """The program's report; nothing if it did not write one."""
    environment, program = PROGRAMS[name]
    tools = args.tools.resolve()
    node = clients.node(tools / "typescript")
    interpreter = node if environment == "node" else tools / f"python-{environment}/bin/python"
    try:
        done = subprocess.run(
            [interpreter, HERE / program],
            cwd=tools / "typescript",
            input=json.dumps({"url": os.environ["MCP_URL"], **PLAN}),
            capture_output=True,
            text=True,
            timeout=PROGRAM_SECONDS,
            check=False,
        )
        return json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        check.holds(f"ends within {PROGRAM_SECONDS} s", False)
    except ValueError:
        check.holds("reports", False, f"status {done.returncode}: {done.stderr.strip()[-600:]}")
    return None


def judge(check, report):
    person = portfolio.RESUME["basics"]["name"]
    missing = [name for name in portfolio.TOOLS if name not in report["tools"]]
    check.equal("tools that are missing", missing, [])
    check.holds("the tool's result names the person", person in report["called"], report["called"])
    check.holds("the refusal names the argument", "section" in report["refused"], report["refused"])
    check.holds("the resource names the person", person in report["resource"], report["resource"])
    check.holds("the prompt contains the résumé", person in report["prompt"], report["prompt"])
    role = PLAN["prompt"]["arguments"]["role"]
    check.holds("the prompt contains its argument", role in report["prompt"], report["prompt"])


def judge_log(check, requests):
    """Every POST is served. Streams (GET) and the search for a sign-in are refused."""
    posts = [line for line in requests if line["http_method"] == "POST"]
    others = [line for line in requests if line["http_method"] != "POST"]
    check.holds("the server received its requests", posts)
    check.equal("refused requests", [line for line in posts if line["status"] >= 400], [])
    check.equal("other requests", [o for o in others if o["status"] not in (404, 405)], [])


if __name__ == "__main__":
    sys.exit(main())
