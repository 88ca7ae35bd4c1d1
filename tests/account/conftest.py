import os
import signal
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "gateway"))

from account import ROOT, Account, Project
from deployed import Deployed

# Each file continues with the stack that the one before leaves.
ORDER = ("test_create", "test_update", "test_secrets", "test_content", "test_optional_stacks", "test_runbook",
         "test_delete", "test_function_url")
LIMIT_S = 1200


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: ORDER.index(item.module.__name__))


def pytest_sessionstart():
    """The whole run ends in bounded time."""
    signal.signal(signal.SIGALRM, lambda *_: pytest.exit(f"the tests took over {LIMIT_S} s", returncode=1))
    signal.alarm(LIMIT_S)


@pytest.fixture(scope="session")
def account(tmp_path_factory):
    made = Account(tmp_path_factory.mktemp("account"))
    yield made
    made.stop()


@pytest.fixture(scope="session")
def project(account, tmp_path_factory):
    binary = os.environ.get("PORTFOLIO_BIN", str(ROOT / "target/debug/portfolio"))
    return Project(tmp_path_factory.mktemp("project"), account, binary)


@pytest.fixture(scope="session")
def deployed(account, project):
    """The stack, deployed from a release file by `make deploy` with the answers to its three questions."""
    project.run("infra/tools/release.py", "use", str(project.release))
    answers = {"STACK": "portfolio", "REGION": "us-east-1", "ALARM_EMAIL": "owner@example.com"}
    refused = project.deploy("--prebuilt", check=False, **answers)
    assert "is for x86_64, and Architecture is arm64" in refused.stdout, refused.stdout
    project.set(Architecture="x86_64")
    return Deployed(account, project.deploy("--prebuilt").stdout)
