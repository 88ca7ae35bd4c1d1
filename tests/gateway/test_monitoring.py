"""Alarms, the budget, metrics in the log, and the dashboard."""

import json
import re
import sys

from expand import ROOT, Stack, source
from options import EVERY_OPTION
from rust import code

sys.path.insert(0, str(ROOT / "infra/tools"))

import cost


def test_the_budget_warns_the_owner(stack, full):
    budget = full.one("AWS::Budgets::Budget")
    assert budget["Budget"]["BudgetLimit"] == {"Amount": "5", "Unit": "USD"}
    (warning,) = budget["NotificationsWithSubscribers"]
    assert warning["Subscribers"] == [{"SubscriptionType": "EMAIL", "Address": "owner@example.com"}]
    assert not Stack(**EVERY_OPTION | {"MonthlyBudget": "0"}).of_type("AWS::Budgets::Budget")


def test_alarms_cover_errors_throttles_duration_and_5xx(stack, full):
    watched = {
        (a["Properties"]["Namespace"], a["Properties"]["MetricName"])
        for a in stack.of_type("AWS::CloudWatch::Alarm").values()
    }
    assert watched == {
        ("AWS/Lambda", "Errors"),
        ("AWS/Lambda", "Throttles"),
        ("AWS/Lambda", "Duration"),
        ("AWS/ApiGateway", "5XXError"),
    }
    for alarm in stack.of_type("AWS::CloudWatch::Alarm").values():
        assert "AlarmActions" not in alarm["Properties"]
        assert "Runbook" in alarm["Properties"]["AlarmDescription"]
    for alarm in full.of_type("AWS::CloudWatch::Alarm").values():
        assert alarm["Properties"]["AlarmActions"] == ["ref-AlarmTopic"]
        assert alarm["Properties"]["OKActions"] == ["ref-AlarmTopic"]


def outcomes():
    """The outcomes that the code logs, and those of them that a line with a tool can have."""
    end = (ROOT / "src/layer/end.rs").read_text(encoding="utf-8")
    variants = re.findall(r"^    ([A-Z]\w+),$", re.search(r"pub enum Outcome \{(.*?)^\}", end, re.S | re.M)[1], re.M)
    words = dict(re.findall(r'Self::(\w+) => "(\w+)"', end))
    assert set(words) == set(variants)
    log = code(ROOT / "src/log.rs")
    before = set(re.findall(r'\.outcome = Some\("(\w+)"\)', log))
    (choice,) = re.findall(r"let without_message = (.*?);", log, re.S)
    # A notification, an invalid message and a request without one address no tool.
    without_tool = before - {"challenged"} | set(re.findall(r'"(\w+)"', choice)) - {"ok"}
    # Every place that sets an outcome is one of these.
    assert log.count("outcome = ") == len(before) + 2, "src/log.rs has another way to an outcome"
    return set(words.values()) | before | without_tool, without_tool


def test_every_outcome_of_the_code_is_counted_and_described():
    """A new outcome is one metric more, which has its price, its line in the documents and its row in the dashboard."""
    everything, without_tool = outcomes()
    page = (ROOT / "docs/metrics.md").read_text(encoding="utf-8")
    table = page.split("| `outcome` | meaning |")[1].split("\n\n")[0]
    rows = [line.split("|")[1] for line in table.splitlines()[2:]]
    assert sorted(re.findall(r"`(\w+)`", " ".join(rows))) == sorted(everything)
    assert (cost.OUTCOMES, cost.OUTCOMES_OF_A_TOOL) == (len(everything), len(everything - without_tool))
    totals, of_a_tool = len(everything) + 1, len(everything - without_tool)
    # `all` adds the two eras.
    assert f"| `totals` | `service`; `service`, `outcome` | {totals} |" in page
    assert f"| {totals + 2}, and {of_a_tool} for each tool, resource and prompt" in page
    assert f"totals: at most {totals}, " in source()["Parameters"]["Metrics"]["Description"]
    assert f"At most {totals}." in (ROOT / "src/lambda/metrics.rs").read_text(encoding="utf-8")
    dashboard = json.loads(Stack("infra/dashboard.yaml").one("AWS::CloudWatch::Dashboard")["DashboardBody"])
    (shown,) = [w["properties"] for w in dashboard["widgets"] if "outcome" in w["properties"].get("title", "")]
    assert sorted(row[-2] for row in shown["metrics"]) == sorted(everything)


def test_metrics_of_the_log_have_an_alarm_where_they_are_on(stack):
    assert stack.function["Environment"]["Variables"]["LOG_METRICS"] == "off"
    assert "DeniedAlarm" not in stack.resources
    on = Stack(Metrics="totals")
    assert on.function["Environment"]["Variables"]["LOG_METRICS"] == "totals"
    alarm = on.resources["DeniedAlarm"]["Properties"]
    code = (ROOT / "src/lambda/metrics.rs").read_text(encoding="utf-8")
    assert f'NAMESPACE: &str = "{alarm["Namespace"]}"' in code
    assert f'DURATION: &str = "{alarm["MetricName"]}"' in code
    assert [d["Name"] for d in alarm["Dimensions"]] == ["service", "outcome"]
    assert alarm["Dimensions"][0]["Value"] == "ref-McpFunction"
    assert f'"{alarm["Dimensions"][1]["Value"]}"' in (ROOT / "src/log.rs").read_text(encoding="utf-8")


def test_alarms_point_at_sections_of_the_runbook():
    runbook = (ROOT / "infra/runbook.md").read_text(encoding="utf-8")
    titles = set(re.findall(r"^## (.+)$", runbook, re.MULTILINE))
    for alarm in Stack(Metrics="all").of_type("AWS::CloudWatch::Alarm").values():
        (title,) = re.findall(r'Runbook, "([^"]+)"', alarm["Properties"]["AlarmDescription"])
        assert title in titles


def test_the_dashboard_is_json_and_shows_the_parts_of_the_main_stack():
    stack = Stack("infra/dashboard.yaml", MainStack="portfolio")
    dashboard = json.loads(stack.one("AWS::CloudWatch::Dashboard")["DashboardBody"])
    metrics = [
        row[:2]
        for widget in dashboard["widgets"]
        for row in widget["properties"].get("metrics", [])
        if isinstance(row[0], str)
    ]
    assert ["AWS/ApiGateway", "Count"] in metrics
    assert ["AWS/Lambda", "Invocations"] in metrics
    text = json.dumps(dashboard)
    for name in ("FunctionName", "LimitsTableName", "FunctionLogGroup"):
        assert f"import-portfolio-{name}" in text
    # `...` repeats the row above, as far as a row is shorter.
    (outcomes,) = [w["properties"] for w in dashboard["widgets"] if "outcome" in w["properties"].get("title", "")]
    assert outcomes["metrics"][0][:6] == [
        "lambda-mcp", "duration_us", "service", "import-portfolio-FunctionName", "outcome", "ok",
    ]
    assert outcomes["stat"] == "SampleCount"
    alarms = dashboard["widgets"][0]["properties"]["alarms"]
    assert len(alarms) == 4
    assert all(":alarm:import-portfolio-" in alarm for alarm in alarms)
