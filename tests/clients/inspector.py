"""The command line of the MCP Inspector as a client. It runs once for each step of the plan.

The only argument is the path of Node.js. README.md describes the plan and the report.
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

PACKAGE = pathlib.Path("node_modules/@modelcontextprotocol/inspector")
METHODS = {
    "connect": "initialize",
    "tools": "tools/list",
    "resources": "resources/list",
    "templates": "resources/templates/list",
    "prompts": "prompts/list",
    "call": "tools/call",
    "read": "resources/read",
    "prompt": "prompts/get",
}
STEP_SECONDS = 60
AT_ONCE = 2


def main():
    node, plan = sys.argv[1], json.load(sys.stdin)
    connected = run(node, plan, {"do": "connect"})["result"]
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as runs:
        steps = list(runs.map(lambda step: run(node, plan, step), plan["steps"]))
    report = {
        "version": json.loads((PACKAGE / "package.json").read_text())["version"],
        "protocolVersion": connected["protocolVersion"],
        "server": connected["serverInfo"],
        "capabilities": connected["capabilities"],
        "instructions": connected.get("instructions"),
        "asked": [],
        "steps": steps,
    }
    print(json.dumps(report))


def run(node, plan, step):
    command = [node, PACKAGE / "clients/launcher/build/index.js", "--cli"]
    command += ["--server-url", plan["url"], "--transport", "http", "--format", "json"]
    command += ["--protocol-era", plan["era"], "--method", METHODS[step["do"]], *options(step)]
    # The Inspector stores data about servers in its home directory.
    environment = {**os.environ, "HOME": os.path.realpath("inspector-home")}
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=STEP_SECONDS, check=False
    )
    try:
        printed = json.loads(done.stdout) if done.stdout.strip() else {}
        if "result" in printed:
            findings = printed.get("schemaFindings", [])
            return {"result": printed["result"], "findings": findings, "status": done.returncode}
        return {"error": json.loads(done.stderr.strip().splitlines()[-1])["error"]}
    except (ValueError, LookupError):
        sys.exit(f"inspector: {step}: status {done.returncode}\n{done.stdout}{done.stderr}")


def options(step):
    if step["do"] == "tools":
        # Also checks whether the schemas are portable.
        return ["--strict"]
    if step["do"] == "call":
        return ["--tool-name", step["name"], "--tool-args-json", json.dumps(step["arguments"])]
    if step["do"] == "read":
        return ["--uri", step["uri"]]
    if step["do"] == "prompt":
        pairs = [f"{name}={value}" for name, value in step.get("arguments", {}).items()]
        return ["--prompt-name", step["name"], *(["--prompt-args", *pairs] if pairs else [])]
    return []


if __name__ == "__main__":
    main()
