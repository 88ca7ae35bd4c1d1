"""`examples/report`: the function and its worker, as the README shows them."""

from conftest import Client, Refused, eventually
from stand_in import history

YES = {"action": "accept", "content": {"publish": True}}


def steps(service):
    """The names of the steps that ran to their end, in their order."""
    (arn,) = [arn for _, arn, _ in service.started.values()]
    ended = [event for event in history(service, arn) if event["EventType"] == "StepSucceeded"]
    return [event["Name"] for event in ended if not event["Name"].startswith("mcp.")]


def test_a_report_is_made_in_steps_with_a_question_in_the_middle(report):
    report.started.clear()
    client = Client(report.url)
    task = client.task("export_report", year=2025)
    seen = []

    def asked():
        view = client.get(task)
        seen.append(view.get("statusMessage"))
        return view if view["status"] == "input_required" else None

    (key, question), = eventually(asked)["inputRequests"].items()
    assert any(text and text.startswith("Reading quarter") for text in seen), seen
    assert question["params"]["message"] == "Publish 250 bookings of 2025?"
    assert list(question["params"]["requestedSchema"]["properties"]) == ["publish"]
    assert steps(report) == ["read", "read#2", "read#3", "read#4"]
    # The answer is read by a new process: nothing of the task is in the memory of the first one.
    report.worker.replace()
    client.update(task, {key: YES})
    result = client.until(task, "completed")["result"]["structuredContent"]
    name, = report.started
    assert result == {"url": f"https://reports.example.com/2025?key={name}/publish", "bookings": 250}
    assert steps(report) == ["read", "read#2", "read#3", "read#4", "publish"]


def test_nothing_is_published_without_consent(report):
    report.started.clear()
    client = Client(report.url)
    task = client.task("export_report", year=2024)
    (key, _), = client.until(task, "input_required")["inputRequests"].items()
    client.update(task, {key: {"action": "decline"}})
    result = client.until(task, "completed")["result"]
    assert result["isError"] and "did not agree" in result["content"][0]["text"]
    assert "publish" not in steps(report)


def test_a_client_without_tasks_is_told_what_it_needs(report):
    try:
        Client(report.url, capabilities={"elicitation": {}}).call("export_report", year=2025)
        raise AssertionError("a client without tasks got a result")
    except Refused as refused:
        assert (refused.status, refused.error["code"]) == (400, -32021)
