#!/usr/bin/env python3
"""Runs the README's `curl` commands against the server at MCP_URL.

It runs each `sh` block that calls `http://127.0.0.1:9000`, with the address of MCP_URL instead.
Comments directly above a block name parts of the expected output:

    <!-- answers: "code":-32602 -->
"""

import os
import re
import subprocess
import sys

ADDRESS = "http://127.0.0.1:9000"
LEAST_BLOCKS = 5
BLOCK = re.compile(r"((?:<!-- answers: [^\n]+ -->\n)*)```sh\n(.*?)```", re.DOTALL)


def main():
    path = sys.argv[1]
    base = os.environ["MCP_URL"].removesuffix("/mcp")
    blocks = [
        (re.findall(r"<!-- answers: (.+) -->", above), script)
        for above, script in BLOCK.findall(open(path, encoding="utf-8").read())
        if "curl" in script and ADDRESS in script
    ]
    faults = [fault for wanted, script in blocks for fault in run(wanted, script, base)]
    if len(blocks) < LEAST_BLOCKS:
        faults.append(f"{len(blocks)} curl blocks; expected at least {LEAST_BLOCKS}")
    for fault in faults:
        print(f"  FAULT  {fault}")
    print(f"{path}: {len(blocks)} curl blocks run, {len(faults)} faults")
    return 1 if faults else 0


def run(wanted, script, base):
    """Runs one block and returns its faults."""
    name = script.strip().splitlines()[0]
    if not wanted:
        return [f"no `answers` comment above `{name}`"]
    command = ["bash", "-euo", "pipefail", "-c", script.replace(ADDRESS, base)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    if done.returncode != 0:
        return [f"`{name}` exited with {done.returncode}: {done.stderr.strip()}"]
    return [
        f"no `{text}` in the output of `{name}`:\n         {done.stdout.strip()[:300]}"
        for text in wanted
        if text not in done.stdout
    ]


if __name__ == "__main__":
    sys.exit(main())
