"""The messages of the extension by its schema, tests/data/ext-tasks.schema.json.

The schema allows members that it does not define. Those of earlier drafts, and those of another status, are refused
here, as in tests/harness/src/schema/tasks.rs.
"""

import functools
import json
import pathlib

import jsonschema

SCHEMA = json.loads(
    (pathlib.Path(__file__).parents[1] / "data/ext-tasks.schema.json").read_text(encoding="utf-8")
)
REQUESTS = {"tasks/get": "GetTaskRequest", "tasks/update": "UpdateTaskRequest", "tasks/cancel": "CancelTaskRequest"}
RESULTS = {"tasks/get": "GetTaskResult", "tasks/update": "UpdateTaskResult", "tasks/cancel": "CancelTaskResult"}
REMOVED = ("task", "ttl", "pollInterval", "requestState", "cacheScope")
# The member that belongs to a status.
MEMBERS = {"input_required": "inputRequests", "completed": "result", "failed": "error"}


@functools.cache
def validator(name):
    return jsonschema.Draft202012Validator({**SCHEMA, "$ref": f"#/$defs/{name}"})


def check(name, value):
    """Raises an AssertionError if a value is not what the schema calls `name`."""
    error = jsonschema.exceptions.best_match(validator(name).iter_errors(value))
    assert error is None, f"not a {name}: {error.message} in {value}"


def check_request(message):
    if message["method"] in REQUESTS:
        check(REQUESTS[message["method"]], message)


def check_answer(request, answer):
    """Checks the answer to a request: the result of its method, or an error."""
    assert answer["jsonrpc"] == "2.0" and answer["id"] == request["id"], answer
    if "error" in answer:
        assert "result" not in answer, answer
        check("Error", answer["error"])
        return
    result = answer["result"]
    method = request["method"]
    if method in RESULTS:
        assert result["resultType"] == "complete", result
        check(RESULTS[method], result)
    elif result["resultType"] == "task":
        check("CreateTaskResult", result)
    else:
        check("Result", result)
        return
    assert not [member for member in REMOVED if member in result], result
    own = MEMBERS.get(result.get("status")) if method == "tasks/get" else None
    for member in MEMBERS.values():
        assert (member in result) is (member == own), result
    if own == "error":
        check("Error", result["error"])
