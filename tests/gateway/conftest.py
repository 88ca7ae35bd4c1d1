"""What the tests share: the expanded template, the interpreted API, the running function."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from api import Api
from expand import ROOT, Stack
from function import Function
from server import StageServer


@pytest.fixture(scope="session")
def stack():
    return Stack()


@pytest.fixture(scope="session")
def function(stack):
    """The real binary, with the environment that the template gives it."""
    binary = Path(os.environ.get("PORTFOLIO_BIN", ROOT / "target/debug/portfolio"))
    assert binary.is_file(), f"{binary} is missing; `cargo build --bin portfolio` builds it"
    variables = stack.one("AWS::Lambda::Function")["Environment"]["Variables"]
    started = Function(str(binary), variables)
    yield started
    started.stop()


@pytest.fixture(scope="session")
def gateway(stack, function):
    """The stage of the default deployment over HTTP, with the real function behind it."""
    api = Api(stack.definition, stack.stage["StageName"], function.invoke)
    server = StageServer(api)
    yield server
    server.stop()
