"""A package made from `templates/starter` by the real command builds, passes its test, and serves.

`make test-starter` runs it with the Python of the AWS SAM CLI.
"""

import http.client
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/gateway"))

from api import Api
from expand import Stack
from function import Function
from server import StageServer

NAME = "word-counter"
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
BUILD = {
    **os.environ,
    "PATH": f"{ROOT / '.tools/cargo-lambda/bin'}{os.pathsep}{os.environ['PATH']}",
    "CARGO_TARGET_DIR": str(TARGET),
    # As in this workspace, so that Cargo compiles most dependencies once.
    "CARGO_PROFILE_DEV_DEBUG": os.environ.get("CARGO_PROFILE_DEV_DEBUG", "line-tables-only"),
}
METHOD_NOT_ALLOWED = {
    "jsonrpc": "2.0",
    "error": {"code": -32000, "message": "Method not allowed."},
    "id": None,
}
VERSION = "2026-07-28"


def run(*command, cwd):
    return subprocess.run(command, cwd=cwd, env=BUILD, check=True, timeout=1200)


def documented():
    """The commands of README.md, without what is said beside them."""
    section = (ROOT / "README.md").read_text(encoding="utf-8").split("\n## Your own server\n")[1]
    block = section.split("```text\n")[1].split("```")[0]
    return [shlex.split(re.split(r"\s{2,}", line)[0]) for line in block.splitlines()]


@pytest.fixture(scope="session")
def package(tmp_path_factory):
    """A package that the commands of README.md make, with the dependencies in the versions of this repository."""
    folder = tmp_path_factory.mktemp("starter")
    for command in documented():
        match command:
            case ["git", "clone", url]:
                (folder / url.rsplit("/", 1)[1]).symlink_to(ROOT)
            case ["cd", name]:
                folder = folder / name
                shutil.copy(ROOT / "Cargo.lock", folder)
            case ["make", _]:
                pass
            case _:
                run(*command, cwd=folder)
    assert folder.name == NAME
    return folder


@pytest.fixture(scope="session")
def binary(package):
    run("cargo", "build", cwd=package)
    return TARGET / "debug" / NAME


@pytest.fixture(scope="session")
def function(binary):
    function = Function(str(binary), {})
    yield function
    function.stop()


@pytest.fixture(scope="session")
def gateway(package, function):
    stack = Stack(str(package / "template.yaml"))
    server = StageServer(Api(stack.definition, stack.stage["StageName"], function.invoke))
    yield server
    server.stop()


def call(gateway, verb, headers=None, message=None):
    """One request. The body is read to its end within a deadline."""
    connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=10)
    try:
        body = json.dumps(message) if message else None
        connection.request(verb, "/prod/mcp", body=body, headers=headers or {})
        response = connection.getresponse()
        return response, json.loads(response.read() or "null")
    finally:
        connection.close()


def count_words(**params):
    params = {"name": "count_words", "arguments": {"text": "one two three"}, **params}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


def test_its_own_test_passes(package):
    assert ["make", "test"] in documented()
    run("make", "test", cwd=package)


def test_it_is_formatted(package):
    run("cargo", "fmt", "--check", cwd=package)


def test_nothing_of_the_template_is_left_in_it(package):
    files = [path for path in package.rglob("*") if path.is_file()]
    assert {path.name for path in files} >= {"Cargo.toml", "Makefile", "main.rs", "template.yaml"}
    assert not (package / "CargoLambda.toml").exists()
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert "{{" not in text.replace("{{}}", ""), path
    targets = (package / "Makefile").read_text(encoding="utf-8")
    for target in ("run", "test", "build", "deploy"):
        assert f"\n{target}:" in targets, target


def test_cfn_lint_accepts_its_template(package):
    run(ROOT / ".tools/sam/bin/cfn-lint", "template.yaml", cwd=package)


def test_a_client_without_a_version_is_served(gateway):
    response, body = call(gateway, "POST", {"Content-Type": "application/json"}, count_words())
    assert response.status == 200, body
    assert json.loads(body["result"]["content"][0]["text"]) == {"words": 3}


def test_a_client_of_the_stateless_version_is_served(gateway):
    headers = {
        "Content-Type": "application/json",
        "MCP-Protocol-Version": VERSION,
        "Mcp-Method": "tools/call",
        "Mcp-Name": "count_words",
    }
    meta = {
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    response, body = call(gateway, "POST", headers, count_words(_meta=meta))
    assert response.status == 200, body
    assert body["result"]["structuredContent"] == {"words": 3}
    assert body["result"]["resultType"] == "complete"


def test_a_web_page_may_ask_before_it_sends(gateway):
    headers = {"Origin": "http://localhost:8080", "Access-Control-Request-Method": "POST"}
    response, _ = call(gateway, "OPTIONS", headers)
    assert response.status == 204
    assert response.getheader("Access-Control-Allow-Origin")


@pytest.mark.parametrize("content_type", [None, "application/json", "text/html"])
def test_a_get_is_405_and_invokes_nothing(gateway, function, content_type):
    before = function.invocations
    headers = {"Accept": "text/event-stream"}
    if content_type:
        headers["Content-Type"] = content_type
    response, body = call(gateway, "GET", headers)
    assert (response.status, body) == (405, METHOD_NOT_ALLOWED)
    assert response.getheader("Allow") == "POST, OPTIONS"
    assert function.invocations == before
