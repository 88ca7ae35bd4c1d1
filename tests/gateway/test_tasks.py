"""The worker of durable tasks (infra/tasks.yaml), and what the main stack needs for it."""

import json
import re
import sys

import pytest
from expand import RefusedParameter, Stack, source
from rust import ROOT

sys.path.insert(0, str(ROOT / "infra/tools"))

import cost

ARN = "arn:aws:lambda:us-east-1:123456789012:function:portfolio-tasks-Worker-1:live"
CONTACT = {
    "ContactProvider": "resend",
    "ContactTo": "owner@example.com",
    "ContactFrom": "portfolio@example.com",
    "ContactAuth": "none",
}
WORKER = {name: CONTACT[name] for name in ("ContactProvider", "ContactTo", "ContactFrom")}
FILE = "infra/tasks.yaml"


def properties(stack, name):
    return stack.resources[name]["Properties"]


def statements(stack, role):
    (policy,) = properties(stack, role)["Policies"]
    return policy["PolicyDocument"]["Statement"]


def actions(stack, role):
    found = {}
    for statement in statements(stack, role):
        named = statement["Action"]
        for action in [named] if isinstance(named, str) else named:
            found[action] = json.dumps(statement["Resource"])
    return found


def names(stack):
    """The names of the resources. That of a deployment contains the time (`AlwaysDeploy`)."""
    found = stack.resources.items()
    return {name for name, resource in found if resource["Type"] != "AWS::ApiGateway::Deployment"}


def test_without_a_worker_nothing_is_added():
    off, on = Stack(**CONTACT), Stack(**CONTACT, TaskFunction=ARN)
    assert names(off) == names(on)
    assert not any(action.startswith("lambda:") for action in actions(off, "McpFunctionRole"))
    variables = properties(off, "McpFunction")["Environment"]["Variables"]
    assert "TASK_FUNCTION" not in variables and "REQUEST_STATE_TABLE" not in variables


def test_the_function_may_start_the_alias_and_read_and_stop_its_executions():
    on = Stack(**CONTACT, TaskFunction=ARN)
    variables = properties(on, "McpFunction")["Environment"]["Variables"]
    assert variables["TASK_FUNCTION"] == ARN
    assert variables["REQUEST_STATE_TABLE"] == "ref-LimitsTable"
    allowed = {name: where for name, where in actions(on, "McpFunctionRole").items() if name.startswith("lambda:")}
    assert set(allowed) == {"lambda:InvokeFunction", "lambda:GetDurableExecution", "lambda:StopDurableExecution"}
    assert json.loads(allowed["lambda:InvokeFunction"]) == ARN
    for action in ("lambda:GetDurableExecution", "lambda:StopDurableExecution"):
        assert json.loads(allowed[action]).endswith(":function:portfolio-tasks-Worker-1:*")


def test_a_worker_without_contact_is_refused():
    with pytest.raises(RefusedParameter, match="only with ContactProvider"):
        Stack(TaskFunction=ARN)


def test_the_worker_is_durable_and_its_versions_stay():
    made = source(FILE)["Resources"]["Worker"]
    assert made["UpdateReplacePolicy"] == "Retain"
    assert made["Properties"]["AutoPublishAlias"] == "live"
    durable = made["Properties"]["DurableConfig"]
    # The library keeps ids for a day, and a message is tried for hours.
    assert durable["ExecutionTimeout"] == 86400
    assert Stack(FILE, **WORKER).of_type("AWS::Lambda::Version")
    assert made["Metadata"]["BuildProperties"]["Binary"] == "portfolio-worker"
    assert (ROOT / "worker/portfolio/src/main.rs").is_file()


def test_the_worker_gets_what_it_needs_to_send_and_nothing_else():
    resend = actions(Stack(FILE, **WORKER), "WorkerRole")
    own = {"logs:CreateLogStream", "logs:PutLogEvents", "lambda:CheckpointDurableExecution",
           "lambda:GetDurableExecutionState"}
    assert set(resend) == own | {"ssm:GetParameters"}
    assert "/resend-api-key" in resend["ssm:GetParameters"]
    assert "*" not in json.loads(resend["ssm:GetParameters"])
    ses = actions(Stack(FILE, **WORKER | {"ContactProvider": "ses", "SesIdentity": "example.com"}), "WorkerRole")
    assert set(ses) == own | {"ses:SendEmail", "dynamodb:UpdateItem"}
    with pytest.raises(RefusedParameter, match="requires SesIdentity"):
        Stack(FILE, **WORKER | {"ContactProvider": "ses"})


def test_its_variables_are_those_that_the_function_reads():
    written = source(FILE)["Resources"]["Worker"]["Properties"]["Environment"]["Variables"]
    main = source()["Resources"]["McpFunction"]["Properties"]["Environment"]["Variables"]
    assert set(written) <= set(main)
    assert "TASK_FUNCTION" not in written


def test_the_page_of_tasks_has_the_prices_of_the_cost_page():
    page = " ".join((ROOT / "docs/tasks.md").read_text(encoding="utf-8").split())
    million = cost.PRICES["durable_million"]
    assert f"${million:.2f} per million operations" in page
    assert f"${cost.PRICES['durable_gb']} per GB written and ${cost.PRICES['durable_gb_month']} per GB-month" in page
    for words, count in (("has seven:", cost.operations(steps=3, questions=1, reports=1)), ("has two,", cost.operations(steps=1))):
        told = page.split(words)[1]
        assert re.search(r"\*\*\$(\d+) per million", told)[1] == f"{count * million:.0f}"
    assert cost.operations(steps=3, questions=1, reports=1) == 7


@pytest.mark.parametrize("metric", ["DurableExecutionFailed", "DurableExecutionTimedOut"])
def test_an_alarm_reports_tasks_that_do_not_end_well(metric):
    stack = Stack(FILE, **WORKER, AlarmEmail="owner@example.com")
    alarms = [alarm["Properties"] for alarm in stack.of_type("AWS::CloudWatch::Alarm").values()]
    (alarm,) = [alarm for alarm in alarms if alarm["MetricName"] == metric]
    assert alarm["Threshold"] == 1 and alarm["AlarmActions"]
    section = re.search(r'Runbook, "(\w+)"', alarm["AlarmDescription"])[1]
    assert f"\n## {section}" in (ROOT / "infra/runbook.md").read_text(encoding="utf-8")
