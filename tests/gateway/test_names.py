"""Names of AWS in all templates: actions of IAM and metrics of CloudWatch exist.

CloudFormation accepts any name. A permission with a wrong one allows nothing, and an alarm on a wrong one never rings.
"""

import fnmatch
import importlib.resources
import json
import re

import pytest
from expand import ROOT
from samtranslator.yaml_helper import yaml_parse

TEMPLATES = sorted(
    path.relative_to(ROOT)
    for pattern in ("template.yaml", "infra/*.yaml", "infra/*/oidc.yaml", "templates/*/template.yaml")
    for path in ROOT.glob(pattern)
    if path.name != "api.yaml"
)
# What AWS publishes for its policy editor, as cfn-lint brings it: service → actions in lower case.
ACTIONS = json.loads(
    (importlib.resources.files("cfnlint") / "data/AdditionalSpecs/Policies.json").read_text(encoding="utf-8")
)


def objects(node):
    """Every object below a node of a template."""
    if isinstance(node, dict):
        yield node
        node = list(node.values())
    if isinstance(node, list):
        for item in node:
            yield from objects(item)


def actions(node):
    """The actions of the policies and permissions in a template."""
    for found in objects(node):
        for key in ("Action", "NotAction"):
            named = found.get(key)
            for action in [named] if isinstance(named, str) else named if isinstance(named, list) else []:
                yield action


def metrics(path, node):
    """The metrics of AWS in a template, as (namespace, name): those of alarms, and those in the text of a dashboard."""
    for found in objects(node):
        if "MetricName" in found and str(found.get("Namespace", "")).startswith("AWS/"):
            yield found["Namespace"], found["MetricName"]
    yield from re.findall(r'"(AWS/\w+)", "(\w+)"', path.read_text(encoding="utf-8"))


def is_published(action):
    service, _, name = action.lower().partition(":")
    return any(fnmatch.fnmatchcase(known, name) for known in ACTIONS.get(service, {}).get("Actions", {}))


def published_metrics():
    known = json.loads((ROOT / "tests/gateway/published_metrics.json").read_text(encoding="utf-8"))
    return {(space, name) for lists in known.values() for space, names in lists.items() for name in names}


@pytest.mark.parametrize("file", TEMPLATES, ids=str)
def test_every_action_is_one_of_iam(file):
    named = set(actions(yaml_parse((ROOT / file).read_text(encoding="utf-8"))))
    unknown = {action for action in named if not is_published(action)}
    assert not unknown, unknown


@pytest.mark.parametrize("file", TEMPLATES, ids=str)
def test_every_metric_is_one_of_its_service(file):
    named = set(metrics(ROOT / file, yaml_parse((ROOT / file).read_text(encoding="utf-8"))))
    assert named <= published_metrics(), named - published_metrics()


def test_the_names_are_found_and_wrong_ones_are_seen():
    everything = {str(file): yaml_parse((ROOT / file).read_text(encoding="utf-8")) for file in TEMPLATES}
    assert "lambda:CheckpointDurableExecution" in set(actions(everything["infra/tasks.yaml"]))
    assert len(set(actions(everything["infra/github/oidc.yaml"]))) > 100
    found = {pair for file in TEMPLATES for pair in metrics(ROOT / file, everything[str(file)])}
    assert {("AWS/Lambda", "DurableExecutionFailed"), ("AWS/DynamoDB", "WriteThrottleEvents")} <= found
    for wrong in ("lambda:GetDurableExecutions", "lambda:Invoke", "sqs2:SendMessage", "s3:Fetch*"):
        assert not is_published(wrong), wrong
    assert is_published("s3:*")
