"""infra/github/oidc.yaml: what a pushed template can make CloudFormation do to the roles of the account.

The role of CloudFormation is asked as IAM asks it: a Deny wins, and what no statement allows is refused.
"""

import fnmatch

import pytest
from expand import RefusedParameter, Stack
from options import EVERY_OPTION
from test_github import OIDC, listed, statements
from test_tasks import WORKER

ACCOUNT = "123456789012"
ROLE = f"arn:aws:iam::{ACCOUNT}:role/"
# The stack of the roles, as docs/github.md names it.
OWN = {
    "StackRole": f"{ROLE}portfolio-github-StackRole-AB12",
    "WorkflowRole": f"{ROLE}portfolio-github-WorkflowRole-AB12",
}
BOUNDARY = f"arn:aws:iam::{ACCOUNT}:policy/portfolio-github-Boundary-AB12"
FUNCTION = f"{ROLE}portfolio-McpFunctionRole-AB12"
TASKS = f"{ROLE}portfolio-tasks-WorkerRole-AB12"
DEPLOYMENT = f"{ROLE}portfolio-CodeDeployServiceRole-AB12"
MADE = (FUNCTION, TASKS, DEPLOYMENT)
# Roles that are not ours, whose names begin like the stack's.
OTHERS = (f"{ROLE}portfolio-admin", f"{ROLE}portfolio-staging-McpFunctionRole-AB12", f"{ROLE}portfolio-github-Extra-AB12")
CODE_DEPLOY = "arn:aws:iam::aws:policy/service-role/AWSCodeDeployRoleForLambda"
ADMINISTRATOR = "arn:aws:iam::aws:policy/AdministratorAccess"
BOUNDED = {"iam:PermissionsBoundary": BOUNDARY}
WRITES = (
    "iam:AttachRolePolicy", "iam:CreateRole", "iam:DeleteRole", "iam:DeleteRolePermissionsBoundary", "iam:PassRole",
    "iam:PutRolePermissionsBoundary", "iam:PutRolePolicy", "iam:UpdateAssumeRolePolicy", "iam:UpdateRole",
)


def as_deployed(value):
    """An ARN with the names that CloudFormation gives in an account, where the expansion has a stand-in."""
    for name, arn in OWN.items():
        if value == f"arn:aws:iam:us-east-1:{ACCOUNT}:{name}":
            return arn
    return BOUNDARY if value == "ref-Boundary" else value


def held(conditions, context):
    """Whether the conditions hold. A key that the request lacks does not match."""
    for operator, wanted in conditions.items():
        assert operator in ("StringEquals", "ArnLike"), operator
        for key, values in wanted.items():
            patterns = [as_deployed(value) for value in listed(values)]
            like = fnmatch.fnmatchcase if operator == "ArnLike" else str.__eq__
            if not any(like(context.get(key, ""), pattern) for pattern in patterns):
                return False
    return True


def policies(stack):
    """The statements of the role of CloudFormation: its own, and those of resources that name it."""
    yield from statements(stack, "StackRole")
    for resource in stack.of_type("AWS::IAM::RolePolicy").values():
        assert resource["Properties"]["RoleName"] == "ref-StackRole"
        yield from resource["Properties"]["PolicyDocument"]["Statement"]


def may(stack, action, resource, **context):
    context = {key.replace("__", ":"): value for key, value in context.items()}
    effects = {
        statement["Effect"]
        for statement in policies(stack)
        if any(fnmatch.fnmatchcase(action, pattern) for pattern in listed(statement["Action"]))
        and any(fnmatch.fnmatchcase(resource, as_deployed(pattern)) for pattern in listed(statement["Resource"]))
        and held(statement.get("Condition", {}), context)
    }
    return effects == {"Allow"}


@pytest.fixture(scope="module")
def oidc():
    return Stack(OIDC, Repository="ada/portfolio")


@pytest.mark.parametrize("action", WRITES)
@pytest.mark.parametrize("target", [*OWN.values(), *OTHERS])
def test_a_push_cannot_change_the_roles_of_its_own_stack_or_of_another(oidc, action, target):
    context = {**BOUNDED, "iam:PolicyARN": CODE_DEPLOY, "iam:PassedToService": "lambda.amazonaws.com"}
    assert not may(oidc, action, target, **context)


def test_the_own_stack_is_denied_whatever_the_stacks_are_called(oidc):
    """Not only because the names of its roles do not match: a Deny wins over each Allow."""
    (policy,) = oidc.of_type("AWS::IAM::RolePolicy").values()
    (deny,) = policy["Properties"]["PolicyDocument"]["Statement"]
    assert (deny["Effect"], deny["Action"]) == ("Deny", "iam:*")
    assert {as_deployed(resource) for resource in deny["Resource"]} == {*OWN.values(), BOUNDARY}
    for action in ("iam:CreatePolicyVersion", "iam:SetDefaultPolicyVersion", "iam:DeletePolicy"):
        assert not may(oidc, action, BOUNDARY)


@pytest.mark.parametrize("target", [FUNCTION, TASKS])
def test_a_function_gets_permissions_only_within_the_boundary(oidc, target):
    for action in ("iam:CreateRole", "iam:PutRolePolicy", "iam:PutRolePermissionsBoundary"):
        assert may(oidc, action, target, **BOUNDED)
        assert not may(oidc, action, target)
        assert not may(oidc, action, target, **{"iam:PermissionsBoundary": ADMINISTRATOR})
    assert not may(oidc, "iam:DeleteRolePermissionsBoundary", target, **BOUNDED)
    for policy in (CODE_DEPLOY, ADMINISTRATOR):
        assert not may(oidc, "iam:AttachRolePolicy", target, **BOUNDED, **{"iam:PolicyARN": policy})


def test_the_role_of_codedeploy_has_only_aws_s_policy_for_it(oidc):
    assert may(oidc, "iam:CreateRole", DEPLOYMENT)
    assert may(oidc, "iam:AttachRolePolicy", DEPLOYMENT, **{"iam:PolicyARN": CODE_DEPLOY})
    assert not may(oidc, "iam:AttachRolePolicy", DEPLOYMENT, **{"iam:PolicyARN": ADMINISTRATOR})
    for context in ({}, BOUNDED):
        assert not may(oidc, "iam:PutRolePolicy", DEPLOYMENT, **context)
    # SAM attaches it, and could attach others only with another release.
    attached = [
        policy
        for role in Stack().of_type("AWS::IAM::Role").values()
        for policy in role["Properties"].get("ManagedPolicyArns", [])
    ]
    assert attached == [CODE_DEPLOY]


@pytest.mark.parametrize("service", ["lambda", "codedeploy", "cloudformation", "ec2", "apigateway"])
def test_a_role_is_passed_only_to_the_service_that_it_is_for(oidc, service):
    passed = {"iam:PassedToService": f"{service}.amazonaws.com"}
    assert {role for role in MADE if may(oidc, "iam:PassRole", role, **passed)} == {
        "lambda": {FUNCTION, TASKS}, "codedeploy": {DEPLOYMENT},
    }.get(service, set())


def deployed_stacks():
    """Both stacks with every option and the boundary, with the names that the roles allow for."""
    bounded = {"PermissionsBoundary": BOUNDARY}
    yield "portfolio", Stack(**EVERY_OPTION | bounded, Metrics="totals")
    yield "portfolio", Stack(**EVERY_OPTION | bounded | {"ContactProvider": "resend"})
    yield "portfolio-tasks", Stack("infra/tasks.yaml", **WORKER, **bounded)
    yield "portfolio-tasks", Stack("infra/tasks.yaml", **WORKER | bounded | {"ContactProvider": "ses", "SesIdentity": "example.com"})


# A resource whose name CloudFormation makes: an action that changes it, and its ARN.
NAMED = {
    "AWS::CloudWatch::Alarm": ("cloudwatch:PutMetricAlarm", "arn:aws:cloudwatch:us-east-1:{}:alarm:{}"),
    "AWS::DynamoDB::Table": ("dynamodb:UpdateTable", "arn:aws:dynamodb:us-east-1:{}:table/{}"),
    "AWS::IAM::Role": ("iam:GetRole", "arn:aws:iam::{}:role/{}"),
    "AWS::Lambda::Function": ("lambda:UpdateFunctionCode", "arn:aws:lambda:us-east-1:{}:function:{}"),
    "AWS::SNS::Topic": ("sns:SetTopicAttributes", "arn:aws:sns:us-east-1:{}:{}"),
}


def test_everything_that_cloudformation_names_is_in_reach(oidc):
    for name, stack in deployed_stacks():
        for logical, resource in stack.resources.items():
            if resource["Type"] in NAMED:
                action, arn = NAMED[resource["Type"]]
                assert may(oidc, action, arn.format(ACCOUNT, f"{name}-{logical}-AB12")), logical
            if resource["Type"] == "AWS::IAM::Role" and "ManagedPolicyArns" not in resource["Properties"]:
                assert resource["Properties"]["PermissionsBoundary"] == BOUNDARY
            assert resource["Type"] not in ("AWS::IAM::Policy", "AWS::IAM::RolePolicy", "AWS::IAM::ManagedPolicy")


@pytest.mark.parametrize(
    ("action", "arn"),
    [
        ("lambda:UpdateFunctionCode", "arn:aws:lambda:us-east-1:{}:function:portfolio-staging-McpFunction-AB12"),
        ("lambda:UpdateFunctionCode", "arn:aws:lambda:us-east-1:{}:function:portfolio2"),
        ("dynamodb:DeleteTable", "arn:aws:dynamodb:us-east-1:{}:table/portfolio-staging-LimitsTable-AB12"),
        ("logs:DeleteLogGroup", "arn:aws:logs:us-east-1:{}:log-group:/aws/lambda/portfolio-staging"),
        ("logs:DeleteLogGroup", "arn:aws:logs:us-east-1:{}:log-group:/aws/lambda/portfolio-staging:*"),
    ],
)
def test_a_stack_whose_name_begins_like_this_one_is_out_of_reach(oidc, action, arn):
    assert not may(oidc, action, arn.format(ACCOUNT))


def test_the_boundary_has_room_for_what_the_templates_give(oidc):
    (boundary,) = oidc.of_type("AWS::IAM::ManagedPolicy").values()
    allowed = boundary["Properties"]["PolicyDocument"]["Statement"]
    assert all(statement["Effect"] == "Allow" for statement in allowed)

    def fits(action, resource):
        return any(
            action in listed(statement["Action"])
            and any(fnmatch.fnmatchcase(resource, pattern) for pattern in listed(statement["Resource"]))
            for statement in allowed
        )

    seen = set()
    for name, stack in deployed_stacks():
        # The expansion has stand-ins for what CloudFormation names.
        names = {
            f"arn:aws:logs:us-east-1:{ACCOUNT}:McpFunctionLogs": f"arn:aws:logs:us-east-1:{ACCOUNT}:log-group:/aws/lambda/{name}:*",
            f"arn:aws:logs:us-east-1:{ACCOUNT}:WorkerLogs": f"arn:aws:logs:us-east-1:{ACCOUNT}:log-group:/aws/lambda/{name}:*",
            f"arn:aws:dynamodb:us-east-1:{ACCOUNT}:LimitsTable": f"arn:aws:dynamodb:us-east-1:{ACCOUNT}:table/{name}-LimitsTable-AB12",
            f"arn:aws:dynamodb:us-east-1:{ACCOUNT}:table/import-portfolio-LimitsTableName":
                f"arn:aws:dynamodb:us-east-1:{ACCOUNT}:table/portfolio-LimitsTable-AB12",
            f"arn:aws:lambda:us-east-1:{ACCOUNT}:function:portfolio-Worker-*:*":
                f"arn:aws:lambda:us-east-1:{ACCOUNT}:function:portfolio-tasks-Worker-*:*",
        }
        for role in stack.of_type("AWS::IAM::Role").values():
            for policy in role["Properties"].get("Policies", []):
                for statement in policy["PolicyDocument"]["Statement"]:
                    for action in listed(statement["Action"]):
                        for resource in listed(statement["Resource"]):
                            seen.add(action)
                            assert fits(action, names.get(resource, resource)), (action, resource)
    # And no more than that, but for the keys of AWS's own services.
    assert {a for s in allowed for a in listed(s["Action"]) if not a.startswith("kms:")} == seen


def test_the_boundary_is_an_output_for_samconfig(oidc):
    assert oidc.outputs["BoundaryArn"] == "ref-Boundary"


def test_a_stack_s_name_is_short_enough_for_names_of_roles():
    """A name of a role has at most 64 characters: the stack, the resource and 13 that CloudFormation chooses."""
    longest = 28
    assert Stack(OIDC, Repository="a/b", MainStack="p" * longest)
    with pytest.raises(RefusedParameter):
        Stack(OIDC, Repository="a/b", MainStack="p" * (longest + 1))
    for suffix in ("McpFunctionRole", "CodeDeployServiceRole", "tasks-WorkerRole"):
        assert longest + len(f"-{suffix}-") + 13 <= 64


def test_the_policies_of_the_role_are_within_iam_s_bound(oidc):
    """10,240 characters without white space for the inline policies of a role, and 6,144 for a managed policy."""
    longest = Stack(OIDC, Repository="a/b", MainStack="p" * 28)
    inline = "".join(repr(statement) for statement in policies(longest))
    assert len(inline.replace(" ", "")) < 9_500
    (boundary,) = longest.of_type("AWS::IAM::ManagedPolicy").values()
    assert len(repr(boundary["Properties"]["PolicyDocument"]).replace(" ", "")) < 6_000
