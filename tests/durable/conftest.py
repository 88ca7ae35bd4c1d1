"""Starts the emulator, the service in front of it, and the two functions of the workspace."""

import contextlib
import itertools
import json
import os
import pathlib
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))

from messages import check_answer, check_request  # noqa: E402
from stand_in import Lambda, Provider  # noqa: E402

VERSION = "2026-07-28"
ROOT = HERE.parent.parent
DEBUG = pathlib.Path(os.environ.get("DEBUG_DIR", ROOT / "target/debug"))
WORKERS = pathlib.Path(os.environ.get("WORKER_DIR", ROOT / "target/worker/debug"))
# The worker of the shipped function, which `make test-tasks-build` builds as `make tasks` does.
PORTFOLIO_WORKER = pathlib.Path(os.environ.get("PORTFOLIO_WORKER", WORKERS / "portfolio-worker"))
EMULATOR = os.environ.get("DURABLE_PYTHON", str(ROOT / ".tools/durable/bin/python"))
EVERYTHING = {"elicitation": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}}
ENDED = ("completed", "failed", "cancelled")


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def eventually(check, seconds=60, pause_s=0.05):
    """Returns what `check` returns once it is true; fails after some seconds."""
    end = time.monotonic() + seconds
    while not (found := check()):
        assert time.monotonic() < end, f"not within {seconds} s: {check}"
        time.sleep(pause_s)
    return found


class Refused(Exception):
    """The answer is not a result."""

    def __init__(self, status, error):
        super().__init__(f"{status}: {error}")
        self.status = status
        self.error = error


class Client:
    """A client of revision 2026-07-28."""

    ids = itertools.count(1)

    def __init__(self, url, capabilities=None):
        self.url = f"{url}/mcp"
        self.capabilities = EVERYTHING if capabilities is None else capabilities

    def send(self, method, params, name):
        meta = {
            "io.modelcontextprotocol/protocolVersion": VERSION,
            "io.modelcontextprotocol/clientCapabilities": self.capabilities,
        }
        message = {"jsonrpc": "2.0", "id": next(self.ids), "method": method,
                   "params": {**params, "_meta": meta}}
        check_request(message)
        headers = {
            "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": VERSION, "Mcp-Method": method, "Mcp-Name": name,
        }
        request = urllib.request.Request(self.url, json.dumps(message).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                status, body = answer.status, answer.read()
        except urllib.error.HTTPError as error:
            status, body = error.code, error.read()
        answer = json.loads(body)
        # What API Gateway says of a function that was killed is not an answer of the server.
        if "jsonrpc" in answer:
            check_answer(message, answer)
        if "result" not in answer:
            raise Refused(status, answer.get("error", answer))
        return answer["result"]

    def call(self, tool, **arguments):
        return self.send("tools/call", {"name": tool, "arguments": arguments}, tool)

    def task(self, tool, **arguments):
        created = self.call(tool, **arguments)
        assert created["resultType"] == "task", created
        return created["taskId"]

    def get(self, task):
        return self.send("tasks/get", {"taskId": task}, task)

    def update(self, task, answers):
        return self.send("tasks/update", {"taskId": task, "inputResponses": answers}, task)

    def cancel(self, task):
        return self.send("tasks/cancel", {"taskId": task}, task)

    def until(self, task, *statuses, seconds=60):
        """Polls until the task has one of these statuses."""
        def reached():
            view = self.get(task)
            assert view["status"] in statuses or view["status"] not in ENDED, view
            return view if view["status"] in statuses else None
        return eventually(reached, seconds, 0.1)


@contextlib.contextmanager
def emulated(folder, *options):
    """The service in front of an emulator that was started with these options."""
    port = free_port()
    service = Lambda(port)
    log = open(folder / "log", "w")  # noqa: SIM115
    environment = {**os.environ, "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x",
                   "AWS_DEFAULT_REGION": "us-west-2"}
    process = subprocess.Popen(
        [EMULATOR, HERE / "emulator.py", "start-server", "--host", "127.0.0.1", "--port", str(port),
         "--lambda-endpoint", service.url, "--local-runner-endpoint", f"http://127.0.0.1:{port}",
         "--invocation-timeout", "60", "--log-level", "INFO", *options],
        env=environment, stdout=log, stderr=log)

    def is_up():
        assert process.poll() is None, pathlib.Path(log.name).read_text()
        try:
            return urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5)
        except OSError:
            return None

    eventually(is_up)
    yield service
    process.terminate()
    process.wait(timeout=10)


@pytest.fixture(scope="session")
def emulator(tmp_path_factory):
    """An emulator whose waits take their time."""
    with emulated(tmp_path_factory.mktemp("emulator")) as service:
        yield service


@pytest.fixture
def hours(tmp_path_factory):
    """An emulator whose clock jumps over waits: hours pass within seconds."""
    with emulated(tmp_path_factory.mktemp("hours"), "--skip-time") as service:
        yield service
        service.stop()


@pytest.fixture(scope="session")
def provider():
    return Provider()


def running(service, program, environment, folder):
    log = open(folder / "functions.log", "ab")  # noqa: SIM115
    service.functions(WORKERS / "examples" / program, DEBUG / "examples" / program, environment, log)
    return service


def portfolio(service, folder, worker=None, **environment):
    """The shipped function and its worker, with `contact` as a task. `worker` is set for the worker alone."""
    log = open(folder / "functions.log", "ab")  # noqa: SIM115
    common = {
        "CONTACT_AUTH": "none", "CONTACT_TO": "owner@example.com", "CONTACT_FROM": "portfolio@example.com",
        "RATE_LIMITS": "contact=1000/1h", "REQUEST_STATE_KEY": "a secret for tests, not for a service",
        # A table of the limits is not part of these tests.
        "LAMBDA_TASK_ROOT": "", **environment,
    }
    service.functions(PORTFOLIO_WORKER, DEBUG / "portfolio", common, log, worker)
    return service


@pytest.fixture
def service(emulator, provider, tmp_path):
    """The functions of `tests/fixtures/delivery`."""
    environment = {"PROVIDER": provider.address, "RUST_LOG": "info"}
    yield running(emulator, "delivery", environment, tmp_path)
    emulator.stop()
    emulator.lag_s = 0
    provider.plans = {}
    provider.failures = 0
    provider.reached = lambda task, point: None


@pytest.fixture
def report(emulator, tmp_path):
    """The functions of `examples/report`."""
    secret = {"REQUEST_STATE_KEY": "a secret for tests, not for a service"}
    yield running(emulator, "report", secret, tmp_path)
    emulator.stop()


@pytest.fixture
def conformance(emulator, tmp_path):
    """The functions of the official suite."""
    secret = {"STATE_KEY": "a secret for tests, not for a service"}
    yield running(emulator, "conformance", secret, tmp_path)
    emulator.stop()


@pytest.fixture
def client(service):
    return Client(service.url)
