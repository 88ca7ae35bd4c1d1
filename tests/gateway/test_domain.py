"""The address of the endpoint, and the stacks in front of it: a domain name and AWS WAF."""

import json
import re

import pytest
from expand import ROOT, Stack, source


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
