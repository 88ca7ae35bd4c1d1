#!/usr/bin/env python3
"""Checks the configurations of clients in README.md.

    check.py --installed .tools/clients/configurations --program target/debug/portfolio

MCP_URL is a server that runs. The entries get its URL and the path of the program in place of those of the
README. Claude Code and Gemini CLI then read them and must be connected with both. VS Code is not in a
registry, but its source is: its entries are validated with the schema in it (vscode.mjs). Of Claude Desktop
and Cursor a registry has neither the client nor a schema: their entries are compared with the form that the
client documents. Of all three, the process is started as they say.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
URL, PROGRAM = "https://mcp.example.com/mcp", "/path/to/portfolio"
SECONDS = 120
TEXTS = [str]

# The members of an entry that starts a process, and of one with a URL: the type, and the allowed values if
# they are few. A `!` says that the member is required.
PROCESS = {"command!": str, "args": TEXTS, "env": dict}
FORMS = {
    # https://modelcontextprotocol.io/docs/develop/connect-local-servers; every entry is a process.
    "claude-desktop": ("mcpServers", PROCESS, PROCESS),
    # https://cursor.com/docs/context/mcp, *STDIO server configuration* and *Remote servers*.
    "cursor": (
        "mcpServers",
        {**PROCESS, "type!": ["stdio"], "envFile": str},
        {"url!": str, "headers": dict, "auth": dict},
    ),
}


def main():
    parser = argparse.ArgumentParser(description="Checks the configurations of clients in README.md.")
    parser.add_argument("--installed", type=pathlib.Path, required=True, help="where npm installed the clients")
    parser.add_argument("--program", type=pathlib.Path, required=True, help="the binary of the portfolio")
    args = parser.parse_args()
    blocks = read((ROOT / "README.md").read_text(encoding="utf-8"))
    checks = {"claude-code": claude_code, "gemini-cli": gemini_cli, "vscode": vscode}
    checks |= dict.fromkeys(FORMS, documented)
    faults = [f"README.md has no configuration of {name}" for name in checks if name not in blocks]
    for name, text in blocks.items():
        local = text.replace(URL, os.environ["MCP_URL"]).replace(PROGRAM, str(args.program.resolve()))
        if local.count(os.environ["MCP_URL"]) != 1 or text.count(PROGRAM) != 1:
            faults.append(f"{name}: needs one entry with {URL} and one with {PROGRAM}")
            continue
        found = list(checks[name](args, name, json.loads(local)))
        faults += [f"{name}: {fault}" for fault in found]
        print(f"  {'FAILS ' if found else 'passes'} {name}")
    for fault in faults:
        print(f"         {fault}")
    return 1 if faults else 0


def read(markdown):
    """The JSON blocks by the name of their client."""
    blocks = re.findall(r"<!-- client: ([\w-]+) -->\n```json\n(.*?)\n```", markdown, re.DOTALL)
    return dict(blocks)


def claude_code(args, _name, configuration):
    """Claude Code reads the file of a project, and is connected with the same servers of its user."""
    claude = next(args.installed.resolve().glob("node_modules/@anthropic-ai/claude-code-*/claude"))
    with tempfile.TemporaryDirectory() as home:
        project = pathlib.Path(home) / "project"
        project.mkdir()
        (project / ".mcp.json").write_text(json.dumps(configuration))
        listed = run(home, project, [claude, "mcp", "list"])
        # A project's servers wait for the user's consent.
        yield from lacks(listed, configuration["mcpServers"], "Pending approval")
        (project / ".mcp.json").unlink()
        for name, entry in configuration["mcpServers"].items():
            run(home, project, [claude, "mcp", "add-json", name, json.dumps(entry), "-s", "user"])
        listed = run(home, project, [claude, "mcp", "list"])
        yield from lacks(listed, configuration["mcpServers"], "- ✔ Connected")


def gemini_cli(args, _name, configuration):
    gemini = args.installed.resolve() / "node_modules/@google/gemini-cli/bundle/gemini.js"
    with tempfile.TemporaryDirectory() as home:
        folder = pathlib.Path(home) / ".gemini"
        folder.mkdir()
        (folder / "settings.json").write_text(json.dumps(configuration))
        project = pathlib.Path(home) / "project"
        project.mkdir()
        listed = run(home, project, ["node", gemini, "mcp", "list"])
        if "Invalid configuration" in listed:
            yield listed
        yield from lacks(listed, configuration["mcpServers"], "- Connected")


def lacks(listed, servers, words):
    """The servers without a line that says so."""
    for name in servers:
        lines = [line for line in listed.splitlines() if re.search(rf"\b{name}: ", line)]
        if not any(words in line for line in lines):
            yield f"`{name}` is not listed as `{words}`:\n{listed}"


def run(home, folder, command):
    env = {"HOME": home, "PATH": os.environ["PATH"], "GEMINI_CLI_TRUST_WORKSPACE": "true", "NO_COLOR": "1"}
    done = subprocess.run(
        command, cwd=folder, env=env, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    return done.stdout + done.stderr


def vscode(args, _name, configuration):
    schema = [str(pathlib.Path(__file__).with_name("vscode.mjs")), str(args.installed.resolve() / "node_modules")]
    done = subprocess.run(
        ["node", *schema], input=json.dumps(configuration), capture_output=True, text=True, timeout=SECONDS,
        check=False,
    )
    if done.returncode != 0:
        yield f"the schema cannot be read: {done.stderr}"
    yield from done.stdout.splitlines()
    yield from starts(configuration["servers"]["portfolio-local"])


def documented(_args, name, configuration):
    member, process, remote = FORMS[name]
    if list(configuration) != [member]:
        yield f"the only member must be `{member}`"
        return
    for entry, form in ((configuration[member]["portfolio"], remote),
                        (configuration[member]["portfolio-local"], process)):
        yield from misfits(entry, form)
    yield from starts(configuration[member]["portfolio-local"])


def starts(entry):
    """Whether the process of an entry answers."""
    ping = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"})
    done = subprocess.run(
        [entry["command"], *entry["args"]], input=ping, capture_output=True, text=True, timeout=SECONDS,
        check=False,
    )
    if json.loads(done.stdout or "{}").get("result") != {}:
        yield f"the process does not answer: {done.stdout}{done.stderr}"


def misfits(entry, form):
    members = {name.rstrip("!"): kind for name, kind in form.items()}
    for name in form:
        if name.endswith("!") and name[:-1] not in entry:
            yield f"{entry} lacks `{name[:-1]}`"
    for name, value in entry.items():
        kind = members.get(name)
        if kind is TEXTS:
            fits = isinstance(value, list) and all(isinstance(text, str) for text in value)
        elif isinstance(kind, list):
            fits = value in kind
        else:
            fits = kind is not None and isinstance(value, kind)
        if not fits:
            yield f"`{name}` of {entry} is not a member of that form"


if __name__ == "__main__":
    sys.exit(main())
