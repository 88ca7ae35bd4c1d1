"""What a deployment consists of, and that its names exist in the code."""

import json
import re
import tomllib

import pytest
from expand import ROOT, Stack, source
from rust import environment_variables, sdk_actions

# Read by the function, but not set on AWS, with the reason.
NOT_ON_AWS = {
    "CONTENT_DIR": "on AWS the content is the one built into the binary",
    "CONTACT_OUTBOX": "a file would be gone with its instance",
    "RESEND_BASE_URL": "the API's own address is right",
}
# What Lambda itself needs of the role, on behalf of the function.
PLATFORM_ACTIONS = {"logs:CreateLogStream", "logs:PutLogEvents"}
TRACING_ACTIONS = {"xray:PutTelemetryRecords", "xray:PutTraceSegments"}
EVERY_OPTION = {
    "AlarmEmail": "owner@example.com",
    "AccessLogs": "true",
    "Tracing": "Active",
    "WafRequestsPerFiveMinutes": "1000",
    "DomainName": "mcp.example.com",
    "CertificateArn": "arn:aws:acm:us-east-1:123456789012:certificate/1b2c",
    "HostedZoneId": "Z0123456789ABCDEFGHIJ",
    "BasePath": "portfolio",
    "ContactProvider": "ses",
    "ContactTo": "owner@example.com",
    "ContactFrom": "Portfolio <portfolio@example.com>",
    "SesIdentity": "example.com",
    "ApiKeysParameter": "/portfolio/api-keys",
}
SECRET = "arn:aws:secretsmanager:us-east-1:123456789012:secret:portfolio/secret-1AbC2d"
ISSUER = "https://login.example.com"


@pytest.fixture(scope="module")
def full():
    return Stack(**EVERY_OPTION)


def function(stack):
    return stack.one("AWS::Lambda::Function")


def statements(stack):
    role = stack.one("AWS::IAM::Role")
    assert "ManagedPolicyArns" not in role
    for policy in role["Policies"]:
        yield from policy["PolicyDocument"]["Statement"]


def test_the_binary_exists_in_the_manifest():
    metadata = source()["Resources"]["McpFunction"]["Metadata"]
    assert metadata["BuildMethod"] == "rust-cargolambda"
    binary = metadata["BuildProperties"]["Binary"]
    manifest = tomllib.loads((ROOT / f"functions/{binary}/Cargo.toml").read_text(encoding="utf-8"))
    assert manifest["package"]["name"] == binary
    assert (ROOT / f"functions/{binary}/src/main.rs").is_file()


def test_the_function_is_small_and_ends_soon(stack):
    made = function(stack)
    assert made["Runtime"] == "provided.al2023"
    assert made["Handler"] == "bootstrap"
    assert made["MemorySize"] == 256
    assert made["Timeout"] == 10
    assert made["Architectures"] == ["arm64"]
    assert "ReservedConcurrentExecutions" not in made
    assert function(Stack(Architecture="x86_64"))["Architectures"] == ["x86_64"]
    assert function(Stack(ReservedConcurrency="0"))["ReservedConcurrentExecutions"] == "0"


@pytest.mark.parametrize("level", ["error", "warn", "info", "debug", "trace"])
def test_lambda_keeps_the_lines_that_the_function_writes(level):
    made = function(Stack(LogLevel=level))
    assert made["LoggingConfig"]["LogFormat"] == "JSON"
    assert made["LoggingConfig"]["ApplicationLogLevel"] == level.upper()
    assert made["Environment"]["Variables"]["LOG_LEVEL"] == level


def test_log_groups_have_a_retention(full):
    groups = full.of_type("AWS::Logs::LogGroup")
    assert set(groups) == {"McpFunctionLogs", "McpApiLogs"}
    for group in groups.values():
        assert group["Properties"]["RetentionInDays"] == "30"
    assert function(full)["LoggingConfig"]["LogGroup"] == "ref-McpFunctionLogs"


def test_every_variable_that_is_set_is_read_and_the_reverse():
    written = source()["Resources"]["McpFunction"]["Properties"]["Environment"]["Variables"]
    read = environment_variables()
    assert set(written) - read == set(), "set by the template, read by nothing"
    assert read - set(written) == set(NOT_ON_AWS), "read by the code, set by nothing"


def test_public_url_follows_the_domain_name():
    def url(**overrides):
        return function(Stack(**overrides))["Environment"]["Variables"].get("PUBLIC_URL")

    domain = {k: EVERY_OPTION[k] for k in ("DomainName", "CertificateArn")}
    assert url() is None
    assert url(**domain) == "https://mcp.example.com"
    assert url(**domain, BasePath="api") == "https://mcp.example.com/api"
    assert url(**domain, PublicUrl="https://x.example.com/y") == "https://x.example.com/y"


def test_no_variable_holds_a_secret():
    for name, value in source()["Parameters"].items():
        assert not re.search(r"(?i)(secret|password|token|apikey|key)$", name), name
        assert value["Type"] in ("String", "Number"), name


CONTACT = {
    "ContactProvider": "resend",
    "ContactTo": "owner@example.com",
    "ContactFrom": "portfolio@example.com",
    "ResendApiKeyArn": SECRET,
    "ContactAuth": "none",
}
BY_SECRET = f"{{{{resolve:secretsmanager:{SECRET}:SecretString}}}}"
JWT = {"JwtIssuer": ISSUER}


@pytest.mark.parametrize(
    ("variable", "overrides", "reference"),
    [
        ("REQUEST_STATE_KEY", {"RequestStateKeyArn": SECRET}, BY_SECRET),
        ("RESEND_API_KEY", CONTACT, BY_SECRET),
        ("JWT_SECRET", JWT | {"JwtSecretArn": SECRET}, BY_SECRET),
        ("JWT_JWKS", JWT | {"JwtJwksParameter": "/p/keys:2"}, "{{resolve:ssm:/p/keys:2}}"),
        ("API_KEYS", {"ApiKeysParameter": "api-keys"}, "{{resolve:ssm:api-keys}}"),
    ],
)
def test_what_is_kept_elsewhere_is_a_reference(variable, overrides, reference):
    def value(**overrides):
        return function(Stack(**overrides))["Environment"]["Variables"].get(variable)

    assert value() is None
    assert value(**overrides) == reference


def test_calls_are_counted_in_the_table_where_there_are_limits(stack):
    def table(some):
        return function(some)["Environment"]["Variables"].get("RATE_LIMIT_TABLE")

    assert table(stack) is None
    assert table(Stack(RateLimits="get_resume=60/1m")) == "ref-LimitsTable"
    assert table(Stack(**CONTACT)) == "ref-LimitsTable"


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
    limits = {"dynamodb:UpdateItem"}
    assert allowed(stack) == PLATFORM_ACTIONS
    assert allowed(Stack(RateLimits="get_resume=60/1m")) == PLATFORM_ACTIONS | limits
    assert allowed(Stack(**CONTACT)) == PLATFORM_ACTIONS | limits


def test_mail_is_sent_as_the_verified_identity_alone(full):
    (sending,) = [s for s in statements(full) if s["Action"] == "ses:SendEmail"]
    identity = "arn:aws:ses:us-east-1:123456789012:identity/"
    assert sending["Resource"] == [f"{identity}example.com", f"{identity}owner@example.com"]


def test_only_tracing_has_a_wildcard_for_a_resource(full):
    for statement in statements(full):
        resources = statement["Resource"]
        for resource in [resources] if isinstance(resources, str) else resources:
            if "*" in resource:
                assert set(statement["Action"]) == TRACING_ACTIONS


def test_only_this_api_may_invoke_the_function(stack):
    permission = stack.one("AWS::Lambda::Permission")
    assert permission["FunctionName"] == "ref-McpFunctionAliaslive"
    assert permission["Principal"] == "apigateway.amazonaws.com"
    assert permission["SourceArn"].endswith(":123456789012:ref-McpApi/*/*/*")


def test_the_limits_table_is_on_demand_encrypted_and_forgets(stack):
    table = stack.one("AWS::DynamoDB::Table")
    assert table["BillingMode"] == "PAY_PER_REQUEST"
    assert table["SSESpecification"] == {"SSEEnabled": True}
    assert table["TimeToLiveSpecification"] == {"AttributeName": "expires_at", "Enabled": True}
    assert table["KeySchema"] == [{"AttributeName": "pk", "KeyType": "HASH"}]


def test_the_stage_is_throttled(stack):
    (setting,) = stack.stage["MethodSettings"]
    assert setting["ResourcePath"] == "/*"
    assert setting["HttpMethod"] == "*"
    assert setting["ThrottlingRateLimit"] == "50"
    assert setting["ThrottlingBurstLimit"] == "100"
    (setting,) = Stack(ThrottleRate="7", ThrottleBurst="9").stage["MethodSettings"]
    assert (setting["ThrottlingRateLimit"], setting["ThrottlingBurstLimit"]) == ("7", "9")


def test_what_costs_or_needs_an_account_setting_is_off_by_default(stack):
    kinds = {resource["Type"] for resource in stack.resources.values()}
    assert not kinds & {
        "AWS::WAFv2::WebACL",
        "AWS::CloudFront::Distribution",
        "AWS::SNS::Topic",
        "AWS::ApiGateway::DomainName",
        "AWS::Route53::RecordSetGroup",
    }
    assert "AccessLogSetting" not in stack.stage
    assert stack.stage["TracingEnabled"] is False
    assert function(stack)["TracingConfig"] == {"Mode": "PassThrough"}


def test_waf_counts_by_address_and_blocks_in_json_rpc(full):
    acl = full.one("AWS::WAFv2::WebACL")
    (rule,) = acl["Rules"]
    rate = rule["Statement"]["RateBasedStatement"]
    assert (rate["AggregateKeyType"], rate["Limit"]) == ("IP", "1000")
    block = rule["Action"]["Block"]["CustomResponse"]
    assert block["ResponseCode"] == 429
    names = {h["Name"]: h["Value"] for h in block["ResponseHeaders"]}
    assert names["Access-Control-Allow-Origin"] == "*"
    assert int(names["Retry-After"]) > 0
    body = acl["CustomResponseBodies"][block["CustomResponseBodyKey"]]
    assert json.loads(body["Content"])["error"]["code"] == -32000
    association = full.one("AWS::WAFv2::WebACLAssociation")
    assert association["ResourceArn"].endswith("/restapis/ref-McpApi/stages/prod")


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


def test_alarms_point_at_sections_of_the_runbook(stack):
    runbook = (ROOT / "infra/runbook.md").read_text(encoding="utf-8")
    titles = set(re.findall(r"^## (.+)$", runbook, re.MULTILINE))
    for alarm in stack.of_type("AWS::CloudWatch::Alarm").values():
        (title,) = re.findall(r'Runbook, "([^"]+)"', alarm["Properties"]["AlarmDescription"])
        assert title in titles


def test_the_dashboard_is_json_and_shows_the_parts_of_this_stack(stack):
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
    for name in ("ref-McpFunction", "ref-LimitsTable", "ref-McpFunctionLogs"):
        assert name in text
    assert not Stack(Dashboard="false").of_type("AWS::CloudWatch::Dashboard")


@pytest.mark.parametrize(
    ("overrides", "endpoint"),
    [
        ({}, "https://ref-McpApi.execute-api.us-east-1.amazonaws.com/prod/mcp"),
        ({"StageName": "v1"}, "https://ref-McpApi.execute-api.us-east-1.amazonaws.com/v1/mcp"),
        (
            {k: EVERY_OPTION[k] for k in ("DomainName", "CertificateArn")},
            "https://mcp.example.com/mcp",
        ),
        (
            {k: EVERY_OPTION[k] for k in ("DomainName", "CertificateArn", "BasePath")},
            "https://mcp.example.com/portfolio/mcp",
        ),
        ({"CloudFront": "true"}, "https://Distribution.DomainName/mcp"),
    ],
)
def test_the_endpoint_is_an_output(overrides, endpoint):
    assert Stack(**overrides).outputs["McpEndpoint"] == endpoint


def test_a_domain_name_belongs_to_the_api_or_to_cloudfront():
    domain = {
        k: EVERY_OPTION[k] for k in ("DomainName", "CertificateArn", "HostedZoneId")
    }
    direct, edge = Stack(**domain), Stack(**domain, CloudFront="true")
    assert direct.one("AWS::ApiGateway::DomainName")["SecurityPolicy"] == "TLS_1_2"
    assert not edge.of_type("AWS::ApiGateway::DomainName")
    config = edge.one("AWS::CloudFront::Distribution")["DistributionConfig"]
    assert config["Aliases"] == ["mcp.example.com"]
    assert config["ViewerCertificate"]["MinimumProtocolVersion"] == "TLSv1.2_2021"
    for stack in (direct, edge):
        (records,) = stack.of_type("AWS::Route53::RecordSetGroup").values()
        assert {r["Name"] for r in records["Properties"]["RecordSets"]} == {"mcp.example.com"}
