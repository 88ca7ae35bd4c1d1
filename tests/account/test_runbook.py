"""Each command of the runbook runs as it stands and does what the runbook says.

Not run: detection of drift, which neither LocalStack nor moto has. The AWS CLI checks these three commands and
their arguments.
"""

import json
import re
import time

import pytest
from botocore.exceptions import ClientError
from runbook import commands

COMMANDS = commands()
NOT_EMULATED = ("detect-stack-drift", "describe-stack-drift-detection-status", "describe-stack-resource-drifts")
# Run where there is something to run them on.
ELSEWHERE = {
    "create-invalidation": "test_optional_stacks",
    "delete-layer-version": "test_delete",
    "delete-parameters": "test_delete",
}


def the(part):
    (found,) = [command for command in COMMANDS if part in command.text]
    return found


def ran(command, project, **examples):
    done = command.run(project, **examples)
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def logged(deployed):
    """Log lines as Lambda keeps them: one request that failed, and one without a credential."""
    logs, group = deployed.account.client("logs"), deployed.outputs()["FunctionLogGroup"]
    logs.create_log_stream(logGroupName=group, logStreamName="test")
    now = int(time.time() * 1000)
    lines = [{"level": "ERROR", "message": "first"}, {"level": "INFO", "outcome": "challenged", "message": "second"}]
    logs.put_log_events(logGroupName=group, logStreamName="test",
                        logEvents=[{"timestamp": now, "message": json.dumps(line)} for line in lines])


def test_every_command_is_covered():
    covered = {
        *NOT_EMULATED, *ELSEWHERE, "{ $.level", "{ $.outcome", "get-policy",
        "put-function-concurrency", "delete-function-concurrency", "new-key", "put-parameter", "delete-item",
        "list-versions-by-function", "update-alias", "delete-function --", "list-layer-versions",
    }
    for command in COMMANDS:
        assert any(part in command.text for part in covered), command.text
    for part in covered:
        assert any(part in command.text for command in COMMANDS), part


def test_errors_are_found_in_the_log(project, logged):
    assert "first" in ran(the("{ $.level"), project)


def test_refused_credentials_are_found_in_the_log(project, logged):
    assert "second" in ran(the("{ $.outcome"), project)


def test_the_policy_names_the_gateway(project, deployed):
    assert "apigateway.amazonaws.com" in ran(the("get-policy"), project)


def test_the_function_is_turned_off_and_on(project, deployed):
    ran(the("put-function-concurrency"), project)
    with pytest.raises(ClientError, match="TooManyRequests"):
        deployed.lambda_.meta.config.retries = {"max_attempts": 1}
        deployed.call("get_manifest")
    ran(the("delete-function-concurrency"), project)
    assert deployed.call("get_manifest")[0] == 200


def test_drift_is_asked_for_with_valid_commands(project):
    block = the("detect-stack-drift")
    for name in NOT_EMULATED:
        text = block.text.replace("\\\n", " ")
        (line,) = [line for line in text.splitlines() if f"cloudformation {name} " in line]
        line = re.sub(r"^ID=\$\((.*)\)$", r"\1", line.strip())
        # Validates the arguments and prints an example instead of calling AWS.
        line = re.sub(r"--query .*", "", line)
        checked = type(block)(block.section, f"ID=1\n{line} --generate-cli-skeleton output", block.names)
        assert ran(checked, project)


def test_a_key_is_made_and_its_entry_is_written(project, deployed):
    said = ran(the("new-key"), project)
    assert re.search(r"^\s*ada sha256:", said, re.MULTILINE), said
    ran(the("put-parameter"), project)
    found = deployed.account.client("ssm").get_parameter(Name="/portfolio/api-keys", WithDecryption=True)
    assert found["Parameter"]["Type"] == "SecureString"
    assert found["Parameter"]["Value"].startswith("ada sha256:")


def test_the_key_of_request_states_is_deleted(project, deployed):
    table, dynamodb = deployed.outputs()["LimitsTableName"], deployed.account.client("dynamodb")
    key = {"pk": {"S": "key#request-state"}}
    dynamodb.put_item(TableName=table, Item=key)
    ran(the("delete-item"), project)
    assert "Item" not in dynamodb.get_item(TableName=table, Key=key)


def test_a_rollback_brings_an_older_version_back(project, deployed):
    listed = [line.split()[0] for line in ran(the("list-versions-by-function"), project).splitlines()]
    live = deployed.version
    assert listed[-1] == live
    # The one before the last has the URL of a domain name that was removed again.
    older = listed[-3]
    said = ran(the("update-alias"), project, VERSION=older)
    assert deployed.version == older
    assert ", 0 failed" in said
    ran(the("update-alias"), project, VERSION=live)


def test_an_old_version_is_deleted(project, deployed):
    ran(the("delete-function --"), project, VERSION="2")
    versions = deployed.lambda_.list_versions_by_function(FunctionName=deployed.function)["Versions"]
    assert "2" not in [version["Version"] for version in versions]


def test_a_table_that_was_deleted_by_hand_is_made_again(project, deployed):
    """A deployment does not notice. A new logical ID, as the runbook says, makes a new table."""
    dynamodb = deployed.account.client("dynamodb")
    lost = deployed.outputs()["LimitsTableName"]
    dynamodb.delete_table(TableName=lost)
    project.deploy("--prebuilt")
    assert deployed.outputs()["LimitsTableName"] == lost
    assert lost not in dynamodb.list_tables()["TableNames"]

    template = project.folder / "template.yaml"
    text = template.read_text(encoding="utf-8")
    template.write_text(re.sub(r"\bLimitsTable\b", "CallsTable", text), encoding="utf-8")
    project.run("infra/tools/release.py", "use", str(project.release))
    project.deploy("--prebuilt")
    made = deployed.outputs()["LimitsTableName"]
    assert dynamodb.list_tables()["TableNames"] == [made]
    assert deployed.variables()["RATE_LIMIT_TABLE"] == made
    assert deployed.call("get_resume")[0] == 200
    assert dynamodb.scan(TableName=made)["Items"], "calls are counted in it"
