"""The emulated account as the tests see it, and a checkout of the project that deploys to it."""

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

import boto3
from api import Api
from server import StageServer

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / os.environ.get("TOOLS", ".tools")
REGION = "us-east-1"
START_DEADLINE_S = 120
DEPLOY_DEADLINE_S = 300


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Account:
    """LocalStack in a process of its own (host.py), and moto for what it lacks."""

    def __init__(self, folder):
        self.folder = folder
        self.port, self.moto_port = free_port(), free_port()
        self.url, self.moto_url = f"http://127.0.0.1:{self.port}", f"http://127.0.0.1:{self.moto_port}"
        temporary = folder / "tmp"
        temporary.mkdir()
        self.log = folder / "log"
        output = self.log.open("w")
        moto = [str(TOOLS / "moto/bin/moto_server"), "--host", "127.0.0.1", "--port", str(self.moto_port)]
        self.processes = [subprocess.Popen(moto, stdout=output, stderr=subprocess.STDOUT)]
        self.processes.append(subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("host.py"))],
            stdout=output, stderr=subprocess.STDOUT,
            env={
                **os.environ,
                "GATEWAY_LISTEN": f"127.0.0.1:{self.port}",
                "MOTO_URL": self.moto_url,
                "DEFINITIONS": str(folder),
                "TMPDIR": str(temporary),
                "XDG_CACHE_HOME": str(folder / "cache"),
                "EAGER_SERVICE_LOADING": "0",
                "DISABLE_EVENTS": "1",
                "SKIP_INFRA_DOWNLOADS": "1",
                "SKIP_SSL_CERT_DOWNLOAD": "1",
                "DNS_ADDRESS": "0",
                # A preflight is for the function, not for LocalStack's own web page.
                "DISABLE_CORS_CHECKS": "1",
                "DISABLE_CORS_HEADERS": "1",
                "DISABLE_PREFLIGHT_PROCESSING": "1",
                # CloudFormation asks whether a resource is ready; locally it is at once.
                "CFN_NO_WAIT_ITERATIONS": "1000",
                # Secrets are read again after ten seconds, not after five minutes.
                "SECRETS_TTL_S": "10",
            },
        ))
        self.await_start()
        self.stage = StageServer(LiveApi(self))

    def await_start(self):
        deadline = time.monotonic() + START_DEADLINE_S
        for url in (f"{self.url}/_localstack/health", f"{self.moto_url}/moto-api/"):
            while True:
                assert all(process.poll() is None for process in self.processes), self.log.read_text()
                assert time.monotonic() < deadline, self.log.read_text()
                try:
                    with urllib.request.urlopen(url, timeout=2):
                        break
                except OSError:
                    threading.Event().wait(0.2)

    def stop(self):
        self.stage.stop()
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()

    @property
    def environment(self):
        """What makes the AWS CLI, SAM and boto3 call this account."""
        return {
            "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": REGION,
            "AWS_ENDPOINT_URL": self.url, "AWS_ENDPOINT_URL_DYNAMODB": self.moto_url,
            "AWS_ENDPOINT_URL_CLOUDFRONT": self.moto_url, "AWS_EC2_METADATA_DISABLED": "true",
        }

    def client(self, service):
        url = self.moto_url if service in ("dynamodb", "cloudfront") else self.url
        return boto3.client(service, endpoint_url=url, region_name=REGION,
                            aws_access_key_id="test", aws_secret_access_key="test")


class LiveApi:
    """The API that the stack made, with its own invocations of the function. tests/gateway/api.py answers.

    LocalStack's gateway leaves out the bodies of gateway responses; tests/localstack asks it about the rest.
    """

    def __init__(self, account):
        self.account = account

    @property
    def file(self):
        return max(self.account.folder.glob("api-*.json"), key=lambda file: file.stat().st_mtime)

    @property
    def stage(self):
        """The first two parts of the path: the API's identifier, which is part of the host on AWS, and the stage."""
        return f"{self.file.stem.removeprefix('api-')}/prod"

    def answer(self, request):
        definition = json.loads(self.file.read_text(encoding="utf-8"))
        uri = definition["paths"]["/mcp"]["post"]["x-amazon-apigateway-integration"]["uri"]
        function = uri.partition("/functions/")[2].removesuffix("/invocations")

        def invoke(event, timeout_s):
            answer = self.account.client("lambda").invoke(FunctionName=function, Payload=json.dumps(event).encode())
            return json.loads(answer["Payload"].read())

        return Api(definition, "prod", invoke).answer(request)


class Project:
    """A checkout whose `make deploy` deploys a release file to the account."""

    def __init__(self, folder, account, binary):
        self.folder, self.account = folder, account
        for name in ("template.yaml", "Cargo.toml", "infra", "content"):
            source = ROOT / name
            (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / name)
        self.config = folder / "samconfig.toml"
        stripped = folder / "bootstrap"
        # A debug build is as large as Lambda's limit because of its symbols.
        subprocess.run(["strip", "-o", str(stripped), binary], check=True, timeout=60)
        self.run("infra/tools/release.py", "pack", str(stripped), "x86_64")
        (self.release,) = (folder / "dist").glob("*.zip")

    def run(self, *command, check=True, answers="", **environment):
        """Runs a tool of the project with the SAM CLI's Python, as make does."""
        done = subprocess.run(
            [str(TOOLS / "sam/bin/python"), *command], cwd=self.folder, input=answers,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=DEPLOY_DEADLINE_S,
            env={
                "PATH": os.environ["PATH"], "HOME": str(self.folder), "SAM_CLI_TELEMETRY": "0", **self.emulation,
                **environment,
            },
        )
        assert not check or done.returncode == 0, done.stdout
        return done

    @property
    def emulation(self):
        """The variables that lead AWS's tools and the smoke test to the emulated account."""
        return {
            "PYTHONPATH": str(Path(__file__).with_name("aws")),
            "EMULATED_API": f"http://127.0.0.1:{self.account.stage.port}", **self.account.environment,
        }

    def deploy(self, *arguments, **more):
        return self.run("infra/tools/deploy.py", "--sam", str(TOOLS / "sam/bin/sam"), *arguments, **more)

    def sam(self, *arguments, **more):
        return self.run(str(TOOLS / "sam/bin/sam"), *arguments, **more)

    def set(self, **values):
        """Sets parameters in samconfig.toml; None removes a line again."""
        import tomllib

        text = self.config.read_text(encoding="utf-8")
        for name, value in values.items():
            lines = [line for line in text.splitlines() if not line.startswith(f"{name} = ")]
            head = lines.index("[default.deploy.parameters.parameter_overrides]")
            if value is not None:
                lines.insert(head + 1, f"{name} = {json.dumps(value)}")
            text = "\n".join(lines) + "\n"
        tomllib.loads(text)
        self.config.write_text(text, encoding="utf-8")
