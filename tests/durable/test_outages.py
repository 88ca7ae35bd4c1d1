"""A mail service that is down for hours, on an emulator whose clock jumps over the waits."""

import time

import pytest
from conftest import Client, eventually, portfolio
from contact import arguments, kills_the_worker_once, legacy
from stand_in import Resend, history

HOUR = 3600
# The attempts and the time that docs/tasks.md promises.
ATTEMPTS = 40
FIVE_AND_A_HALF_HOURS = 5.5 * HOUR


@pytest.fixture
def resend():
    return Resend()


@pytest.fixture
def service(hours, resend, tmp_path):
    return portfolio(hours, tmp_path, CONTACT_PROVIDER="resend", RESEND_API_KEY="re_test", RESEND_BASE_URL=resend.url)


def events(service):
    """The events of the one execution, and the seconds since its start."""
    executions = [arn for _, arn, _ in list(service.started.values())]
    if not executions:
        return []
    (arn,) = executions
    found = history(service, arn)
    return [(event["EventType"], event["EventTimestamp"] - found[0]["EventTimestamp"]) for event in found]


def age(service):
    """The seconds since the start of the execution at its latest event, by the clock of the emulator."""
    return max((at for _, at in events(service)), default=0)


def attempts(service):
    return len([kind for kind, _ in events(service) if kind in ("StepFailed", "StepSucceeded")])


def test_a_message_is_delivered_once_after_an_hour(service, resend):
    """The last event is older than the call by one pause at most, so the service is down for an hour or a bit longer."""
    resend.is_down = lambda: age(service) < HOUR
    client = Client(service.url)
    began = time.monotonic()
    task = client.task("contact", **arguments("in an hour"))
    # The same message again, while the service is down and by a client that cannot poll.
    legacy(service, "in an hour")
    result = client.until(task, "completed", seconds=120)["result"]
    assert result["structuredContent"]["status"] == "sent", result
    (mail,) = resend.delivered.values()
    assert "in an hour" in mail["text"]
    ((kind, at),) = [event for event in events(service) if event[0] == "StepSucceeded"]
    assert HOUR < at < 1.5 * HOUR, at
    made = attempts(service)
    # 635 s in pauses that double, and the rest in pauses of 600 s.
    assert 12 <= made <= 15, made
    print(f"\n  delivered once after {at:.0f} s and {made} attempts, in {time.monotonic() - began:.1f} s of the test")
    # An equal call, later: still one mail.
    assert legacy(service, "in an hour")["structuredContent"] == result["structuredContent"]
    assert len(resend.delivered) == 1


def test_a_crash_when_the_service_is_back_delivers_once(service, resend):
    resend.is_down = lambda: age(service) < HOUR
    resend.accepted = kills_the_worker_once(service)
    client = Client(service.url)
    task = client.task("contact", **arguments("crash after an hour"))
    result = client.until(task, "completed", seconds=120)["result"]
    assert result["structuredContent"]["status"] == "sent", result
    assert len(resend.delivered) == 1
    assert service.worker.deaths == 1


def test_a_service_that_stays_down_is_given_up_and_the_caller_is_told(service, resend):
    resend.is_down = lambda: True
    client = Client(service.url)
    task = client.task("contact", **arguments("never"))
    result = client.until(task, "completed", seconds=240)["result"]
    text = result["content"][0]["text"]
    assert result["isError"] and "It is not known whether the message was sent" in text, result
    # The key was that of this execution, so an equal call could deliver it again.
    assert "cannot be delivered twice" not in text and "ask the user first" in text, text
    assert not resend.delivered
    assert attempts(service) == ATTEMPTS
    assert abs(age(service) - FIVE_AND_A_HALF_HOURS) < 0.1 * FIVE_AND_A_HALF_HOURS, age(service)
    eventually(lambda: resend.calls >= ATTEMPTS)
