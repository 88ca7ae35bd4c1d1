"""The deployed stack: what its alias points at, and what callers get."""

import itertools
import json
import time

from api import Request
from events import rest_event

STACK = "portfolio"
UPDATE_DEADLINE_S = 120
CHANGES = itertools.count(1)
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "account-test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Deployed:
    def __init__(self, account, said=""):
        self.account, self.said = account, said
        self.cloudformation, self.lambda_ = account.client("cloudformation"), account.client("lambda")

    def outputs(self, stack=STACK):
        (described,) = self.cloudformation.describe_stacks(StackName=stack)["Stacks"]
        return {o["OutputKey"]: o["OutputValue"] for o in described["Outputs"]}

    def parameters(self):
        (described,) = self.cloudformation.describe_stacks(StackName=STACK)["Stacks"]
        return {p["ParameterKey"]: p["ParameterValue"] for p in described["Parameters"]}

    @property
    def function(self):
        return self.outputs()["FunctionName"]

    @property
    def version(self):
        """The version that callers reach."""
        return self.lambda_.get_alias(FunctionName=self.function, Name="live")["FunctionVersion"]

    def configuration(self, version=None):
        """The configuration of a published version, without what differs between any two versions."""
        made = self.lambda_.get_function_configuration(
            FunctionName=self.function, Qualifier=version or self.version)
        keep = ("Environment", "Timeout", "Architectures", "TracingConfig", "LoggingConfig", "Layers", "CodeSha256")
        return {key: made.get(key) for key in keep}

    def variables(self, version=None):
        return self.configuration(version)["Environment"]["Variables"]

    def update(self, **values):
        """Deploys the same template with other values; the rest keeps its value."""
        parameters = [
            {"ParameterKey": name, "ParameterValue": values[name]} if name in values
            else {"ParameterKey": name, "UsePreviousValue": True}
            for name in self.parameters()
        ]
        # As it was uploaded: LocalStack does not know UsePreviousTemplate.
        template = self.cloudformation.get_template(StackName=STACK, TemplateStage="Original")["TemplateBody"]
        made = self.cloudformation.create_change_set(
            StackName=STACK, ChangeSetName=f"change-{next(CHANGES)}", ChangeSetType="UPDATE", TemplateBody=template,
            Parameters=parameters, Capabilities=["CAPABILITY_IAM"],
        )
        self.cloudformation.get_waiter("change_set_create_complete").wait(
            ChangeSetName=made["Id"], WaiterConfig={"Delay": 1, "MaxAttempts": 60})
        self.cloudformation.execute_change_set(ChangeSetName=made["Id"])
        deadline = time.monotonic() + UPDATE_DEADLINE_S
        while True:
            change = self.cloudformation.describe_change_set(ChangeSetName=made["Id"])
            if change["ExecutionStatus"] not in ("AVAILABLE", "EXECUTE_IN_PROGRESS"):
                break
            assert time.monotonic() < deadline, change
            time.sleep(0.1)
        assert self.status() == "UPDATE_COMPLETE", self.failures()

    def status(self, stack=STACK):
        (described,) = self.cloudformation.describe_stacks(StackName=stack)["Stacks"]
        return described["StackStatus"]

    def failures(self, stack=STACK):
        events = self.cloudformation.describe_stack_events(StackName=stack)["StackEvents"]
        return [
            f"{e['LogicalResourceId']}: {e.get('ResourceStatusReason')}"
            for e in events if e["ResourceStatus"].endswith("FAILED")
        ]

    def call(self, tool, key=None, qualifier="live", arguments=None):
        """A tool call to the alias or to a version: HTTP status, and the message."""
        headers = {
            "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool,
            "Host": "api.execute-api.us-east-1.amazonaws.com",
        }
        if key:
            headers["Authorization"] = f"Bearer {key}"
        params = {"name": tool, "arguments": arguments or {}, "_meta": META}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        request = Request(method="POST", path="/mcp", headers=list(headers.items()), body=body.encode(),
                          query="", source_ip="192.0.2.7")
        event = rest_event(request, "POST", "/mcp", {}, "prod")
        answer = self.lambda_.invoke(
            FunctionName=self.function, Qualifier=qualifier, Payload=json.dumps(event).encode())
        answer = json.loads(answer["Payload"].read())
        return answer["statusCode"], json.loads(answer["body"])
