"""infra/cloudfront.yaml. The code of its function is run in Node.js."""

import json
import shutil
import subprocess

import pytest
from expand import ROOT, Stack
from samtranslator.yaml_helper import yaml_parse

FILE = "infra/cloudfront.yaml"
EDGE = yaml_parse((ROOT / FILE).read_text(encoding="utf-8"))
HOST = "a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com"
CERTIFICATE = "arn:aws:acm:us-east-1:123456789012:certificate/1b2c"
DOMAIN = {
    "DomainName": "mcp.example.com",
    "CertificateArn": CERTIFICATE,
    "HostedZoneId": "Z0123456789ABCDEFGHIJ",
}
NODE = shutil.which("node")


def distribution(**overrides):
    return Stack(FILE, ApiHost=HOST, **overrides).one("AWS::CloudFront::Distribution")["DistributionConfig"]


def through_the_edge(headers, status="401"):
    """What the edge function makes of the origin's answer."""
    code = EDGE["Resources"]["ChallengeFunction"]["Properties"]["InlineCode"]
    event = {"Records": [{"cf": {"response": {"status": status, "headers": headers}}}]}
    script = f"{code}\nexports.handler({json.dumps(event)}).then(r => console.log(JSON.stringify(r)));"
    done = subprocess.run(
        [NODE, "-e", script], capture_output=True, text=True, timeout=30, check=True
    )
    return json.loads(done.stdout)


@pytest.mark.skipif(not NODE, reason="Node.js is not installed")
def test_the_challenge_gets_its_name_back():
    value = 'Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource"'
    remapped = [{"key": "x-amzn-Remapped-WWW-Authenticate", "value": value}]
    other = [{"key": "Content-Type", "value": "application/json"}]
    answer = through_the_edge(
        {"x-amzn-remapped-www-authenticate": remapped, "content-type": other}
    )
    assert answer["status"] == "401"
    assert answer["headers"] == {
        "content-type": other,
        "www-authenticate": [{"key": "WWW-Authenticate", "value": value}],
    }


@pytest.mark.skipif(not NODE, reason="Node.js is not installed")
def test_other_answers_stay_as_they_are():
    headers = {"allow": [{"key": "Allow", "value": "POST, OPTIONS"}]}
    assert through_the_edge(headers, "405") == {"status": "405", "headers": headers}


def test_the_edge_function_is_called_where_errors_pass():
    """CloudFront calls nothing at viewer-response for an answer of 400 and above."""
    default = distribution()["DefaultCacheBehavior"]
    (association,) = default["LambdaFunctionAssociations"]
    assert association["EventType"] == "origin-response"
    assert association["LambdaFunctionARN"].startswith("ref-ChallengeFunctionVersion")
    assert "FunctionAssociations" not in default


def test_the_edge_function_may_do_nothing_else():
    role = EDGE["Resources"]["ChallengeRole"]["Properties"]
    assert not {"Policies", "ManagedPolicyArns"} & set(role)
    assert not EDGE["Resources"]["ChallengeFunction"]["Properties"].get("Environment")


def test_only_documents_are_cached_and_for_a_short_time():
    config = distribution()
    caching_disabled = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad"
    assert config["DefaultCacheBehavior"]["CachePolicyId"] == caching_disabled
    cached = {b["PathPattern"]: b["CachePolicyId"] for b in config["CacheBehaviors"]}
    assert cached == {
        "/": "ref-DocumentCache",
        "/resume.*": "ref-DocumentCache",
        "/llms.txt": "ref-DocumentCache",
        "/.well-known/*": "ref-DocumentCache",
        "/mcp/server-card": "ref-DocumentCache",
    }
    policy = Stack(FILE, ApiHost=HOST).one("AWS::CloudFront::CachePolicy")["CachePolicyConfig"]
    assert (policy["MinTTL"], policy["DefaultTTL"]) == (0, 0)
    assert policy["MaxTTL"] <= 300
    # CloudFront caches answers to GET and HEAD, and to OPTIONS if told so; never those to POST.
    for behavior in [config["DefaultCacheBehavior"], *config["CacheBehaviors"]]:
        assert "CachedMethods" not in behavior
    # A cache key with the viewer's Host would send it to the API, which does not know it.
    forwarded = policy["ParametersInCacheKeyAndForwardedToOrigin"]
    assert forwarded["HeadersConfig"] == {"HeaderBehavior": "none"}


def test_no_request_leaves_the_distribution_unencrypted_or_redirected():
    config = distribution()
    for behavior in [config["DefaultCacheBehavior"], *config["CacheBehaviors"]]:
        assert behavior["ViewerProtocolPolicy"] == "https-only"
    (origin,) = config["Origins"]
    assert origin["CustomOriginConfig"]["OriginProtocolPolicy"] == "https-only"
    assert origin["OriginPath"] == "/prod"
    assert {"POST", "OPTIONS", "DELETE"} <= set(config["DefaultCacheBehavior"]["AllowedMethods"])


def test_no_header_of_a_viewer_changes_what_is_cached_for_everybody():
    """`X-HTTP-Method-Override: HEAD` would put an empty answer into the cache, `Origin` a foreign CORS header."""
    for behavior in distribution()["CacheBehaviors"]:
        assert "OriginRequestPolicyId" not in behavior
        assert behavior["AllowedMethods"] == ["GET", "HEAD", "OPTIONS"]


def test_a_domain_name_belongs_to_the_distribution():
    edge = Stack(FILE, ApiHost=HOST, **DOMAIN)
    config = edge.one("AWS::CloudFront::Distribution")["DistributionConfig"]
    assert config["Aliases"] == ["mcp.example.com"]
    assert config["ViewerCertificate"]["MinimumProtocolVersion"] == "TLSv1.2_2021"
    (records,) = edge.of_type("AWS::Route53::RecordSetGroup").values()
    assert {r["Name"] for r in records["Properties"]["RecordSets"]} == {"mcp.example.com"}
    assert edge.outputs["PublicUrl"] == "https://mcp.example.com"
    assert Stack(FILE, ApiHost=HOST).outputs["McpEndpoint"] == "https://Distribution.DomainName/mcp"


def test_the_web_acl_is_an_option():
    assert not Stack(FILE, ApiHost=HOST).of_type("AWS::WAFv2::WebACL")
    edge = Stack(FILE, ApiHost=HOST, RequestsPerFiveMinutes="1000")
    assert edge.one("AWS::WAFv2::WebACL")["Scope"] == "CLOUDFRONT"
    assert edge.one("AWS::CloudFront::Distribution")["DistributionConfig"]["WebACLId"].endswith(":AddressLimit")
