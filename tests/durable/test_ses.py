"""`contact` as a task with Amazon SES, which has no idempotency keys: each attempt runs at most once.

SES and the table of what was sent are emulated by moto.
"""

import os
import subprocess
import sys

import boto3
import pytest
from conftest import ROOT, Client, portfolio
from contact import arguments, kills_the_worker_once, legacy
from stand_in import Ses
from test_outages import HOUR, age

sys.path.insert(0, str(ROOT / "infra/tools"))
from with_moto import HOST, await_start, free_port  # noqa: E402

MOTO = os.environ.get("MOTO_SERVER", str(ROOT / ".tools/moto/bin/moto_server"))
TABLE = "limits"


@pytest.fixture(scope="module")
def moto():
    port = free_port()
    process = subprocess.Popen(
        [MOTO, "--host", HOST, "--port", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    await_start(process, port)
    yield f"{HOST}:{port}"
    process.terminate()
    process.wait(timeout=10)


@pytest.fixture
def ses(moto):
    ses = Ses(moto)
    table = boto3.client("dynamodb", endpoint_url=f"http://{moto}", region_name="us-west-2",
                         aws_access_key_id="x", aws_secret_access_key="x")
    table.create_table(
        TableName=TABLE, BillingMode="PAY_PER_REQUEST", KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}])
    return ses


@pytest.fixture
def service(hours, ses, moto, tmp_path):
    of_worker = {"RATE_LIMIT_TABLE": TABLE, "AWS_ENDPOINT_URL_DYNAMODB": f"http://{moto}"}
    return portfolio(hours, tmp_path, of_worker, CONTACT_PROVIDER="ses", AWS_ENDPOINT_URL_SESV2=ses.url)


def end(service, brief):
    client = Client(service.url)
    return client.until(client.task("contact", **arguments(brief)), "completed", seconds=120)["result"]


def assert_unknown(result):
    assert result["isError"], result
    assert "It is not known whether the message was sent" in result["content"][0]["text"], result


def test_a_message_is_sent_by_ses(service, ses):
    assert end(service, "by SES")["structuredContent"]["status"] == "sent"
    assert legacy(service, "by SES")["structuredContent"]["status"] == "sent"
    (mail,) = ses.mails()
    assert "by SES" in mail and ses.calls == 1


def test_a_crash_after_ses_took_the_message_does_not_send_it_again(service, ses):
    ses.accepted = kills_the_worker_once(service)
    assert_unknown(end(service, "taken"))
    # An equal call is the same task, and has the same outcome.
    assert legacy(service, "taken")["isError"]
    assert len(ses.mails()) == ses.calls == 1
    assert service.worker.deaths == 1


def test_a_crash_before_ses_took_the_message_does_not_send_it_either(service, ses):
    """From outside the two cannot be told apart, so the outcome is the same."""
    kill = kills_the_worker_once(service)

    def received():
        kill()
        raise ConnectionError("the mail does not arrive")

    ses.received = received
    assert_unknown(end(service, "not taken"))
    assert (ses.mails(), ses.calls) == ([], 1)
    assert service.worker.deaths == 1


def test_an_hour_without_ses_delays_the_message(service, ses):
    """SES refused each attempt, so another one cannot send it twice."""
    ses.is_down = lambda: age(service) < HOUR
    assert end(service, "after an hour")["structuredContent"]["status"] == "sent"
    assert HOUR < age(service) < 1.5 * HOUR
    assert len(ses.mails()) == 1 and ses.calls > 12
