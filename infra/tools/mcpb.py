#!/usr/bin/env python3
"""Packs `portfolio stdio` and your content as an MCP bundle (.mcpb) for desktop clients.

    mcpb.py pack --program target/release/portfolio --tool .tools/mcpb --content content --output dist
    mcpb.py check --tool .tools/mcpb FILE

`pack` writes the manifest from what the program itself answers, and validates and packs it with the
official tool. `check` unpacks a bundle with that tool and starts it as its manifest says: name, version and
lists must be the same.

Needs Python 3.9 or newer and Node.js.
"""

import argparse
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

PLATFORMS = {"Linux": "linux", "Darwin": "darwin", "Windows": "win32"}
SECONDS = 60
VERSION = "2025-11-25"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    pack = commands.add_parser("pack")
    pack.add_argument("--program", type=pathlib.Path, required=True, help="the binary of the portfolio")
    pack.add_argument("--content", type=pathlib.Path, required=True, help="the folder of resume.json")
    pack.add_argument("--output", type=pathlib.Path, required=True, help="the folder of the bundle")
    check = commands.add_parser("check")
    check.add_argument("bundle", type=pathlib.Path)
    for command in (pack, check):
        command.add_argument("--tool", type=pathlib.Path, required=True, help="where npm installed mcpb")
    args = parser.parse_args()
    if args.command == "pack":
        return pack_bundle(args)
    return check_bundle(args.tool, args.bundle)


def pack_bundle(args):
    args.output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        bundle = pathlib.Path(folder)
        program = bundle / "server" / args.program.name
        program.parent.mkdir()
        shutil.copy2(args.program, program)
        shutil.copytree(args.content, bundle / "content", ignore=shutil.ignore_patterns(".*"))
        manifest = manifest_of(bundle, program)
        (bundle / "manifest.json").write_text(json.dumps(manifest, ensure_ascii=False, indent=2) + "\n")
        mcpb(args.tool, "validate", bundle / "manifest.json")
        name = f"{manifest['name']}-{platform.system().lower()}-{platform.machine().lower()}.mcpb"
        output = args.output.resolve() / name
        mcpb(args.tool, "pack", bundle, output)
    print(f"{output}: {output.stat().st_size:,} bytes")
    return 0


def manifest_of(bundle, program):
    """The manifest, in the words of the server."""
    entry = program.relative_to(bundle).as_posix()
    here = "${__dirname}"
    config = {"command": f"{here}/{entry}", "args": ["stdio"], "env": {"CONTENT_DIR": f"{here}/content"}}
    told = ask(started(config, bundle))
    info = told["initialize"]["serverInfo"]
    resume = json.loads((bundle / "content/resume.json").read_text(encoding="utf-8"))
    manifest = {
        "manifest_version": "0.3",
        "name": info["name"],
        "display_name": info.get("title", info["name"]),
        "version": info["version"],
        "description": info.get("description", info["name"]),
        "author": {"name": resume["basics"]["name"]},
        "server": {"type": "binary", "entry_point": entry, "mcp_config": config},
        "tools": [
            {"name": tool["name"], "description": tool["description"]} for tool in told["tools/list"]["tools"]
        ],
        "prompts": [prompt_of(prompt) for prompt in told["prompts/list"]["prompts"]],
        "compatibility": {"platforms": [PLATFORMS[platform.system()]]},
    }
    if "websiteUrl" in info:
        manifest["homepage"] = info["websiteUrl"]
    return manifest


def prompt_of(prompt):
    """A prompt as manifests name it. Its text is written by the server, so the bundle has none."""
    arguments = [argument["name"] for argument in prompt.get("arguments", [])]
    return {
        "name": prompt["name"],
        "description": prompt.get("description", prompt["name"]),
        "arguments": arguments,
        "text": " ".join([prompt["name"], *(f"${{arguments.{name}}}" for name in arguments)]),
    }


def check_bundle(tool, path):
    with tempfile.TemporaryDirectory() as folder:
        bundle = pathlib.Path(folder) / "bundle"
        mcpb(tool, "unpack", path.resolve(), bundle)
        manifest = json.loads((bundle / "manifest.json").read_text(encoding="utf-8"))
        mcpb(tool, "validate", bundle / "manifest.json")
        told = ask(started(manifest["server"]["mcp_config"], bundle))
    info = told["initialize"]["serverInfo"]
    compare("name", manifest["name"], info["name"])
    compare("version", manifest["version"], info["version"])
    for kind in ("tools", "prompts"):
        named = [entry["name"] for entry in manifest[kind]]
        compare(kind, named, [entry["name"] for entry in told[f"{kind}/list"][kind]])
    print(f"{path.name}: starts as its manifest says, with {len(manifest['tools'])} tools")
    return 0


def compare(what, manifest, server):
    if manifest != server or not server:
        sys.exit(f"{what}: the manifest says {manifest}, the server {server}")


def started(config, bundle):
    """The command and the environment of a client that installed the bundle there."""
    there = lambda text: text.replace("${__dirname}", str(bundle))
    command = [there(config["command"]), *map(there, config["args"])]
    # The official tool unpacks files without their mode; clients set it for the entry point.
    os.chmod(command[0], 0o755)
    env = {name: there(value) for name, value in config["env"].items()}
    return command, {"PATH": os.environ["PATH"], "LOG_LEVEL": "error", **env}


def ask(start):
    """What a server says about itself: the results by method."""
    command, env = start
    info = {"name": "mcpb.py", "version": "1"}
    handshake = {"protocolVersion": VERSION, "clientInfo": info, "capabilities": {}}
    requests = {"initialize": handshake, "tools/list": {}, "prompts/list": {}}
    lines = "".join(
        json.dumps({"jsonrpc": "2.0", "id": method, "method": method, "params": params}) + "\n"
        for method, params in requests.items()
    )
    done = subprocess.run(
        command, env=env, input=lines, capture_output=True, encoding="utf-8", timeout=SECONDS, check=False
    )
    answers = {answer["id"]: answer for answer in map(json.loads, done.stdout.splitlines())}
    try:
        return {method: answers[method]["result"] for method in requests}
    except KeyError:
        sys.exit(f"{command[0]}: status {done.returncode}\n{done.stderr}{done.stdout}")


def mcpb(tool, *args):
    command = ["node", tool / "node_modules/@anthropic-ai/mcpb/dist/cli/cli.js", *args]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    if done.returncode != 0:
        sys.exit(f"mcpb {args[0]}: {done.stdout}{done.stderr}")


if __name__ == "__main__":
    sys.exit(main())
