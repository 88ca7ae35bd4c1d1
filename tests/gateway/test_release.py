"""Every change reaches callers: code, content and each parameter publish another version.

Callers reach the alias `live`, which points at one published version. CloudFormation publishes another
one when the version's logical ID changes (SAM derives it from code, content and the function's definition)
or when its description changes, which the resource cannot do in place.
"""

import pytest
from expand import Stack, source

# Another valid value of each parameter, with what has to be set beside it.
CONTACT = {"ContactProvider": "ses", "ContactTo": "a@example.com", "ContactFrom": "b@example.com",
           "SesIdentity": "example.com", "ContactAuth": "none"}
JWT = {"JwtIssuer": "https://login.example.com", "JwtJwksUrl": "https://login.example.com/keys"}
OTHER = {
    "Architecture": ({}, "x86_64"),
    "TimeoutSeconds": ({}, "20"),
    "Tracing": ({}, "Active"),
    "LogLevel": ({}, "debug"),
    "Metrics": ({}, "totals"),
    "AllowedOrigins": ({}, "https://app.example.com"),
    "HeaderOnlyRequests": ({}, "allow"),
    "LegacyHandshake": ({}, "required"),
    "RateLimits": ({}, "contact=5/1h:burst=2, 20/1d"),
    "ContactProvider": ({**CONTACT, "ContactProvider": "off"}, "ses"),
    "ContactTo": (CONTACT, "c@example.com"),
    "ContactFrom": (CONTACT, "Portfolio <d@example.com>"),
    "ContactConfirm": (CONTACT, "ask"),
    "TaskFunction": (CONTACT, "arn:aws:lambda:us-east-1:123456789012:function:portfolio-tasks-Worker-1:live"),
    "ContactAuth": ({**CONTACT, "ApiKeys": "on"}, "bearer"),
    "ApiKeys": ({}, "on"),
    "JwtIssuer": (JWT, "https://other.example.com"),
    "JwtAudience": (JWT, "api://portfolio"),
    "JwtKeys": ({"JwtIssuer": "https://login.example.com", "JwtKeys": "document"}, "secret"),
    "JwtJwksUrl": (JWT, "https://login.example.com/other"),
    "JwtClientIds": (JWT, "1example23456789"),
    "JwtScopePrefix": (JWT, "https://mcp.example.com/"),
    "AuthorizationServers": ({**JWT, "PublicUrl": "https://mcp.example.com"}, "https://login.example.com"),
    "PublicUrl": ({}, "https://mcp.example.com"),
    "ResponseStreaming": ({}, "true"),
}
# Parameters of which the function knows nothing, and those that Lambda applies to all versions.
NOT_OF_THE_VERSION = {
    "AccessLogs", "AlarmEmail", "DefaultEndpoint", "LogRetentionDays", "MonthlyBudget", "PermissionsBoundary",
    "ReservedConcurrency", "Rollout", "SesIdentity", "StageName", "ThrottleBurst", "ThrottleRate",
}


def made(stack):
    return stack.one("AWS::Lambda::Function")


def test_every_parameter_is_sorted():
    assert set(OTHER) | NOT_OF_THE_VERSION == set(source()["Parameters"])
    assert not set(OTHER) & NOT_OF_THE_VERSION


@pytest.mark.parametrize("name", sorted(OTHER))
def test_a_changed_parameter_publishes_another_version(name):
    beside, value = OTHER[name]
    before, after = Stack(**beside), Stack(**{**beside, name: value})
    assert made(before) != made(after), "the function itself does not change"
    assert before.version != after.version


@pytest.mark.parametrize("name", sorted(NOT_OF_THE_VERSION))
def test_other_parameters_leave_the_function_as_it_is(name):
    text = str(source()["Resources"]["McpFunction"]["Properties"]).replace("ReservedConcurrency", "")
    text = text.replace("{'Type': {'Ref': 'Rollout'}", "")
    assert f"'{name}'" not in text


def test_code_and_content_publish_another_version():
    versions = {Stack().version[0], Stack(code="other").version[0], Stack(content="other").version[0]}
    assert len(versions) == 3
    assert Stack().version == Stack().version


def test_an_older_version_stays_for_a_rollback(stack):
    _, version = stack.version
    assert version["UpdateReplacePolicy"] == "Retain"
    assert stack.template["Resources"][stack.version[0]]["DeletionPolicy"] == "Retain"
    (layer,) = stack.of_type("AWS::Lambda::LayerVersion")
    assert stack.template["Resources"][layer]["DeletionPolicy"] == "Retain"


def test_callers_move_to_a_new_version_under_the_eyes_of_an_alarm():
    for rollout in source()["Parameters"]["Rollout"]["AllowedValues"]:
        stack = Stack(Rollout=rollout)
        group = stack.one("AWS::CodeDeploy::DeploymentGroup")
        assert group["DeploymentConfigName"].endswith(rollout), group["DeploymentConfigName"]
        assert group["AlarmConfiguration"]["Alarms"] == [{"Name": "ref-FunctionErrorsAlarm"}]
        assert "DEPLOYMENT_STOP_ON_ALARM" in group["AutoRollbackConfiguration"]["Events"]
        alias = stack.template["Resources"]["McpFunctionAliaslive"]
        assert "CodeDeployLambdaAliasUpdate" in alias["UpdatePolicy"]
