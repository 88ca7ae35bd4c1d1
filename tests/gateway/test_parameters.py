"""A wrong parameter is refused, with words that say what is right."""

import re

import pytest
from expand import RefusedParameter, Stack, source

CERTIFICATE = "arn:aws:acm:us-east-1:123456789012:certificate/1b2c"
SECRET = "arn:aws:secretsmanager:us-east-1:123456789012:secret:portfolio/secret-1AbC2d"
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
        ("ReservedConcurrency", "-2"),
        ("ReservedConcurrency", "many"),
        ("AllowedOrigins", ""),
        ("AllowedOrigins", "https://a.example.com/"),
        ("AllowedOrigins", "https://a.example.com, https://b.example.com"),
        ("AllowedOrigins", "a.example.com"),
        ("AllowedHosts", "https://a.example.com"),
        ("HeaderOnlyRequests", "yes"),
        ("RequestStateKeyArn", "0123456789abcdef0123456789abcdef"),
        ("RequestStateKeyArn", "portfolio/state"),
        ("RequestStateKeyArn", "arn:aws:ssm:us-east-1:123456789012:parameter/state"),
        ("StageName", "prod stage"),
        ("StageName", ""),
        ("ThrottleRate", "0"),
        ("ThrottleBurst", "100000"),
        ("WafRequestsPerFiveMinutes", "-1"),
        ("PublicUrl", "http://mcp.example.com"),
        ("PublicUrl", "https://mcp.example.com/"),
        ("PublicUrl", "https://mcp.example.com?x=1"),
        ("DomainName", "https://mcp.example.com"),
        ("DomainName", "MCP.example.com"),
        ("DomainName", "localhost"),
        ("CertificateArn", "1b2c"),
        ("HostedZoneId", "/hostedzone/Z0123456789ABCDEFGHIJ"),
        ("BasePath", "/mcp"),
        ("BasePath", "a/b"),
        ("EdgeChallengeFunctionArn", "arn:aws:lambda:us-east-1:123456789012:function:x"),
        ("EdgeChallengeFunctionArn", "arn:aws:lambda:eu-west-1:123456789012:function:x:1"),
        ("EdgeWebAclArn", "arn:aws:wafv2:us-east-1:123456789012:regional/webacl/x/1b"),
        ("AlarmEmail", "me"),
        ("ResponseStreaming", "maybe"),
        ("ContactProvider", "log"),
        ("ContactTo", "Owner <owner@example.com>"),
        ("ContactTo", "owner@example.com,other@example.com"),
        ("ContactFrom", "Portfolio"),
        ("ContactConfirm", "always"),
        ("ContactAuth", "basic"),
        ("ResendApiKeyArn", "re_123"),
        ("SesIdentity", "*"),
        ("ApiKeysParameter", "ada sha256:00 contact:send"),
        ("JwtIssuer", "a b"),
        ("JwtAudience", " a"),
        ("JwtJwksUrl", "http://login.example.com/keys"),
        ("JwtJwksParameter", '{"keys":[]}'),
        ("JwtSecretArn", "0123456789abcdef0123456789abcdef"),
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
        ({"DomainName": "mcp.example.com"}, "DomainName requires CertificateArn"),
        ({"CertificateArn": CERTIFICATE}, "only with DomainName"),
        ({"HostedZoneId": "Z0123456789ABCDEFGHIJ"}, "only with DomainName"),
        ({"BasePath": "portfolio"}, "only with DomainName"),
        ({"DefaultEndpoint": "disabled"}, "no address otherwise"),
        (
            {
                "CloudFront": "true",
                "DomainName": "mcp.example.com",
                "CertificateArn": CERTIFICATE,
                "DefaultEndpoint": "disabled",
            },
            "requires DefaultEndpoint=enabled",
        ),
        (
            {
                "CloudFront": "true",
                "DomainName": "mcp.example.com",
                "CertificateArn": CERTIFICATE,
                "BasePath": "x",
            },
            "cannot be used with CloudFront",
        ),
        ({"CloudFront": "true", "WafRequestsPerFiveMinutes": "100"}, "set EdgeWebAclArn"),
        (CONTACT | {"ContactTo": ""}, "requires ContactTo"),
        (CONTACT | {"ContactFrom": ""}, "requires ContactFrom"),
        (CONTACT | {"ContactAuth": "bearer"}, "requires ApiKeysParameter or JwtIssuer"),
        (CONTACT | {"ContactProvider": "resend"}, "requires ResendApiKeyArn"),
        (CONTACT | {"SesIdentity": ""}, "requires SesIdentity"),
        (JWT, "JwtIssuer requires JwtJwksUrl"),
        ({"JwtAudience": "a"}, "only with JwtIssuer"),
        ({"JwtJwksUrl": "https://login.example.com/keys"}, "only with JwtIssuer"),
        ({"JwtJwksParameter": "keys"}, "only with JwtIssuer"),
        ({"JwtSecretArn": SECRET}, "only with JwtIssuer"),
        ({"AuthorizationServers": "https://login.example.com"}, "only with JwtIssuer"),
        (JWT | {"JwtSecretArn": SECRET, "JwtJwksParameter": "keys"}, "Only one of"),
        (JWT | {"JwtJwksUrl": "https://a.example", "JwtJwksParameter": "keys"}, "Only one of"),
        (JWT | {"JwtJwksUrl": "https://a.example", "JwtSecretArn": SECRET}, "Only one of"),
        (
            {"EdgeChallengeFunctionArn": "arn:aws:lambda:us-east-1:123456789012:function:x:1"},
            "only with CloudFront",
        ),
        (
            {"EdgeWebAclArn": "arn:aws:wafv2:us-east-1:123456789012:global/webacl/x/1b"},
            "only with CloudFront",
        ),
    ],
)
def test_values_that_do_not_go_together_are_refused(overrides, said):
    with pytest.raises(RefusedParameter, match=re.escape(said)):
        Stack(**overrides)


@pytest.mark.parametrize(
    "overrides",
    [
        {"AllowedOrigins": "https://a.example.com,http://localhost:6274,http://127.0.0.1:*"},
        {"AllowedHosts": "mcp.example.com,other.example.com"},
        {"PublicUrl": "https://mcp.example.com/portfolio"},
        {"WafRequestsPerFiveMinutes": "100", "ThrottleRate": "1", "StageName": "v1_test-2"},
        {
            "DomainName": "mcp.example.com",
            "CertificateArn": CERTIFICATE,
            "DefaultEndpoint": "disabled",
        },
        {"RateLimits": "get_resume=60/1m:open; get_manifest=total:9/1h:burst=3"},
        CONTACT,
        CONTACT
        | JWT
        | {
            "ContactAuth": "bearer",
            "JwtAudience": "https://a.example b",
            "JwtJwksUrl": "https://login.example.com/keys",
            "AuthorizationServers": "https://login.example.com,https://b.example.com/tenant",
            "RateLimits": "contact=9/1h",
        },
        {
            "CloudFront": "true",
            "EdgeChallengeFunctionArn": "arn:aws:lambda:us-east-1:123456789012:function:x:3",
            "EdgeWebAclArn": "arn:aws:wafv2:us-east-1:123456789012:global/webacl/x/1b",
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
