"""The check of messages refuses what is not one."""

import pytest
from messages import check_answer, check_request

VIEW = {
    "resultType": "complete", "taskId": "t", "status": "working", "createdAt": "2026-11-30T00:00:00Z",
    "lastUpdatedAt": "2026-11-30T00:00:00Z", "ttlMs": 1000, "pollIntervalMs": 1000,
}
RESULT = {"resultType": "complete", "content": []}
QUESTION = {"method": "elicitation/create", "params": {
    "mode": "form", "message": "?", "requestedSchema": {"type": "object", "properties": {}}}}


def request(method, **params):
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def answer(**result):
    return {"jsonrpc": "2.0", "id": 1, "result": result}


GET = request("tasks/get", taskId="t")


def without(member):
    return {name: value for name, value in VIEW.items() if name != member}


@pytest.mark.parametrize(
    "view",
    [VIEW, VIEW | {"statusMessage": "Reading"}, VIEW | {"status": "cancelled"}, VIEW | {"ttlMs": None},
     VIEW | {"status": "completed", "result": RESULT},
     VIEW | {"status": "failed", "error": {"code": -32603, "message": "Internal error"}},
     VIEW | {"status": "input_required", "inputRequests": {"q": QUESTION}}],
)
def test_views_of_a_task_are_taken(view):
    check_answer(GET, answer(**view))


@pytest.mark.parametrize(
    "view",
    [without("ttlMs"), without("taskId"), without("lastUpdatedAt"), VIEW | {"status": "running"},
     VIEW | {"ttl": 1}, VIEW | {"resultType": "task"}, VIEW | {"result": RESULT}, VIEW | {"pollIntervalMs": "1000"},
     VIEW | {"status": "completed"}, VIEW | {"status": "failed", "error": {"code": "x", "message": "y"}},
     VIEW | {"status": "input_required", "inputRequests": {"q": {"method": "ask"}}}],
)
def test_what_is_not_a_view_is_refused(view):
    with pytest.raises(AssertionError):
        check_answer(GET, answer(**view))


def test_other_messages_are_checked_as_well():
    check_answer(request("tools/call", name="a"), answer(**VIEW | {"resultType": "task"}))
    check_answer(request("tasks/cancel", taskId="t"), answer(resultType="complete"))
    check_answer(GET, {"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "Unknown task"}})
    wrong = [
        (request("tools/call", name="a"), answer(**without("createdAt") | {"resultType": "task"})),
        (request("tasks/cancel", taskId="t"), answer(resultType="done")),
        (GET, {"jsonrpc": "2.0", "id": 1, "error": {"message": "Unknown task"}}),
        (GET, {**answer(**VIEW), "id": 2}),
    ]
    for asked, got in wrong:
        with pytest.raises(AssertionError):
            check_answer(asked, got)
    check_request(request("tasks/update", taskId="t", inputResponses={"q": {"action": "decline"}}))
    with pytest.raises(AssertionError):
        check_request(request("tasks/update", taskId="t"))
