"""What the tests of the account share: a running LocalStack, a checkout in it, and the tools of an owner."""

import json
import os
import shutil
import subprocess
import sys
import time
import uuid
from pathlib import Path

import boto3
import pytest
from account_types import EXCLUDED, NOT_EMULATED

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "gateway"))

from expand import ROOT, source
from test_localstack import free_port, wait_for

KEYS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": "us-east-1"}
SERVICES = "apigateway,cloudformation,cloudwatch,iam,lambda,logs,s3,ses,sns,ssm,sts"
# In the place of smoke.py, which it runs: the host of LocalStack's URLs is no name in DNS. LocalStack knows the status of a
# gateway response and not its body, so that one check cannot pass.
SMOKE = """import re, subprocess, sys
host = re.fullmatch(r"https://(\\w+)[.]execute-api[.][^/]+(/.*)", sys.argv[1])
url = f"{ACCOUNT}/_aws/execute-api/{host[1]}{host[2]}" if host else sys.argv[1]
done = subprocess.run([sys.executable, SMOKE, url], capture_output=True, text=True)
print(done.stdout, done.stderr)
known = "FAIL  get is refused and ends: body b'{\\"message\\": \\"Unsupported Media Type\\"}'"
failed = [line for line in done.stdout.splitlines() if line.startswith("FAIL")]
sys.exit(failed != [known] or "12 passed, 1 failed" not in done.stdout)
"""


class Account:
    """The account, and the owner's checkout."""

    def __init__(self, url, folder, sam):
        self.url, self.folder, self.sam = url, folder, Path(sam).resolve()
        self.environment = {
            **KEYS, "PATH": f"{Path(sys.prefix) / 'bin'}:{os.environ['PATH']}", "HOME": str(folder),
            "AWS_ENDPOINT_URL": url, "AWS_EC2_METADATA_DISABLED": "true", "SAM_CLI_TELEMETRY": "0",
            "AWS_PAGER": "", "STACK": "portfolio", "REGION": "us-east-1", "ALARM_EMAIL": "owner@example.com",
        }
        self.config = folder / "samconfig.toml"
        for name in ("infra", "content"):
            shutil.copytree(ROOT / name, folder / name)
        for name in ("template.yaml", "Cargo.toml"):
            shutil.copy(ROOT / name, folder)
        text = (folder / "template.yaml").read_text(encoding="utf-8")
        text = text.replace("CodeUri: .", "CodeUri: McpFunction").replace("ContentUri: content", "ContentUri: ../../content")
        built = folder / ".aws-sam/build"
        (built / "McpFunction").mkdir(parents=True)
        # LocalStack runs PORTFOLIO_BIN; what is uploaded only has to change with the code.
        self.build("first")
        (built / "template.yaml").write_text(text.replace("Location: infra/", "Location: ../../infra/"), encoding="utf-8")
        smoke = SMOKE.replace("{ACCOUNT}", url).replace("SMOKE", repr(str(ROOT / "infra/tools/smoke.py")))
        (folder / "infra/tools/smoke.py").write_text(smoke)

    def build(self, what):
        """Lays out another build: the head of a program for arm64, and what makes it another."""
        head = b"\x7fELF" + bytes(14) + (0xB7).to_bytes(2, "little")
        (self.folder / ".aws-sam/build/McpFunction/bootstrap").write_bytes(head + what.encode())

    def client(self, service):
        return boto3.client(
            service, endpoint_url=self.url, region_name="us-east-1",
            aws_access_key_id="test", aws_secret_access_key="test",
        )

    def run(self, *command, check=True, **environment):
        done = subprocess.run(
            [str(part) for part in command], capture_output=True, text=True, timeout=300, check=False,
            cwd=self.folder, stdin=subprocess.DEVNULL, env={**self.environment, **environment},
        )
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    def deploy(self, *arguments, check=True):
        """`make deploy PREBUILT=1`, or with the arguments of another target."""
        python = self.sam.with_name("python")
        return self.run(python, "infra/tools/deploy.py", "--sam", self.sam, "--prebuilt", *arguments, check=check)

    def set(self, **parameters):
        """Writes the parameters into samconfig.toml, as the only ones besides the e-mail."""
        lines = self.config.read_text(encoding="utf-8").splitlines()
        start = lines.index("[default.deploy.parameters.parameter_overrides]")
        end = lines.index("[default.delete.parameters]")
        values = {"AlarmEmail": "owner@example.com", **parameters}
        lines[start + 1:end] = [f"{name} = {json.dumps(value)}" for name, value in values.items()] + [""]
        self.config.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def update(self, **parameters):
        """Sets all parameters, as `deploy` does, without building, uploading and the smoke test."""
        values = {name: str(spec["Default"]) for name, spec in source()["Parameters"].items()} | parameters
        stacks = self.client("cloudformation")
        template = stacks.get_template(StackName="portfolio", TemplateStage="Original")["TemplateBody"]
        name = f"update-{uuid.uuid4().hex}"
        stacks.create_change_set(
            StackName="portfolio", ChangeSetName=name, ChangeSetType="UPDATE", Capabilities=["CAPABILITY_IAM"],
            TemplateBody=template if isinstance(template, str) else json.dumps(template),
            Parameters=[{"ParameterKey": k, "ParameterValue": v} for k, v in values.items()],
        )

        def created():
            described = stacks.describe_change_set(StackName="portfolio", ChangeSetName=name)
            assert described["Status"] != "FAILED", described["StatusReason"]
            return described["Status"] == "CREATE_COMPLETE"

        def complete():
            (stack,) = stacks.describe_stacks(StackName="portfolio")["Stacks"]
            assert "ROLLBACK" not in stack["StackStatus"] and "FAILED" not in stack["StackStatus"], stack
            return stack["StackStatus"] == "UPDATE_COMPLETE"

        assert until(created)
        stacks.execute_change_set(StackName="portfolio", ChangeSetName=name)
        assert until(complete, 120)

    def output(self, name):
        (stack,) = self.client("cloudformation").describe_stacks(StackName="portfolio")["Stacks"]
        return {o["OutputKey"]: o["OutputValue"] for o in stack["Outputs"]}[name]

    @property
    def live(self):
        """The version that callers reach."""
        alias = self.client("lambda").get_alias(FunctionName=self.output("FunctionName"), Name="live")
        return alias["FunctionVersion"]

    def variables(self):
        """The environment of the version that callers reach."""
        configuration = self.client("lambda").get_function_configuration(
            FunctionName=self.output("FunctionName"), Qualifier="live"
        )
        return configuration["Environment"]["Variables"]

    @property
    def endpoint(self):
        return f"{self.url}/_aws/execute-api/{self.output('ApiId')}/prod/mcp"


def until(check, seconds=60):
    """Polls until `check` returns something true."""
    deadline = time.monotonic() + seconds
    while True:
        found = check()
        if found or time.monotonic() > deadline:
            return found
        time.sleep(0.2)


def pytest_terminal_summary(terminalreporter):
    """Says what a passed run does not show."""
    terminalreporter.section("not emulated")
    for kind, reason in EXCLUDED.items():
        terminalreporter.write_line(f"{kind}: {reason}")
    for command, lacks in NOT_EMULATED.items():
        terminalreporter.write_line(f"runbook, {command}: LocalStack has no {lacks}; parsed by the AWS CLI")


@pytest.fixture(scope="session")
def account(tmp_path_factory):
    folder = tmp_path_factory.mktemp("account")
    (folder / "tmp").mkdir()
    (folder / "checkout").mkdir()
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    log = (folder / "log").open("w")
    host = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("account.py"))],
        stdout=log, stderr=subprocess.STDOUT,
        env={
            **os.environ, **KEYS, "GATEWAY_LISTEN": f"127.0.0.1:{port}", "SERVICES": SERVICES,
            "STRICT_SERVICE_LOADING": "1", "EAGER_SERVICE_LOADING": "0", "DISABLE_EVENTS": "1",
            "SKIP_INFRA_DOWNLOADS": "1", "SKIP_SSL_CERT_DOWNLOAD": "1", "DNS_ADDRESS": "0",
            # LocalStack asks its makers which resources it has; what is missing is asserted by the tests.
            "CFN_IGNORE_UNSUPPORTED_RESOURCE_TYPES": "1",
            "ACCOUNT_URL": url, "TMPDIR": str(folder / "tmp"), "XDG_CACHE_HOME": str(folder / "cache"),
            "INVOCATIONS": str(folder / "invocations"),
            "PORTFOLIO_BIN": str(Path(os.environ.get("PORTFOLIO_BIN", ROOT / "target/debug/portfolio")).resolve()),
        },
    )
    try:
        wait_for(host, port, folder / "log")
        made = Account(url, folder / "checkout", os.environ["SAM"])
        made.log = folder / "log"
        yield made
    finally:
        host.terminate()
        try:
            host.wait(timeout=20)
        except subprocess.TimeoutExpired:
            host.kill()
        log.close()
