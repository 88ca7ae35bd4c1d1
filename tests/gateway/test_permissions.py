"""What the function may do, and who may invoke it."""

import pytest
from expand import Stack
from options import CONTACT
from rust import sdk_actions

# What Lambda itself needs of the role, on behalf of the function.
PLATFORM_ACTIONS = {"logs:CreateLogStream", "logs:PutLogEvents"}
TRACING_ACTIONS = {"xray:PutTelemetryRecords", "xray:PutTraceSegments"}
JWT = {"JwtIssuer": "https://login.example.com"}


def statements(stack):
    role = stack.resources["McpFunctionRole"]["Properties"]
    assert "ManagedPolicyArns" not in role
    for policy in role["Policies"]:
        yield from policy["PolicyDocument"]["Statement"]


def allowed(some):
    found = set()
    for statement in statements(some):
        assert statement["Effect"] == "Allow"
        actions = statement["Action"]
        found |= set([actions] if isinstance(actions, str) else actions)
    return found


def test_the_role_allows_what_the_code_does_and_nothing_else(full):
    assert allowed(full) == PLATFORM_ACTIONS | TRACING_ACTIONS | sdk_actions()


def test_what_is_not_used_is_not_allowed(stack):
    limits, secrets = {"dynamodb:UpdateItem"}, {"ssm:GetParameters"}
    assert allowed(stack) == PLATFORM_ACTIONS
    assert allowed(Stack(RateLimits="get_resume=60/1m")) == PLATFORM_ACTIONS | limits
    assert allowed(Stack(**CONTACT)) == PLATFORM_ACTIONS | limits | secrets
    assert allowed(Stack(ApiKeys="on")) == PLATFORM_ACTIONS | secrets
    # The key of the session ids is kept in the table of the limits.
    assert allowed(Stack(LegacyHandshake="required")) == PLATFORM_ACTIONS | limits


@pytest.mark.parametrize(
    ("variable", "overrides", "parameter"),
    [
        ("RESEND_API_KEY_PARAMETER", CONTACT, "resend-api-key"),
        ("JWT_SECRET_PARAMETER", JWT | {"JwtKeys": "secret"}, "jwt-secret"),
        ("JWT_JWKS_PARAMETER", JWT | {"JwtKeys": "document"}, "jwt-jwks"),
        ("API_KEYS_PARAMETER", {"ApiKeys": "on"}, "api-keys"),
    ],
)
def test_the_function_reads_a_secret_from_a_parameter_of_its_stack(variable, overrides, parameter):
    def value(**overrides):
        return Stack(**overrides).function["Environment"]["Variables"].get(variable)

    assert value() is None
    stack = Stack(**overrides)
    assert value(**overrides) == f"/portfolio/{parameter}"
    assert stack.outputs["ParameterPath"] == "/portfolio/"
    (reading,) = [s for s in statements(stack) if s["Action"] == "ssm:GetParameters"]
    assert reading["Resource"].endswith(":parameter/portfolio/*")


def test_mail_is_sent_as_the_verified_identity_alone(full):
    (sending,) = [s for s in statements(full) if s["Action"] == "ses:SendEmail"]
    identity = "arn:aws:ses:us-east-1:123456789012:identity/"
    # The recipient's identity counts as well while SES keeps the account in its sandbox; the sender
    # belongs to the verified identity all the same.
    assert sending["Resource"] == [f"{identity}example.com", f"{identity}owner@example.com"]
    assert sending["Condition"] == {"StringLike": {"ses:FromAddress": "*example.com"}}


def test_only_tracing_has_a_wildcard_for_a_resource(full):
    for statement in statements(full):
        resources = statement["Resource"]
        for resource in [resources] if isinstance(resources, str) else resources:
            # The versions of one function: a task outlives the deployment that started it.
            one = resource.removesuffix(":function:portfolio-tasks-Worker-1:*")
            if "*" in one.removesuffix(":parameter/portfolio/*"):
                assert set(statement["Action"]) == TRACING_ACTIONS


def test_only_this_api_may_invoke_the_function(stack):
    permission = stack.one("AWS::Lambda::Permission")
    assert permission["FunctionName"] == "ref-McpFunctionAliaslive"
    assert permission["Principal"] == "apigateway.amazonaws.com"
    assert permission["SourceArn"].endswith(":123456789012:ref-McpApi/*/*/*")
