"""Each change of a parameter reaches callers: the alias moves to a new version that carries the value.

The parameters and their other values are those of tests/gateway/test_release.py.
"""

import json

import pytest
from expand import Stack
from test_release import CONTACT, JWT, NOT_OF_THE_VERSION, OTHER

# Where every parameter can be changed alone.
EVERYTHING = {**CONTACT, **JWT, "ApiKeys": "on", "PublicUrl": "https://mcp.example.com"}
# Other values than those of OTHER, because EVERYTHING has those already.
VALUES = {
    **{name: value for name, (_, value) in OTHER.items()},
    "ApiKeys": "off", "Architecture": "arm64", "ContactProvider": "off", "PublicUrl": "https://other.example.com",
}
# LocalStack also evaluates the branch of an `Fn::If` that is not taken, and there is no part 6 of an empty
# TaskFunction. That its change publishes a version is shown by tests/gateway/test_release.py.
NOT_EMULATED = {"TaskFunction"}
# JwtKeys is last: its other values need JwtJwksUrl to be empty.
NAMES = sorted(set(VALUES) - NOT_EMULATED - {"JwtKeys"}) + ["JwtKeys"]
# What a version carries, where it is not the value itself.
CARRIES = {"JwtKeys": "/portfolio/jwt-secret"}


@pytest.fixture(scope="module")
def everything(deployed):
    deployed.update(**EVERYTHING)
    return deployed


@pytest.mark.parametrize("name", NAMES)
def test_a_changed_parameter_reaches_callers(everything, name):
    if name == "JwtKeys":
        everything.update(JwtKeys="document", JwtJwksUrl="")
    value = VALUES[name]
    values = {**everything.parameters(), name: value}
    # CloudFormation's own rules, which the emulator does not check, allow the change.
    Stack(**values)
    before = everything.version
    old = everything.configuration(before)
    everything.update(**{name: value})
    assert everything.version != before
    new = everything.configuration()
    assert new != old
    if name == "ApiKeys":
        assert "API_KEYS_PARAMETER" not in new["Environment"]["Variables"]
    else:
        assert CARRIES.get(name, value) in json.dumps(list(new.values()))
    assert everything.configuration(before) == old, "a version never changes: a rollback brings its settings back"


def test_other_parameters_publish_nothing(everything):
    values = {
        "AlarmEmail": "other@example.com", "DefaultEndpoint": "disabled",
        "LogRetentionDays": "90", "MonthlyBudget": "9", "ReservedConcurrency": "7",
        "PermissionsBoundary": "arn:aws:iam::000000000000:policy/boundary", "Rollout": "Canary10Percent5Minutes", "SesIdentity": "other.example.com", "ThrottleBurst": "9",
        "ThrottleRate": "7",
    }
    # The name of the stage is part of the URL, so that it stays. AccessLogs adds a log group, to which LocalStack
    # follows the references also in the state before, where it does not exist.
    assert set(values) == NOT_OF_THE_VERSION - {"StageName", "AccessLogs"}
    Stack(**{**everything.parameters(), **values})
    before = everything.version
    everything.update(**values)
    assert everything.version == before
    assert everything.parameters()["ThrottleRate"] == "7"
