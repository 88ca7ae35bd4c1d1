"""infra/edge.yaml, and how the distribution uses it. The function's code is run in Node.js."""

import json
import shutil
import subprocess

import pytest
from expand import ROOT, Stack
from samtranslator.yaml_helper import yaml_parse

EDGE = yaml_parse((ROOT / "infra/edge.yaml").read_text(encoding="utf-8"))
VERSION = "arn:aws:lambda:us-east-1:123456789012:function:challenge:3"
NODE = shutil.which("node")


def distribution(**overrides):
    stack = Stack(CloudFront="true", **overrides)
    return stack.one("AWS::CloudFront::Distribution")["DistributionConfig"]


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
    default = distribution(EdgeChallengeFunctionArn=VERSION)["DefaultCacheBehavior"]
    assert default["LambdaFunctionAssociations"] == [
        {"EventType": "origin-response", "LambdaFunctionARN": VERSION}
    ]
    assert "FunctionAssociations" not in default
    assert "LambdaFunctionAssociations" not in distribution()["DefaultCacheBehavior"]


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
        "/.well-known/*": "ref-DocumentCache",
        "/mcp/server-card": "ref-DocumentCache",
    }
    policy = Stack(CloudFront="true").one("AWS::CloudFront::CachePolicy")["CachePolicyConfig"]
    assert (policy["MinTTL"], policy["DefaultTTL"]) == (0, 0)
    assert policy["MaxTTL"] <= 300
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
