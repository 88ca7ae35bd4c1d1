"""The shipped function, with `contact` as a task of its worker."""

"""The shipped function, with `contact` as a task of its worker."""

import time

import pytest
from conftest import Client, eventually, portfolio
from contact import arguments, kills_the_worker_once, legacy
from stand_in import Resend


@pytest.fixture
def resend():
    return Resend()


@pytest.fixture
def service(emulator, resend, tmp_path):
    yield portfolio(emulator, tmp_path, CONTACT_PROVIDER="resend", RESEND_API_KEY="re_test", RESEND_BASE_URL=resend.url)
    emulator.stop()


def delivered(resend, brief):
    return [mail for mail in resend.delivered.values() if brief in mail["text"]]


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
    resend.is_down = lambda: True
    started = time.monotonic()
    answers = [legacy(service, "later") for _ in range(2)]
    assert time.monotonic() - started < 6
    for answer in answers:
        assert answer["structuredContent"]["status"] == "accepted", answer
        assert "isError" not in answer
    assert not resend.delivered
    resend.is_down = lambda: False
    eventually(lambda: delivered(resend, "later"))
    assert len(resend.delivered) == 1


def test_a_crash_after_the_delivery_delivers_once(service, resend):
    resend.accepted = kills_the_worker_once(service)
    client = Client(service.url)
    done = client.until(client.task("contact", **arguments("crash")), "completed")
    assert done["result"]["structuredContent"]["status"] == "sent"
    assert (resend.calls, len(resend.delivered)) == (2, 1)
