"""A wrong parameter is refused, with words that say what is right."""

import re

import pytest
from expand import RefusedParameter, Stack, source

CONTACT = {
    "ContactProvider": "ses",
    "ContactTo": "owner@example.com",
    "ContactFrom": "Portfolio <portfolio@example.com>",
    "SesIdentity": "example.com",
    "ContactAuth": "none",
}
JWT = {"JwtIssuer": "https://login.example.com"}
PARAMETERS = source()["Parameters"]


@pytest.mark.parametrize("name", sorted(PARAMETERS))
def test_parameters_are_described_and_checked(name):
    spec = PARAMETERS[name]
    assert len(spec["Description"]) > 20
    assert "Default" in spec, "a deployment without questions must be possible"
    if "AllowedPattern" in spec or "MinValue" in spec:
        assert spec["ConstraintDescription"]
    else:
        assert spec["AllowedValues"]


def test_parameters_are_grouped_for_the_console():
    groups = source()["Metadata"]["AWS::CloudFormation::Interface"]["ParameterGroups"]
    grouped = [name for group in groups for name in group["Parameters"]]
    assert sorted(grouped) == sorted(PARAMETERS)


def test_every_parameter_is_used():
    text = repr(source()["Resources"]) + repr(source()["Conditions"])
    for name in PARAMETERS:
        assert re.search(rf"'Ref': '{name}'|\$\{{{name}\}}", text), name


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Architecture", "arm"),
        ("LogLevel", "verbose"),
        ("LogRetentionDays", "8"),
        ("Metrics", "sampled"),
        ("ReservedConcurrency", "-2"),
        ("ReservedConcurrency", "many"),
        ("AllowedOrigins", ""),
        ("AllowedOrigins", "https://a.example.com/"),
        ("AllowedOrigins", "https://a.example.com, https://b.example.com"),
        ("AllowedOrigins", "a.example.com"),
        ("HeaderOnlyRequests", "yes"),
        ("TaskFunction", "worker:live"),
        ("TaskFunction", "arn:aws:lambda:eu-central-1:123456789012:function:worker"),
        ("LegacyHandshake", "no"),
        ("StageName", "prod stage"),
        ("StageName", ""),
        ("ThrottleRate", "0"),
        ("ThrottleBurst", "100000"),
        ("PublicUrl", "http://mcp.example.com"),
        ("PublicUrl", "https://mcp.example.com/"),
        ("PublicUrl", "https://mcp.example.com?x=1"),
        ("PublicUrl", "https://mcp.example.com/portfolio"),
        ("MonthlyBudget", "-1"),
        ("TimeoutSeconds", "30"),
        ("Rollout", "Sometimes"),
        ("DefaultEndpoint", "off"),
        ("ApiKeys", "ada sha256:00 contact:send"),
        ("JwtKeys", "0123456789abcdef0123456789abcdef"),
        ("JwtClientIds", "a  b"),
        ("JwtScopePrefix", "a b"),
        ("JwtScopePrefix", 'a"b'),
        ("JwtScopePrefix", "a$b"),
        ("AlarmEmail", "me"),
        ("ResponseStreaming", "maybe"),
        ("ContactProvider", "log"),
        ("ContactTo", "Owner <owner@example.com>"),
        ("ContactTo", "owner@example.com,other@example.com"),
        ("ContactFrom", "Portfolio"),
        ("ContactConfirm", "always"),
        ("ContactAuth", "basic"),
        ("SesIdentity", "*"),
        ("JwtIssuer", "a b"),
        ("JwtAudience", " a"),
        ("JwtJwksUrl", "http://login.example.com/keys"),
        ("AuthorizationServers", "https://a.example.com, https://b.example.com"),
        ("RateLimits", "contact={3}"),
    ],
)
def test_a_wrong_value_is_refused(name, value):
    with pytest.raises(RefusedParameter, match=f"^{name}: .{{5,}}"):
        Stack(**{name: value})


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        (CONTACT | {"ContactTo": ""}, "requires ContactTo"),
        (CONTACT | {"ContactFrom": ""}, "requires ContactFrom"),
        (CONTACT | {"ContactAuth": "bearer"}, "requires ApiKeys=on or JwtIssuer"),
        (CONTACT | {"SesIdentity": ""}, "requires SesIdentity"),
        ({"Metrics": "totals", "LogLevel": "warn"}, "Metrics requires LogLevel=info"),
        (JWT, "JwtIssuer requires JwtJwksUrl"),
        ({"JwtAudience": "a"}, "only with JwtIssuer"),
        ({"JwtJwksUrl": "https://login.example.com/keys"}, "only with JwtIssuer"),
        ({"JwtKeys": "document"}, "only with JwtIssuer"),
        ({"JwtClientIds": "a"}, "only with JwtIssuer"),
        ({"JwtScopePrefix": "a"}, "only with JwtIssuer"),
        ({"AuthorizationServers": "https://login.example.com"}, "only with JwtIssuer"),
        (JWT | {"JwtKeys": "secret", "JwtJwksUrl": "https://a.example"}, "only with JwtKeys=url"),
        (
            JWT | {"JwtKeys": "secret", "AuthorizationServers": "https://login.example.com"},
            "AuthorizationServers requires PublicUrl",
        ),
        ({"DefaultEndpoint": "disabled"}, "requires PublicUrl"),
    ],
)
def test_values_that_do_not_go_together_are_refused(overrides, said):
    with pytest.raises(RefusedParameter, match=re.escape(said)):
        Stack(**overrides)


@pytest.mark.parametrize(
    "overrides",
    [
        {"AllowedOrigins": "https://a.example.com,http://localhost:6274,http://127.0.0.1:*"},
        {"AllowedOrigins": "*,https://a.example.com"},
        {"PublicUrl": "https://mcp.example.com", "DefaultEndpoint": "disabled"},
        {"ThrottleRate": "1", "StageName": "v1_test-2", "TimeoutSeconds": "28"},
        {"RateLimits": "get_resume=60/1m:open; get_manifest=total:9/1h:burst=3"},
        CONTACT,
        CONTACT
        | JWT
        | {
            "ContactAuth": "bearer",
            "JwtAudience": "https://a.example b",
            "JwtJwksUrl": "https://login.example.com/keys",
            "PublicUrl": "https://mcp.example.com",
            "AuthorizationServers": "https://login.example.com,https://b.example.com/tenant",
            "RateLimits": "contact=9/1h",
        },
    ],
)
def test_right_values_are_taken_by_the_template_and_by_the_function(overrides, start):
    stack = Stack(**overrides)
    assert stack.outputs["McpEndpoint"].startswith("https://")
    health = {
        "version": "2.0",
        "rawPath": "/health",
        "headers": {"host": "mcp.example.com"},
        "requestContext": {"stage": "$default", "http": {"method": "GET", "path": "/health"}},
    }
    assert start(stack).invoke(health, 5)["statusCode"] == 200


ADDONS = {
    "infra/domain.yaml": {
        "DomainName": "mcp.example.com",
        "CertificateArn": "arn:aws:acm:us-east-1:123456789012:certificate/1b2c",
    },
    "infra/waf.yaml": {},
    "infra/dashboard.yaml": {},
    "infra/tasks.yaml": {"ContactTo": "owner@example.com", "ContactFrom": "portfolio@example.com"},
    "infra/cloudfront.yaml": {"ApiHost": "a1b2.execute-api.us-east-1.amazonaws.com"},
    "infra/function-url.yaml": {},
}


@pytest.mark.parametrize(
    ("file", "name", "value"),
    [
        ("infra/domain.yaml", "DomainName", "https://mcp.example.com"),
        ("infra/domain.yaml", "DomainName", "MCP.example.com"),
        ("infra/domain.yaml", "DomainName", "localhost"),
        ("infra/domain.yaml", "CertificateArn", "1b2c"),
        ("infra/domain.yaml", "HostedZoneId", "/hostedzone/Z0123456789ABCDEFGHIJ"),
        ("infra/domain.yaml", "BasePath", "/mcp"),
        ("infra/domain.yaml", "BasePath", "a/b"),
        ("infra/domain.yaml", "MainStack", "my stack"),
        ("infra/waf.yaml", "RequestsPerFiveMinutes", "9"),
        ("infra/tasks.yaml", "ContactTo", ""),
        ("infra/tasks.yaml", "ContactProvider", "off"),
        ("infra/tasks.yaml", "RetentionDays", "91"),
        ("infra/cloudfront.yaml", "ApiHost", "https://a1b2.execute-api.us-east-1.amazonaws.com"),
        ("infra/cloudfront.yaml", "CertificateArn", "arn:aws:acm:eu-west-1:123456789012:certificate/1b"),
        ("infra/cloudfront.yaml", "RequestsPerFiveMinutes", "-1"),
        ("infra/function-url.yaml", "AlarmEmail", "me"),
    ],
)
def test_a_wrong_value_of_an_optional_stack_is_refused(file, name, value):
    with pytest.raises(RefusedParameter, match=f"^{name}: .{{5,}}"):
        Stack(file, **ADDONS[file] | {name: value})


@pytest.mark.parametrize("file", sorted(ADDONS))
def test_an_optional_stack_is_described(file):
    for name, spec in source(file)["Parameters"].items():
        assert len(spec["Description"]) > 20, name
    assert Stack(file, **ADDONS[file]).resources


def test_a_distribution_with_a_name_needs_a_certificate():
    with pytest.raises(RefusedParameter, match="requires CertificateArn"):
        Stack("infra/cloudfront.yaml", **ADDONS["infra/cloudfront.yaml"], DomainName="mcp.example.com")
