"""What the tests share: the expanded template, the interpreted API, the running function."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from api import Api
from deployment import checkout
from expand import ROOT, Stack
from function import Function
from options import EVERY_OPTION
from server import StageServer


@pytest.fixture(scope="session")
def stack():
    return Stack()


@pytest.fixture(scope="session")
def full():
    """A deployment with every option."""
    return Stack(**EVERY_OPTION)


@pytest.fixture(scope="session")
def binary():
    """The function that was built last, or the one that PORTFOLIO_BIN names."""
    path = Path(os.environ.get("PORTFOLIO_BIN", ROOT / "target/debug/portfolio"))
    assert path.is_file(), f"{path} is missing; `make built` builds it"
    return str(path.resolve())


@pytest.fixture(scope="session")
def start(binary):
    """Starts the function with the environment that a deployment gives it."""
    started = []

    def start(stack):
        variables = dict(stack.one("AWS::Lambda::Function")["Environment"]["Variables"])
        # Lambda unpacks the content layer into /opt.
        assert variables["CONTENT_DIR"] == "/opt"
        variables["CONTENT_DIR"] = str(ROOT / "content")
        started.append(Function(binary, variables))
        return started[-1]

    yield start
    for function in started:
        function.stop()


@pytest.fixture(scope="session")
def function(stack, start):
    """The function of a deployment with default parameters."""
    return start(stack)


@pytest.fixture(scope="session")
def gateway(stack, function):
    """The stage of the default deployment over HTTP, with the real function behind it."""
    api = Api(stack.definition, stack.stage["StageName"], function.invoke)
    server = StageServer(api)
    yield server
    server.stop()


@pytest.fixture
def project(tmp_path, gateway):
    """A checkout with a built template, a recording SAM CLI and an AWS on loopback."""
    made = checkout(tmp_path, gateway)
    yield made
    made.aws.server.shutdown()
