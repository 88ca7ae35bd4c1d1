"""The commands of infra/runbook.md, as they stand, in a shell that calls the emulated account."""

import os
import re
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

from account import ROOT

COMMAND_DEADLINE_S = 120
# A block of commands, also one that is indented as part of a list.
BLOCK = re.compile(r"^( *)```sh\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
# The runbook builds the program with cargo. Here it is built already.
CARGO = """#!/bin/sh
while [ "$1" != -- ]; do shift; done
shift
exec "$PROGRAM" "$@"
"""


@dataclass
class Command:
    """One block of commands below a heading, and the names that they use."""

    section: str
    text: str
    names: str

    def run(self, project, **examples):
        """Runs the block. `examples` replace the values of its examples, such as `VERSION=7`."""
        text = self.text
        for name, value in examples.items():
            text, count = re.subn(rf"^{name}=.*$", f"{name}={value}", text, flags=re.MULTILINE)
            assert count == 1, f"{name} is not set in: {text}"
        tools = project.folder / "tools"
        tools.mkdir(exist_ok=True)
        (tools / "cargo").write_text(CARGO, encoding="utf-8")
        (tools / "cargo").chmod(0o755)
        return subprocess.run(
            ["bash", "-euo", "pipefail", "-c", f"{self.names}\n{text}"], cwd=ROOT, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=COMMAND_DEADLINE_S,
            env={
                "PATH": os.pathsep.join([str(tools), str(Path(sys.executable).parent), os.environ["PATH"]]),
                "HOME": str(project.folder), "AWS_PAGER": "", "PROGRAM": str(project.folder / "bootstrap"),
                **project.emulation,
            },
        )


def commands():
    """Every block of the runbook but the first, which defines the names that the others use."""
    text = (ROOT / "infra/runbook.md").read_text(encoding="utf-8")
    names, *rest = [
        Command(section=text[: found.start()].rpartition("\n## ")[2].partition("\n")[0],
                text=textwrap.dedent(found[2]), names="")
        for found in BLOCK.finditer(text)
    ]
    return [Command(command.section, command.text, names.text) for command in rest]
