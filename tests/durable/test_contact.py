"""The shipped function, with `contact` as a task of its worker."""

import json
import signal
import time
import urllib.request

import pytest
from conftest import DEBUG, WORKERS, Client, eventually
from stand_in import Resend


@pytest.fixture
def resend():
    return Resend()


@pytest.fixture
def service(emulator, resend, tmp_path):
    log = open(tmp_path / "functions.log", "ab")  # noqa: SIM115
    environment = {
        "CONTACT_PROVIDER": "resend", "CONTACT_AUTH": "none", "CONTACT_TO": "owner@example.com",
        "CONTACT_FROM": "portfolio@example.com", "RESEND_API_KEY": "re_test", "RESEND_BASE_URL": resend.url,
        "RATE_LIMITS": "contact=1000/1h", "REQUEST_STATE_KEY": "a secret for tests, not for a service",
        # A table of the limits is not part of this test.
        "LAMBDA_TASK_ROOT": "",
    }
    emulator.functions(WORKERS / "portfolio-worker", DEBUG / "portfolio", environment, log)
    yield emulator
    emulator.stop()


def arguments(brief):
    return {"brief": brief, "contact": "ada@example.org"}


def delivered(resend, brief):
    return [mail for mail in resend.delivered.values() if brief in mail["text"]]


def legacy(service, brief):
    """A call in the last revision with a handshake."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
               "params": {"name": "contact", "arguments": arguments(brief)}}
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
               "MCP-Protocol-Version": "2025-11-25"}
    request = urllib.request.Request(f"{service.url}/mcp", json.dumps(message).encode(), headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)["result"]


def test_every_client_gets_the_outcome_and_one_message_is_sent(service, resend):
    with_tasks, without = Client(service.url), Client(service.url, capabilities={})
    task = with_tasks.task("contact", **arguments("hello"))
    result = with_tasks.until(task, "completed")["result"]
    assert result["structuredContent"]["status"] == "sent", result
    # The same call again, by clients that cannot poll.
    for answer in (without.call("contact", **arguments("hello")), legacy(service, "hello")):
        assert answer["structuredContent"] == result["structuredContent"], answer
    (key,) = resend.delivered
    name, step = key.removeprefix("contact/").split("/")
    assert (len(name), step) == (40, "send"), key
    assert resend.calls == 1
    # Another message is another mail.
    assert legacy(service, "another")["structuredContent"]["status"] == "sent"
    assert len(resend.delivered) == 2


def test_a_mail_service_that_is_down_delivers_once_when_it_is_back(service, resend):
    resend.is_down = True
    started = time.monotonic()
    answers = [legacy(service, "later") for _ in range(2)]
    assert time.monotonic() - started < 6
    for answer in answers:
        assert answer["structuredContent"]["status"] == "accepted", answer
        assert "isError" not in answer
    assert not resend.delivered
    resend.is_down = False
    eventually(lambda: delivered(resend, "later"))
    assert len(resend.delivered) == 1


def test_a_crash_after_the_delivery_delivers_once(service, resend):
    killed = []

    def kill():
        if not killed:
            killed.append(True)
            for instance in list(service.worker.all):
                instance.process.send_signal(signal.SIGKILL)

    resend.accepted = kill
    client = Client(service.url)
    done = client.until(client.task("contact", **arguments("crash")), "completed")
    assert done["result"]["structuredContent"]["status"] == "sent"
    assert (resend.calls, len(resend.delivered)) == (2, 1)
