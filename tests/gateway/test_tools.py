"""The scripts and examples around the deployment, run where they can be run without AWS."""

import shutil
import subprocess
import sys

import pytest
from expand import ROOT


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


def test_the_cost_page_agrees_with_its_prices():
    done = run(sys.executable, "infra/tools/cost.py", "--check")
    assert done.returncode == 0, done.stderr


def test_a_page_that_differs_from_the_prices_is_reported(tmp_path):
    for name in ("infra/tools/cost.py", "docs/cost.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    page = tmp_path / "docs/cost.md"
    page.write_text(page.read_text(encoding="utf-8").replace("| 3.50 |", "| 3.49 |"), encoding="utf-8")
    done = run(sys.executable, str(tmp_path / "infra/tools/cost.py"), "--check")
    assert done.returncode == 1
    assert "differs from the prices" in done.stderr
