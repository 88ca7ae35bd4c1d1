"""The expanded API definition through swagger-parser, as the import of a REST API reads it.

`FailOnWarnings` makes each of its messages a failed deployment. It needs Java, so that it belongs to
`make test-all`.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "gateway"))

from expand import Stack
from test_definition import DISCOVERY

(JAR,) = Path(sys.prefix).glob("lib/python*/site-packages/openapi_generator_cli/*.jar")


def messages(definition, folder):
    """What the parser says of a definition; nothing is right."""
    file = folder / "definition.json"
    file.write_text(json.dumps(definition), encoding="utf-8")
    done = subprocess.run(
        ["java", "-jar", str(JAR), "validate", "-i", str(file)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False,
    )
    lines = [line.strip() for line in done.stdout.splitlines()]
    found = [line.removeprefix("- ") for line in lines if line.startswith("- ")]
    assert found or "No validation issues detected." in lines, done.stdout
    return found


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"PublicUrl": "https://mcp.example.com", "DefaultEndpoint": "disabled"},
        {"ResponseStreaming": "true", "AccessLogs": "true", "Tracing": "Active"},
        DISCOVERY,
    ],
)
def test_the_definition_is_imported_without_a_message(parameters, tmp_path):
    assert messages(Stack(**parameters).definition, tmp_path) == []


def test_the_server_that_sam_adds_would_fail_the_import_by_itself(tmp_path):
    definition = Stack().definition
    (server,) = definition["servers"]
    del server["url"]
    assert messages(definition, tmp_path) == ["attribute .servers.url is missing"]
