"""The variant behind a Function URL: deployed from the same release file, and it passes the smoke test."""

import os

import pytest
from account import ROOT, Project
from deployed import Deployed

TEMPLATE = "infra/function-url.yaml"


@pytest.fixture(scope="module")
def said(account, tmp_path_factory):
    binary = os.environ.get("PORTFOLIO_BIN", str(ROOT / "target/debug/portfolio"))
    project = Project(tmp_path_factory.mktemp("project"), account, binary)
    project.run("infra/tools/release.py", "use", str(project.release), "--template", TEMPLATE)
    answers = {"STACK": "portfolio-url", "REGION": "us-east-1", "ALARM_EMAIL": ""}
    project.deploy("--prebuilt", "--template", TEMPLATE, check=False, **answers)
    project.set(Architecture="x86_64")
    return project.deploy("--prebuilt", "--template", TEMPLATE).stdout


def test_the_variant_behind_a_function_url_passes_the_smoke_test(account, said):
    assert "13 passed, 0 failed" in said
    url = Deployed(account).outputs("portfolio-url")["McpEndpoint"]
    assert ".lambda-url." in url
    assert f"The server answers at {url}" in said
