"""infra/github: the workflow and its roles, against the claims of GitHub's tokens and the resources of the stack."""

import fnmatch
import re
import subprocess

import pytest
import yaml
from expand import ROOT, Stack
from options import EVERY_OPTION
from test_tasks import WORKER

WORKFLOW = yaml.safe_load((ROOT / "infra/github/deploy.yml").read_text(encoding="utf-8"))
OIDC = "infra/github/oidc.yaml"
DEPLOY = (ROOT / "infra/tools/deploy.py").read_text(encoding="utf-8")
SUBJECT = "repo:ada/portfolio:ref:refs/heads/main"
ISSUER = "token.actions.githubusercontent.com"


@pytest.fixture(scope="module")
def oidc():
    return Stack(OIDC, Repository="ada/portfolio")


def role(stack, name):
    return stack.resources[name]["Properties"]


def statements(stack, name):
    (policy,) = role(stack, name)["Policies"]
    return policy["PolicyDocument"]["Statement"]


def listed(value):
    return [value] if isinstance(value, str) else value


def assumed_by(stack, claims):
    """Whether the trust policy lets a token with these claims take the role."""
    (statement,) = role(stack, "WorkflowRole")["AssumeRolePolicyDocument"]["Statement"]
    assert statement["Effect"] == "Allow"
    assert statement["Action"] == "sts:AssumeRoleWithWebIdentity"
    # StringEquals alone, so that no `*` of a name can match more than it says.
    assert set(statement["Condition"]) == {"StringEquals"}
    wanted = statement["Condition"]["StringEquals"]
    assert set(wanted) == {f"{ISSUER}:aud", f"{ISSUER}:sub"}
    return all(claims[key.removeprefix(f"{ISSUER}:")] == value for key, value in wanted.items())


@pytest.mark.parametrize(
    ("subject", "audience", "may"),
    [
        (SUBJECT, "sts.amazonaws.com", True),
        (SUBJECT, "https://github.com/ada", False),
        ("repo:ada/portfolio:pull_request", "sts.amazonaws.com", False),
        ("repo:ada/portfolio:ref:refs/heads/main2", "sts.amazonaws.com", False),
        ("repo:ada/portfolio:ref:refs/heads/x/main", "sts.amazonaws.com", False),
        ("repo:ada/portfolio:ref:refs/tags/main", "sts.amazonaws.com", False),
        ("repo:ada/portfolio:environment:production", "sts.amazonaws.com", False),
        ("repo:ada/portfolio-fork:ref:refs/heads/main", "sts.amazonaws.com", False),
        ("repo:eve/portfolio:ref:refs/heads/main", "sts.amazonaws.com", False),
    ],
)
def test_only_the_branch_of_the_repository_takes_the_role(oidc, subject, audience, may):
    assert assumed_by(oidc, {"sub": subject, "aud": audience}) is may


def test_the_workflow_runs_for_the_branch_that_the_role_trusts():
    # YAML reads the key `on` as true.
    triggers = WORKFLOW[True]
    assert triggers == {"push": {"branches": ["main"]}, "workflow_dispatch": None}
    assert WORKFLOW["permissions"] == {"contents": "read", "id-token": "write"}
    assert Stack(OIDC, Repository="a/b").values["Branch"] == "main"


def test_the_workflow_has_no_stored_key_and_pins_its_actions():
    text = (ROOT / "infra/github/deploy.yml").read_text(encoding="utf-8")
    assert "secrets." not in text
    for used in re.findall(r"uses: (\S+)", text):
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", used), used


def test_the_targets_that_the_workflow_runs_exist():
    targets = " ".join(path.read_text(encoding="utf-8") for path in (ROOT / "Makefile", *(ROOT / "infra").glob("*.mk")))
    for step in WORKFLOW["jobs"]["deploy"]["steps"]:
        for target in re.findall(r"^make ([a-z-]+)", step.get("run", ""), re.MULTILINE):
            assert re.search(rf"(?m)^{target}:", targets), target


@pytest.mark.parametrize(
    ("role", "region", "file", "said"),
    [
        ("", "eu-central-1", True, "AWS_ROLE_ARN"),
        ("arn:aws:iam::1:role/x", "", True, "AWS_REGION"),
        ("arn:aws:iam::1:role/x", "eu-central-1", False, "samconfig.toml"),
        ("arn:aws:iam::1:role/x", "eu-central-1", True, None),
    ],
)
def test_a_missing_setting_ends_the_job_with_its_name(tmp_path, role, region, file, said):
    (step,) = [s for s in WORKFLOW["jobs"]["deploy"]["steps"] if "settings" in s.get("name", "")]
    assert step["env"] == {"ROLE": "${{ vars.AWS_ROLE_ARN }}", "REGION": "${{ vars.AWS_REGION }}"}
    if file:
        (tmp_path / "samconfig.toml").touch()
    done = subprocess.run(
        ["bash", "-e", "-c", step["run"]], capture_output=True, text=True, timeout=30, check=False,
        cwd=tmp_path, env={"PATH": "/usr/bin:/bin", "ROLE": role, "REGION": region},
    )
    assert (done.returncode == 0) is (said is None), done.stdout
    assert said is None or (said in done.stdout and done.stdout.startswith("::error::"))


def test_the_workflow_can_do_nothing_but_hand_over_a_template(oidc):
    for statement in statements(oidc, "WorkflowRole"):
        for action in listed(statement["Action"]):
            assert action.split(":")[0] in ("cloudformation", "s3", "iam", "cloudfront"), action
            assert "*" not in action
            if action.startswith("cloudfront:"):
                assert action == "cloudfront:CreateInvalidation"
                tag = "aws:ResourceTag/aws:cloudformation:stack-name"
                assert statement["Condition"] == {"StringEquals": {tag: "portfolio-cloudfront"}}
            if action.startswith("iam:"):
                assert action == "iam:PassRole"
                assert statement["Resource"].endswith(":StackRole")
                assert statement["Condition"]["StringEquals"] == {"iam:PassedToService": "cloudformation.amazonaws.com"}
    (stacks,) = [s for s in statements(oidc, "WorkflowRole") if "cloudformation:ExecuteChangeSet" in s["Action"]]
    assert [resource.split(":", 5)[5] for resource in stacks["Resource"]] == [
        "stack/portfolio/*", "stack/portfolio-tasks/*",
    ]


def test_the_workflow_may_call_what_the_deployment_calls(oidc):
    """`make deploy` and `make tasks` look at stacks and empty the cache, besides what the SAM CLI does."""
    called = set()
    for service, method in re.findall(r'client\("(\w+)".*?\)\.(\w+)\(', DEPLOY):
        called.add((service, method))
    for name, service in re.findall(r'(\w+) = boto3\.client\("(\w+)"', DEPLOY):
        called |= {(service, method) for method in re.findall(rf"\b{name}\.(\w+)\(", DEPLOY)}
    # Any identity may ask for its own name.
    called -= {("sts", "get_caller_identity")}
    assert called == {("cloudformation", "describe_stacks"), ("cloudfront", "create_invalidation")}
    allowed = {
        (action, resource)
        for statement in statements(oidc, "WorkflowRole")
        for action in listed(statement["Action"])
        for resource in listed(statement["Resource"])
    }
    stack = "arn:aws:cloudformation:{}:123456789012:stack/{}/*"
    for region, name in (("us-east-1", "portfolio"), ("us-east-1", "portfolio-tasks"), ("us-east-1", "portfolio-cloudfront")):
        assert ("cloudformation:DescribeStacks", stack.format(region, name)) in allowed
    assert ("cloudfront:CreateInvalidation", "arn:aws:cloudfront::123456789012:distribution/*") in allowed
    source_of_edge = (ROOT / "infra/github/oidc.yaml").read_text(encoding="utf-8")
    # The main stack can be in any Region, but that of the edge cannot.
    assert "cloudformation:us-east-1:${AWS::AccountId}:stack/${MainStack}-cloudfront/*" in source_of_edge


# The service of a resource type in IAM, and an action that its creation needs.
CREATES = {
    "AWS::ApiGateway::Deployment": "apigateway:POST",
    "AWS::ApiGateway::RestApi": "apigateway:POST",
    "AWS::ApiGateway::Stage": "apigateway:POST",
    "AWS::AppConfig::Application": "appconfig:CreateApplication",
    "AWS::AppConfig::ConfigurationProfile": "appconfig:CreateConfigurationProfile",
    "AWS::AppConfig::HostedConfigurationVersion": "appconfig:CreateHostedConfigurationVersion",
    "AWS::Budgets::Budget": "budgets:ModifyBudget",
    "AWS::CloudWatch::Alarm": "cloudwatch:PutMetricAlarm",
    "AWS::CodeDeploy::Application": "codedeploy:CreateApplication",
    "AWS::CodeDeploy::DeploymentGroup": "codedeploy:CreateDeploymentGroup",
    "AWS::DynamoDB::Table": "dynamodb:CreateTable",
    "AWS::IAM::Role": "iam:CreateRole",
    "AWS::Lambda::Alias": "lambda:CreateAlias",
    "AWS::Lambda::Function": "lambda:CreateFunction",
    "AWS::Lambda::LayerVersion": "lambda:PublishLayerVersion",
    "AWS::Lambda::Permission": "lambda:AddPermission",
    "AWS::Lambda::Version": "lambda:PublishVersion",
    "AWS::Logs::LogGroup": "logs:CreateLogGroup",
    "AWS::SNS::Topic": "sns:CreateTopic",
}


def test_the_stack_s_role_can_make_each_kind_of_resource_of_the_templates(oidc):
    full = Stack(**EVERY_OPTION, Metrics="totals")
    tasks = Stack("infra/tasks.yaml", **WORKER, AlarmEmail="owner@example.com")
    kinds = {resource["Type"] for stack in (full, tasks) for resource in stack.resources.values()}
    assert kinds == set(CREATES)
    allowed = {a for s in statements(oidc, "StackRole") for a in listed(s["Action"])}
    assert {CREATES[kind] for kind in kinds} <= allowed
    assert not [action for action in allowed if "*" in action]


def test_the_stack_s_role_reaches_only_what_has_the_stack_s_name(oidc):
    # Identifiers that AWS chooses, and lists, do not have it.
    unnamed = ("apigateway:", "appconfig:", "logs:DescribeLogGroups", "s3:", "cloudformation:")
    for statement in statements(oidc, "StackRole"):
        if listed(statement["Action"])[0].startswith(unnamed):
            continue
        for resource in listed(statement["Resource"]):
            named = "portfolio" in resource or resource.endswith(":deploymentconfig:CodeDeployDefault.*")
            assert named, resource


def test_the_names_in_the_stack_of_the_tasks_are_in_reach(oidc):
    """CloudFormation puts the name of the stack in front of the others."""
    tasks = Stack("infra/tasks.yaml", **WORKER, AlarmEmail="owner@example.com")
    (group,) = tasks.of_type("AWS::Logs::LogGroup").values()
    name = group["Properties"]["LogGroupName"].replace("portfolio", "portfolio-tasks")
    (logs,) = [s for s in statements(oidc, "StackRole") if "logs:CreateLogGroup" in s["Action"]]
    arn = f"arn:aws:logs:us-east-1:123456789012:log-group:{name}"
    assert any(fnmatch.fnmatchcase(arn, pattern) for pattern in logs["Resource"]), arn
    named = [key for resource in tasks.resources.values() for key in resource["Properties"] if key.endswith("Name")]
    # `Name` is that of the alias.
    assert set(named) == {"FunctionName", "LogGroupName", "MetricName", "Name"}, named


def test_github_s_provider_is_made_once_for_an_account():
    existing = f"arn:aws:iam::123456789012:oidc-provider/{ISSUER}"
    assert not Stack(OIDC, Repository="a/b", ProviderArn=existing).of_type("AWS::IAM::OIDCProvider")
    (provider,) = Stack(OIDC, Repository="a/b").of_type("AWS::IAM::OIDCProvider").values()
    assert provider["Properties"]["ClientIdList"] == ["sts.amazonaws.com"]
