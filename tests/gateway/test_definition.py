"""The API definition: who reaches the function, and what API Gateway answers by itself."""

import json
import re

import pytest
from api import ANY, GATEWAY_RESPONSES, INTEGRATION, VALIDATOR
from expand import ROOT, Stack, source

METHOD_NOT_ALLOWED = (
    '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Method not allowed."},"id":null}'
)
# Documents that the function writes.
DOCUMENTS = {
    "/",
    "/resume.json",
    "/resume.md",
    "/llms.txt",
    "/mcp/server-card",
    "/.well-known/ai-catalog.json",
    "/.well-known/mcp/catalog.json",
    "/.well-known/mcp/server-card.json",
    "/.well-known/mcp-registry-auth",
    "/.well-known/openai-apps-challenge",
    "/.well-known/glama.json",
    "/.well-known/security.txt",
    "/.well-known/atproto-did",
}
METADATA = {
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
}
DISCOVERY = {
    "JwtIssuer": "https://login.example.com",
    "JwtJwksUrl": "https://login.example.com/keys",
    "PublicUrl": "https://mcp.example.com",
    "AuthorizationServers": "https://login.example.com,https://b.example.com/tenant",
}
ENDPOINTS = {"/mcp"}


def integrations(definition):
    for path, operations in definition["paths"].items():
        for method, operation in operations.items():
            yield path, method, operation, operation[INTEGRATION]


def mocks(definition):
    return [row for row in integrations(definition) if row[3]["type"] == "mock"]


def test_only_post_and_get_of_a_document_reach_the_function(stack):
    reach = {
        (path, method)
        for path, method, _, integration in integrations(stack.definition)
        if integration["type"] != "mock"
    }
    expected = {(path, "post") for path in ENDPOINTS} | {(path, "get") for path in DOCUMENTS}
    assert reach == expected


def test_what_reaches_the_function_is_a_lambda_proxy_of_the_alias(stack):
    for path, method, _, integration in integrations(stack.definition):
        if integration["type"] == "mock":
            continue
        assert integration["type"] == "aws_proxy", path
        assert integration["httpMethod"] == "POST", path
        assert ":lambda:path/2015-03-31/functions/" in integration["uri"]
        assert integration["uri"].endswith(":live/invocations"), path
    assert stack.one("AWS::Lambda::Alias")["Name"] == "live"


NAMES = ROOT / "functions/portfolio/content/src/well_known.rs"


def test_the_gateway_has_a_path_for_each_text_of_the_owner(stack):
    names = re.findall(r'^    \("([a-z.-]+)", "', NAMES.read_text(encoding="utf-8"), re.M)
    assert len(names) >= 5
    for name in names:
        assert "get" in stack.definition["paths"][f"/.well-known/{name}"], name


def test_no_answer_to_a_post_is_cached(stack):
    """A cache of API Gateway has no part of the body in its key: it would mix up calls."""
    stage = stack.one("AWS::ApiGateway::Stage")
    assert not stage.get("CacheClusterEnabled") and not stage.get("CacheClusterSize")
    for settings in stage["MethodSettings"]:
        assert not settings.get("CachingEnabled"), settings


@pytest.mark.parametrize("path", sorted(ENDPOINTS))
def test_every_other_verb_on_the_endpoint_is_a_405(stack, path):
    operation = stack.definition["paths"][path][ANY]
    integration = operation[INTEGRATION]
    answer = integration["responses"]["default"]
    assert set(integration["responses"]) == {"default"}
    assert answer["statusCode"] == "405"
    assert answer["responseTemplates"] == {"application/json": METHOD_NOT_ALLOWED}
    assert headers(answer) == {
        "access-control-allow-origin": "*",
        "access-control-expose-headers": "WWW-Authenticate, Retry-After, MCP-Protocol-Version",
        "allow": "POST, OPTIONS",
        "cache-control": "no-store",
    }
    assert set(stack.definition["paths"][path]) == {"post", "options", ANY}


def test_no_mock_takes_its_status_from_the_caller(stack):
    assert mocks(stack.definition)
    for path, method, _, integration in mocks(stack.definition):
        status = int(integration["responses"]["default"]["statusCode"])
        templates = integration["requestTemplates"]
        assert "application/json" in templates, (path, method)
        for template in templates.values():
            assert json.loads(template) == {"statusCode": status}, (path, method)
        # `when_no_match` would take the status from the caller's body, or fail with 500.
        assert integration["passthroughBehavior"] == "never", (path, method)


def test_the_definition_has_a_server_of_its_own(stack):
    """SAM adds a server without `url` for DisableExecuteApiEndpoint; alone, it fails the import."""
    for parameters in ({}, {"PublicUrl": "https://mcp.example.com", "DefaultEndpoint": "disabled"}):
        for server in Stack(**parameters).definition["servers"]:
            assert server["url"] == "/"
    assert stack.one("AWS::ApiGateway::RestApi")["FailOnWarnings"] is True


def test_every_header_of_a_mock_is_declared(stack):
    for path, method, operation, integration in mocks(stack.definition):
        answer = integration["responses"]["default"]
        declared = operation["responses"][answer["statusCode"]].get("headers", {})
        assert {h.lower() for h in declared} == set(headers(answer)), (path, method)


def test_no_gateway_answer_names_an_authentication(stack):
    text = json.dumps([row[3] for row in mocks(stack.definition)]).lower()
    text += json.dumps(stack.definition[GATEWAY_RESPONSES]).lower()
    assert "header.www-authenticate" not in text
    assert "security" not in stack.definition
    for _, _, operation, _ in integrations(stack.definition):
        assert "security" not in operation


def test_unknown_paths_are_404_before_their_content_type_counts(stack):
    operations = stack.definition["paths"]["/{proxy+}"]
    assert set(operations) == {ANY}
    assert operations[ANY][VALIDATOR] == "parameters"
    (header,) = [p for p in operations[ANY]["parameters"] if p["in"] == "header"]
    assert header["required"] is True
    # No other method has a validator, so its gateway response speaks of unknown paths alone.
    for path, _, operation, _ in integrations(stack.definition):
        assert (VALIDATOR in operation) == (path == "/{proxy+}")
    said = stack.definition[GATEWAY_RESPONSES]["BAD_REQUEST_PARAMETERS"]
    body = json.loads(said["responseTemplates"]["application/json"])
    assert body["error"]["message"] == "There is nothing at this path."


def test_resource_metadata_is_published_where_clients_find_it():
    assert not METADATA & set(Stack().definition["paths"])
    paths = Stack(**DISCOVERY).definition["paths"]
    for path in METADATA:
        said = paths[path]["get"][INTEGRATION]["responses"]["default"]
        assert json.loads(said["responseTemplates"]["application/json"]) == {
            "resource": "https://mcp.example.com/mcp",
            "authorization_servers": ["https://login.example.com", "https://b.example.com/tenant"],
            "bearer_methods_supported": ["header"],
            "scopes_supported": ["contact:send"],
        }


def test_resource_metadata_name_the_scope_as_the_issuer_does():
    paths = Stack(**DISCOVERY, JwtScopePrefix="https://mcp.example.com/").definition["paths"]
    for path in METADATA:
        said = paths[path]["get"][INTEGRATION]["responses"]["default"]
        document = json.loads(said["responseTemplates"]["application/json"])
        assert document["scopes_supported"] == ["https://mcp.example.com/contact:send"]


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("BAD_REQUEST_PARAMETERS", "404"),
        ("DEFAULT_4XX", None),
        ("DEFAULT_5XX", None),
        ("INTEGRATION_FAILURE", "502"),
        ("INTEGRATION_TIMEOUT", "504"),
        ("INVALID_SIGNATURE", "405"),
        ("MISSING_AUTHENTICATION_TOKEN", "405"),
        ("REQUEST_TOO_LARGE", "413"),
        ("THROTTLED", "429"),
        ("UNSUPPORTED_MEDIA_TYPE", "405"),
    ],
)
def test_gateway_responses_are_json_rpc_errors_that_pages_can_read(stack, kind, status):
    response = stack.definition[GATEWAY_RESPONSES][kind]
    assert response.get("statusCode") == status
    said = {
        name.removeprefix("gatewayresponse.header.").lower(): value.strip("'")
        for name, value in response["responseParameters"].items()
    }
    assert said["access-control-allow-origin"] == "*"
    assert said["cache-control"] == "no-store"
    (template,) = response["responseTemplates"].values()
    body = json.loads(template.replace("$context.error.messageString", '"said by the gateway"'))
    assert body["jsonrpc"] == "2.0"
    assert body["error"]["message"]
    assert -32768 <= body["error"]["code"] <= -32000
    assert ("retry-after" in said) == (kind == "THROTTLED")
    if kind == "UNSUPPORTED_MEDIA_TYPE":
        assert said["allow"] == "POST, OPTIONS"
        assert template == METHOD_NOT_ALLOWED
    elif status == "405":
        assert said["allow"] == "GET, HEAD, OPTIONS"


def test_no_gateway_response_is_left_to_api_gateway(stack):
    tested = {
        "BAD_REQUEST_PARAMETERS", "DEFAULT_4XX", "DEFAULT_5XX", "INTEGRATION_FAILURE",
        "INTEGRATION_TIMEOUT", "INVALID_SIGNATURE", "MISSING_AUTHENTICATION_TOKEN",
        "REQUEST_TOO_LARGE", "THROTTLED", "UNSUPPORTED_MEDIA_TYPE",
    }
    assert set(stack.definition[GATEWAY_RESPONSES]) == tested


def test_answers_are_never_taken_for_binary(stack):
    assert "x-amazon-apigateway-binary-media-types" not in stack.definition
    assert "BinaryMediaTypes" not in stack.one("AWS::ApiGateway::RestApi")


@pytest.mark.parametrize("seconds", source()["Parameters"]["TimeoutSeconds"]["AllowedValues"])
def test_one_parameter_sets_the_timeouts_in_order(seconds):
    stack = Stack(TimeoutSeconds=seconds)
    function_ms = int(stack.one("AWS::Lambda::Function")["Timeout"]) * 1000
    assert function_ms == int(seconds) * 1000
    for path, _, _, integration in integrations(stack.definition):
        if integration["type"] == "aws_proxy":
            # API Gateway's upper bound, below the 30 s that the Python SDK waits.
            assert function_ms < integration["timeoutInMillis"] <= 29_000, path
    edge = Stack("infra/cloudfront.yaml", ApiHost="a.execute-api.us-east-1.amazonaws.com")
    for origin in edge.one("AWS::CloudFront::Distribution")["DistributionConfig"]["Origins"]:
        read_ms = origin["CustomOriginConfig"]["OriginReadTimeout"] * 1000
        assert integration_ms(stack) < read_ms


def test_calls_end_within_seconds_by_default(stack):
    assert stack.one("AWS::Lambda::Function")["Timeout"] == "10"


def integration_ms(stack):
    return stack.definition["paths"]["/mcp"]["post"][INTEGRATION]["timeoutInMillis"]


@pytest.mark.parametrize("legal", source()["Parameters"]["ResponseStreaming"]["AllowedValues"])
def test_a_gateway_streams_exactly_when_the_function_does(legal):
    """A function that answers in the form its gateway does not read is a bare 502."""
    stack = Stack(ResponseStreaming=legal)
    variables = stack.one("AWS::Lambda::Function")["Environment"]["Variables"]
    assert variables["RESPONSE_STREAMING"] == legal
    for path, _, _, integration in integrations(stack.definition):
        if integration["type"] == "aws_proxy":
            streams = integration.get("responseTransferMode") == "STREAM"
            assert streams == (legal == "true"), path
            assert streams == integration["uri"].endswith("/response-streaming-invocations"), path


def test_streaming_uses_the_streaming_invocation():
    off, on = Stack(), Stack(ResponseStreaming="true")
    post = on.definition["paths"]["/mcp"]["post"][INTEGRATION]
    assert post["responseTransferMode"] == "STREAM"
    assert "/2021-11-15/functions/" in post["uri"]
    assert post["uri"].endswith(":live/response-streaming-invocations")
    assert "responseTransferMode" not in off.definition["paths"]["/mcp"]["post"][INTEGRATION]
    # SAM hashes the definition before conditions: without this the stage would keep the old one.
    assert source()["Resources"]["McpApi"]["Properties"]["AlwaysDeploy"] is True


def headers(answer):
    return {
        name.removeprefix("method.response.header.").lower(): value.strip("'")
        for name, value in answer.get("responseParameters", {}).items()
    }
