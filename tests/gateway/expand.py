"""Expands template.yaml as AWS does: parameters, rules, the SAM transform, intrinsic functions.

What CloudFormation would look up in an account (ARNs, names of resources) gets a made-up but
recognisable value, so that the tests can follow references.
"""

import copy
import hashlib
import json
import os
import re
from pathlib import Path

os.environ.setdefault("AWS_DEFAULT_REGION", "us-east-1")

import boto3
import yaml
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator
from samtranslator.yaml_helper import yaml_parse

ROOT = Path(__file__).resolve().parents[2]
REGION = "us-east-1"
PSEUDO = {
    "AWS::AccountId": "123456789012",
    "AWS::Partition": "aws",
    "AWS::Region": REGION,
    "AWS::StackName": "portfolio",
    "AWS::URLSuffix": "amazonaws.com",
}
# Stands for AWS::NoValue until the containing map or list drops it.
GONE = object()


class RefusedParameter(Exception):
    """CloudFormation would refuse this parameter, with these words."""


def source(file="template.yaml"):
    """A template as it is written, with its included files, which CloudFormation expands first."""
    return included(yaml_parse((ROOT / file).read_text(encoding="utf-8")), (ROOT / file).parent)


def included(node, folder):
    """A template with the contents of AWS::Include in their places."""
    if isinstance(node, list):
        return [included(item, folder) for item in node]
    if not isinstance(node, dict):
        return node
    if "Fn::Transform" in node:
        assert set(node) == {"Fn::Transform"}, "AWS::Include here replaces a whole value"
        transform = node["Fn::Transform"]
        assert transform["Name"] == "AWS::Include"
        # AWS::Include knows no short tags such as !Ref, and neither does this loader.
        return yaml.safe_load((folder / transform["Parameters"]["Location"]).read_text(encoding="ascii"))
    return {key: included(value, folder) for key, value in node.items()}


def parameters(template, overrides):
    """The value of each parameter, checked the way CloudFormation checks it."""
    unknown = set(overrides) - set(template["Parameters"])
    if unknown:
        raise RefusedParameter(f"no such parameter: {', '.join(sorted(unknown))}")
    values = {}
    for name, spec in template["Parameters"].items():
        value = str(overrides.get(name, spec.get("Default", "")))
        said = f"{name}: {spec.get('ConstraintDescription', spec.get('AllowedValues'))}"
        if "AllowedValues" in spec and value not in [str(v) for v in spec["AllowedValues"]]:
            raise RefusedParameter(said)
        # CloudFormation matches the whole value, in Java's dialect, of which these are a part.
        if "AllowedPattern" in spec and not re.fullmatch(spec["AllowedPattern"], value):
            raise RefusedParameter(said)
        if spec["Type"] == "Number":
            if not re.fullmatch(r"-?\d+(\.\d+)?", value):
                raise RefusedParameter(said)
            if not spec.get("MinValue", -1e18) <= float(value) <= spec.get("MaxValue", 1e18):
                raise RefusedParameter(said)
        values[name] = value
    return values


class Resolver:
    """Resolves intrinsic functions for one set of parameter values."""

    def __init__(self, template, values):
        self.template = template
        self.values = values

    def condition(self, name):
        return self.resolve(self.template["Conditions"][name])

    def resolve(self, node):
        if isinstance(node, list):
            return [v for v in (self.resolve(item) for item in node) if v is not GONE]
        if not isinstance(node, dict):
            return node
        if len(node) == 1:
            (key, argument), = node.items()
            if key in ("Ref", "Condition") or key.startswith("Fn::"):
                if key != "Condition" or isinstance(argument, str):
                    return self.intrinsic(key, argument)
        resolved = {key: self.resolve(value) for key, value in node.items()}
        return {key: value for key, value in resolved.items() if value is not GONE}

    def intrinsic(self, key, argument):
        match key:
            case "Ref":
                return self.ref(argument)
            case "Condition":
                return self.condition(argument)
            case "Fn::If":
                name, yes, no = argument
                return self.resolve(yes if self.condition(name) else no)
            case "Fn::Equals":
                left, right = (str(self.resolve(v)) for v in argument)
                return left == right
            case "Fn::Not":
                return not self.resolve(argument[0])
            case "Fn::And":
                return all(self.resolve(v) for v in argument)
            case "Fn::Or":
                return any(self.resolve(v) for v in argument)
            case "Fn::GetAtt":
                path = argument.split(".") if isinstance(argument, str) else argument
                return self.attribute(path[0], ".".join(path[1:]))
            case "Fn::FindInMap":
                name, first, second = (self.resolve(v) for v in argument)
                return self.template["Mappings"][name][first][second]
            case "Fn::Join":
                separator, parts = argument[0], self.resolve(argument[1])
                return separator.join(str(v) for v in parts)
            case "Fn::Select":
                index, values = (self.resolve(v) for v in argument)
                return values[int(index)]
            case "Fn::Split":
                separator, text = (self.resolve(v) for v in argument)
                return str(text).split(separator)
            case "Fn::ImportValue":
                return f"import-{self.resolve(argument)}"
            case "Fn::Sub":
                return self.sub(argument)
        raise NotImplementedError(f"{key} is not interpreted by these tests")

    def sub(self, argument):
        text, names = argument if isinstance(argument, list) else (argument, {})

        def value(found):
            name = found.group(1)
            if name in names:
                return str(self.resolve(names[name]))
            logical, _, attribute = name.partition(".")
            return str(self.attribute(logical, attribute) if attribute else self.ref(name))

        return re.sub(r"\$\{([A-Za-z0-9:.]+)\}", value, text)

    def ref(self, name):
        if name == "AWS::NoValue":
            return GONE
        if name in PSEUDO:
            return PSEUDO[name]
        if name in self.values:
            return self.values[name]
        if name in self.template["Resources"]:
            return self.physical(name)
        raise KeyError(f"Ref to {name}, which does not exist")

    def physical(self, logical):
        """What `Ref` gives. A hosted configuration version gets a new number with each new content."""
        resource = self.template["Resources"][logical]
        if resource["Type"] == "AWS::AppConfig::HostedConfigurationVersion":
            content = json.dumps(self.resolve(resource["Properties"]), sort_keys=True)
            return hashlib.sha256(content.encode()).hexdigest()[:12]
        return f"ref-{logical}"

    def attribute(self, logical, attribute):
        resource = self.template["Resources"].get(logical)
        if resource is None:
            raise KeyError(f"GetAtt of {logical}, which does not exist")
        if attribute.endswith("Arn"):
            kind = resource["Type"].split("::")[1].lower()
            return f"arn:aws:{kind}:{REGION}:{PSEUDO['AWS::AccountId']}:{logical}"
        return f"{logical}.{attribute}"


class Stack:
    """What a deployment with these parameters consists of."""

    def __init__(self, file="template.yaml", code="code", content="content", **overrides):
        written = source(file)
        self.values = parameters(written, overrides)
        self.check_rules(written)
        for resource in written["Resources"].values():
            # As `sam package` leaves it: the key is the hash of what was uploaded.
            if resource["Type"] == "AWS::Serverless::Function":
                if "InlineCode" not in resource["Properties"]:
                    resource["Properties"]["CodeUri"] = f"s3://bucket/{code}"
            if resource["Type"] == "AWS::Serverless::LayerVersion":
                resource["Properties"]["ContentUri"] = f"s3://bucket/{content}"
        self.template = self.transform(written)
        self.resolver = Resolver(self.template, self.values)
        self.resources = {
            name: self.resolver.resolve(resource)
            for name, resource in self.template["Resources"].items()
            if "Condition" not in resource or self.resolver.condition(resource["Condition"])
        }
        self.outputs = {
            name: self.resolver.resolve(output["Value"])
            for name, output in self.template.get("Outputs", {}).items()
            if "Condition" not in output or self.resolver.condition(output["Condition"])
        }

    def transform(self, template):
        session = boto3.session.Session(region_name=REGION)
        translator = Translator({}, Parser(), boto_session=session)
        return translator.translate(copy.deepcopy(template), dict(self.values))

    def check_rules(self, template):
        resolver = Resolver(template, self.values)
        for rule in template.get("Rules", {}).values():
            if resolver.resolve(rule.get("RuleCondition", True)):
                for assertion in rule["Assertions"]:
                    if not resolver.resolve(assertion["Assert"]):
                        raise RefusedParameter(assertion["AssertDescription"])

    def of_type(self, kind):
        return {n: r for n, r in self.resources.items() if r["Type"] == kind}

    def one(self, kind):
        (found,) = self.of_type(kind).values()
        return found["Properties"]

    @property
    def function(self):
        return self.one("AWS::Lambda::Function")

    @property
    def version(self):
        """The published version that callers reach: another one for each change of these."""
        (found,) = self.of_type("AWS::Lambda::Version").items()
        return found

    @property
    def definition(self):
        """The API definition that API Gateway imports."""
        return self.one("AWS::ApiGateway::RestApi")["Body"]

    @property
    def stage(self):
        return self.one("AWS::ApiGateway::Stage")
