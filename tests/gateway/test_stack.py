"""What a deployment consists of, and the file of the template."""

import json
import re

import pytest
from expand import ROOT, Stack, source
from samcli.commands._utils.template import move_template
from samcli.yamlhelper import yaml_parse as sam_yaml


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
    assert stack.function["TracingConfig"] == {"Mode": "PassThrough"}


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
