"""Optional stacks are added to the main one and removed again, and leave its settings alone."""

import json

import pytest
from runbook import commands

CERTIFICATE = "arn:aws:acm:us-east-1:000000000000:certificate/12345678-1234-1234-1234-123456789012"
VALUES = {
    "domain": ("DomainName=mcp.example.com", f"CertificateArn={CERTIFICATE}"),
    "waf": ("RequestsPerFiveMinutes=1000",),
    "dashboard": (),
    "cloudfront": ("ApiHost=a1b2c3d4e5.execute-api.us-east-1.amazonaws.com",),
}


def resources(deployed, stack):
    made = deployed.cloudformation.list_stack_resources(StackName=stack)["StackResourceSummaries"]
    return {resource["ResourceType"] for resource in made}


def exists(deployed, stack):
    found = deployed.cloudformation.list_stacks()["StackSummaries"]
    return any(s["StackName"] == stack and s["StackStatus"] != "DELETE_COMPLETE" for s in found)


@pytest.mark.parametrize("name", VALUES)
def test_an_optional_stack_is_added_and_removed(deployed, project, name):
    stack = f"portfolio-{name}"
    before, version = deployed.parameters(), deployed.version
    said = project.deploy("--addon", name, *VALUES[name]).stdout
    assert deployed.status(stack) == "CREATE_COMPLETE"
    assert resources(deployed, stack)
    if name == "domain":
        assert 'set PublicUrl = "https://mcp.example.com"' in said
        follow(deployed, project)
    if name == "cloudfront":
        invalidate(deployed, project)
    project.deploy("--remove", name)
    assert not exists(deployed, stack)
    assert deployed.parameters() == before
    if name != "domain":
        assert deployed.version == version


def invalidate(deployed, project):
    """The runbook's command for this stack, while it exists."""
    (command,) = [command for command in commands() if "create-invalidation" in command.text]
    done = command.run(project)
    assert done.returncode == 0, done.stdout
    assert json.loads(done.stdout)["Invalidation"]["InvalidationBatch"]["Paths"]["Items"]


def follow(deployed, project):
    """What `make domain` says to do, and the way back."""
    project.set(PublicUrl="https://mcp.example.com")
    project.deploy("--prebuilt", check=False)
    assert deployed.outputs()["McpEndpoint"] == "https://mcp.example.com/mcp"
    assert deployed.variables()["PUBLIC_URL"] == "https://mcp.example.com"
    refused = project.deploy("--remove", "domain", check=False)
    assert refused.returncode == 1
    assert "delete the line PublicUrl" in refused.stdout
    project.set(PublicUrl=None)
    project.deploy("--prebuilt")
    assert "PUBLIC_URL" not in deployed.variables()
