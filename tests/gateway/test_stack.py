"""What a deployment consists of, and that its names exist in the code."""

import json
import os
import re

import pytest
from expand import ROOT, Stack, source
from rust import environment_variables, sdk_actions
from samcli.commands._utils.template import move_template
from samcli.yamlhelper import yaml_parse as sam_yaml

# Read by the function, but not set on AWS, with the reason.
NOT_ON_AWS = {
    "ALLOWED_HOSTS": "API Gateway passes on only its own names",
    "API_KEYS": "read from SSM, by API_KEYS_PARAMETER",
    "CONTACT_OUTBOX": "a file would be gone with its instance",
    "JWT_JWKS": "read from SSM, by JWT_JWKS_PARAMETER",
    "JWT_SECRET": "read from SSM, by JWT_SECRET_PARAMETER",
    "REQUEST_STATE_KEY": "kept in the limits table, by REQUEST_STATE_TABLE",
    "RESEND_API_KEY": "read from SSM, by RESEND_API_KEY_PARAMETER",
    "RESEND_BASE_URL": "the address of the API is the default",
    "SECRETS_TTL_S": "the default holds",
}
# What Lambda itself needs of the role, on behalf of the function.
PLATFORM_ACTIONS = {"logs:CreateLogStream", "logs:PutLogEvents"}
TRACING_ACTIONS = {"xray:PutTelemetryRecords", "xray:PutTraceSegments"}
EVERY_OPTION = {
    "TaskFunction": "arn:aws:lambda:us-east-1:123456789012:function:portfolio-tasks-Worker-1:live",
    "AlarmEmail": "owner@example.com",
    "AccessLogs": "true",
    "Tracing": "Active",
    "PublicUrl": "https://mcp.example.com",
    "ContactProvider": "ses",
    "ContactTo": "owner@example.com",
    "ContactFrom": "Portfolio <portfolio@example.com>",
    "SesIdentity": "example.com",
    "ApiKeys": "on",
}
ISSUER = "https://login.example.com"


@pytest.fixture(scope="module")
def full():
    return Stack(**EVERY_OPTION)


def function(stack):
    return stack.one("AWS::Lambda::Function")


def statements(stack):
    role = stack.resources["McpFunctionRole"]["Properties"]
    assert "ManagedPolicyArns" not in role
    for policy in role["Policies"]:
        yield from policy["PolicyDocument"]["Statement"]


@pytest.mark.parametrize("template", ["template.yaml", "infra/function-url.yaml"])
def test_what_builds_the_function_exists(template):
    """SAM reports a name that does not exist only when it builds, which takes minutes."""
    folder, document = (ROOT / template).parent, source(template)
    resource = document["Resources"]["McpFunction"]
    assert resource["Metadata"]["BuildMethod"] == "makefile"
    makefile = (folder / resource["Properties"]["CodeUri"] / "Makefile").read_text(encoding="utf-8")
    assert "\nbuild-McpFunction:\n" in makefile
    assert os.access(folder / resource["Properties"]["CodeUri"] / "rust-lld", os.X_OK)
    assert (ROOT / "functions/portfolio/src/main.rs").is_file()
    machines = {"arm64": "aarch64", "x86_64": "x86_64"}
    assert set(document["Parameters"]["Architecture"]["AllowedValues"]) == machines.keys()
    for architecture, machine in machines.items():
        working = folder / resource["Metadata"]["WorkingDirectory"]["Fn::Sub"].replace("${Architecture}", architecture)
        assert (working / "target.mk").read_text(encoding="utf-8") == f"MACHINE := {machine}\n"
        # SAM copies the folders below CodeUri, and the copy has no sources.
        assert not working.is_relative_to(folder / resource["Properties"]["CodeUri"])


def test_the_function_is_small_and_ends_soon(stack):
    made = function(stack)
    assert made["Runtime"] == "provided.al2023"
    assert made["Handler"] == "bootstrap"
    assert made["MemorySize"] == 256
    assert made["Timeout"] == "10"
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


def test_no_parameter_and_no_variable_holds_a_secret():
    for name, value in source()["Parameters"].items():
        assert not re.search(r"(?i)(secret|password|token|apikey|key)$", name), name
        assert value["Type"] in ("String", "Number"), name
    text = json.dumps(source()["Resources"]["McpFunction"]["Properties"])
    assert "{{resolve:" not in text


CONTACT = {
    "ContactProvider": "resend",
    "ContactTo": "owner@example.com",
    "ContactFrom": "portfolio@example.com",
    "ContactAuth": "none",
}
JWT = {"JwtIssuer": ISSUER}


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
        return function(Stack(**overrides))["Environment"]["Variables"].get(variable)

    assert value() is None
    stack = Stack(**overrides)
    assert value(**overrides) == f"/portfolio/{parameter}"
    assert stack.outputs["ParameterPath"] == "/portfolio/"
    (reading,) = [s for s in statements(stack) if s["Action"] == "ssm:GetParameters"]
    assert reading["Resource"].endswith(":parameter/portfolio/*")


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
    limits, secrets = {"dynamodb:UpdateItem"}, {"ssm:GetParameters"}
    assert allowed(stack) == PLATFORM_ACTIONS
    assert allowed(Stack(RateLimits="get_resume=60/1m")) == PLATFORM_ACTIONS | limits
    assert allowed(Stack(**CONTACT)) == PLATFORM_ACTIONS | limits | secrets
    assert allowed(Stack(ApiKeys="on")) == PLATFORM_ACTIONS | secrets
    # The key of the session ids is kept in the table of the limits.
    assert allowed(Stack(LegacyHandshake="required")) == PLATFORM_ACTIONS | limits


def test_a_required_handshake_has_the_key_that_it_needs():
    def table(**parameters):
        function = Stack(**parameters).one("AWS::Lambda::Function")
        return function["Environment"]["Variables"].get("REQUEST_STATE_TABLE")

    assert table() is None
    assert table(LegacyHandshake="required") == "ref-LimitsTable"


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
        "AWS::Budgets::Budget",
        "AWS::SecretsManager::Secret",
        "AWS::CloudWatch::Dashboard",
    }
    assert "AccessLogSetting" not in stack.stage
    assert stack.stage["TracingEnabled"] is False
    assert function(stack)["TracingConfig"] == {"Mode": "PassThrough"}


@pytest.mark.parametrize(
    ("file", "parameters"),
    [
        ("infra/waf.yaml", {"RequestsPerFiveMinutes": "1000"}),
        (
            "infra/cloudfront.yaml",
            {"ApiHost": "a1.execute-api.us-east-1.amazonaws.com", "RequestsPerFiveMinutes": "1000"},
        ),
    ],
)
def test_waf_counts_by_address_and_blocks_in_json_rpc(file, parameters):
    acl = Stack(file, **parameters).one("AWS::WAFv2::WebACL")
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


def test_the_budget_warns_the_owner(stack, full):
    budget = full.one("AWS::Budgets::Budget")
    assert budget["Budget"]["BudgetLimit"] == {"Amount": "5", "Unit": "USD"}
    (warning,) = budget["NotificationsWithSubscribers"]
    assert warning["Subscribers"] == [{"SubscriptionType": "EMAIL", "Address": "owner@example.com"}]
    assert not Stack(**EVERY_OPTION | {"MonthlyBudget": "0"}).of_type("AWS::Budgets::Budget")


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


def test_metrics_of_the_log_have_an_alarm_where_they_are_on(stack):
    assert function(stack)["Environment"]["Variables"]["LOG_METRICS"] == "off"
    assert "DeniedAlarm" not in stack.resources
    on = Stack(Metrics="totals")
    assert function(on)["Environment"]["Variables"]["LOG_METRICS"] == "totals"
    alarm = on.resources["DeniedAlarm"]["Properties"]
    code = (ROOT / "src/lambda/metrics.rs").read_text(encoding="utf-8")
    assert f'NAMESPACE: &str = "{alarm["Namespace"]}"' in code
    assert f'DURATION: &str = "{alarm["MetricName"]}"' in code
    assert [d["Name"] for d in alarm["Dimensions"]] == ["service", "outcome"]
    assert alarm["Dimensions"][0]["Value"] == "ref-McpFunction"
    assert f'"{alarm["Dimensions"][1]["Value"]}"' in (ROOT / "src/log.rs").read_text(encoding="utf-8")


def test_alarms_point_at_sections_of_the_runbook():
    runbook = (ROOT / "infra/runbook.md").read_text(encoding="utf-8")
    titles = set(re.findall(r"^## (.+)$", runbook, re.MULTILINE))
    for alarm in Stack(Metrics="all").of_type("AWS::CloudWatch::Alarm").values():
        (title,) = re.findall(r'Runbook, "([^"]+)"', alarm["Properties"]["AlarmDescription"])
        assert title in titles


def test_the_dashboard_is_json_and_shows_the_parts_of_the_main_stack():
    stack = Stack("infra/dashboard.yaml", MainStack="portfolio")
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
    for name in ("FunctionName", "LimitsTableName", "FunctionLogGroup"):
        assert f"import-portfolio-{name}" in text
    # `...` repeats the row above, as far as a row is shorter.
    (outcomes,) = [w["properties"] for w in dashboard["widgets"] if "outcome" in w["properties"].get("title", "")]
    assert outcomes["metrics"][0][:6] == [
        "lambda-mcp", "duration_us", "service", "import-portfolio-FunctionName", "outcome", "ok",
    ]
    assert outcomes["stat"] == "SampleCount"
    alarms = dashboard["widgets"][0]["properties"]["alarms"]
    assert len(alarms) == 4
    assert all(":alarm:import-portfolio-" in alarm for alarm in alarms)


@pytest.mark.parametrize("file", ["infra/domain.yaml", "infra/waf.yaml", "infra/dashboard.yaml"])
def test_what_another_stack_imports_is_exported(file):
    exported = {
        output["Export"]["Name"]["Fn::Sub"].removeprefix("${AWS::StackName}-")
        for output in source()["Outputs"].values()
        if "Export" in output
    }
    imported = set(re.findall(r"\$\{MainStack\}-([A-Za-z]+)", (ROOT / file).read_text(encoding="utf-8")))
    assert imported
    assert imported <= exported


DOMAIN = {
    "DomainName": "mcp.example.com",
    "CertificateArn": "arn:aws:acm:us-east-1:123456789012:certificate/1b2c",
}


@pytest.mark.parametrize(
    ("base_path", "endpoint", "public_url"),
    [
        ("", "https://mcp.example.com/mcp", "https://mcp.example.com"),
        ("api", "https://mcp.example.com/api/mcp", ""),
    ],
)
def test_a_domain_name_is_mapped_to_the_stage(base_path, endpoint, public_url):
    stack = Stack("infra/domain.yaml", **DOMAIN, BasePath=base_path, HostedZoneId="Z0123456789ABCDEFGHIJ")
    assert stack.outputs["McpEndpoint"] == endpoint
    assert stack.outputs["PublicUrl"] == public_url
    assert stack.one("AWS::ApiGateway::DomainName")["SecurityPolicy"] == "TLS_1_2"
    mapping = stack.one("AWS::ApiGateway::BasePathMapping")
    assert mapping["RestApiId"] == "import-portfolio-ApiId"
    assert mapping.get("BasePath", "") == base_path
    (records,) = stack.of_type("AWS::Route53::RecordSetGroup").values()
    assert {r["Name"] for r in records["Properties"]["RecordSets"]} == {"mcp.example.com"}


@pytest.mark.parametrize(
    ("overrides", "endpoint"),
    [
        ({}, "https://ref-McpApi.execute-api.us-east-1.amazonaws.com/prod/mcp"),
        ({"StageName": "v1"}, "https://ref-McpApi.execute-api.us-east-1.amazonaws.com/v1/mcp"),
        ({"PublicUrl": "https://mcp.example.com"}, "https://mcp.example.com/mcp"),
    ],
)
def test_the_endpoint_is_an_output(overrides, endpoint):
    assert Stack(**overrides).outputs["McpEndpoint"] == endpoint


def test_the_template_stays_far_below_the_size_of_a_request_to_cloudformation():
    """The bound is 51,200 bytes. infra/api.yaml is not part of the request: it is read from S3."""
    text = (ROOT / "template.yaml").read_text(encoding="utf-8")
    assert len(text.encode()) < 40_000
    assert len(text.splitlines()) < 500


def test_every_condition_and_mapping_is_used():
    """cfn-lint cannot check it: it does not read the included file."""
    template = source()
    text = json.dumps([template["Resources"], template["Outputs"], template["Conditions"]])
    for name in template["Conditions"]:
        assert re.search(rf'"Condition": "{name}"|"Fn::If": \["{name}"', text), name
    for name in template["Mappings"]:
        assert f'"Fn::FindInMap": ["{name}"' in text, name


@pytest.mark.parametrize("file", ["template.yaml", ".aws-sam/build/template.yaml"])
def test_the_included_file_is_found_and_has_the_long_forms(tmp_path, file):
    """SAM rewrites the path when it builds; AWS::Include reads neither short tags nor aliases."""
    text = (ROOT / "infra/api.yaml").read_text(encoding="ascii")
    assert not re.search(r"(?m)(^|[\s\[{,])[!&*][A-Za-z]", re.sub(r"(?m)^\s*#.*$|'[^']*'|\"[^\"]*\"", "", text))
    built = tmp_path / file
    built.parent.mkdir(parents=True, exist_ok=True)
    moved = move_template(str(ROOT / "template.yaml"), str(built), sam_yaml((ROOT / "template.yaml").read_text(encoding="utf-8")))
    assert moved is None
    location = sam_yaml(built.read_text(encoding="utf-8"))
    location = location["Resources"]["McpApi"]["Properties"]["DefinitionBody"]["Fn::Transform"]
    assert location["Name"] == "AWS::Include"
    assert (built.parent / location["Parameters"]["Location"]).resolve() == ROOT / "infra/api.yaml"
