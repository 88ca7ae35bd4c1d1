"""The scripts and examples around the deployment, run where they can be run without AWS."""

import shutil
import subprocess
import sys
import tomllib

import pytest
from expand import ROOT, Stack


def run(*command, **environment):
    return subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False, cwd=ROOT,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", **environment},
    )


def test_smoke_passes_on_the_emulated_stage(gateway):
    done = run(sys.executable, "infra/tools/smoke.py", f"http://127.0.0.1:{gateway.port}/prod/mcp")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("13 passed, 0 failed\n")


def test_smoke_fails_on_what_is_no_endpoint(gateway):
    done = run(sys.executable, "infra/tools/smoke.py", f"http://127.0.0.1:{gateway.port}/prod/nothing")
    assert done.returncode == 1
    assert "FAIL  get is refused and ends: status 404" in done.stdout


@pytest.mark.parametrize("script", [[sys.executable, "infra/tools/smoke.py"], ["infra/tools/load.sh"]])
def test_a_missing_url_is_explained(script):
    done = run(*script, "")
    assert done.returncode == 2
    assert "URL=https://" in done.stderr


@pytest.mark.skipif(not shutil.which("hey"), reason="hey is not installed here")
def test_load_sends_valid_calls(gateway, function):
    before = function.invocations
    url = f"http://127.0.0.1:{gateway.port}/prod/mcp"
    done = run("infra/tools/load.sh", url, REQUESTS="40", CONCURRENCY="2")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "[200]\t40 responses" in done.stdout
    assert function.invocations == before + 41


@pytest.mark.parametrize("name", ["default", "prod"])
def test_the_example_deployments_are_valid(name):
    example = tomllib.loads((ROOT / "infra/samconfig.example.toml").read_text(encoding="utf-8"))
    deploy = example[name]["deploy"]["parameters"]
    assert deploy["capabilities"] == "CAPABILITY_IAM"
    assert example[name]["delete"]["parameters"]["stack_name"] == deploy["stack_name"]
    stack = Stack(**dict(o.split("=", 1) for o in deploy["parameter_overrides"]))
    assert stack.outputs["McpEndpoint"].endswith("/mcp")
    # No role and no policy has a name of its own: CAPABILITY_IAM is enough.
    assert "RoleName" not in stack.one("AWS::IAM::Role")


def test_example_configuration_is_not_committed_as_real():
    assert "samconfig.toml" in (ROOT / ".gitignore").read_text(encoding="utf-8").split()
