"""`make deploy`: its questions, its file, its checks, and what it hands to the SAM CLI.

The SAM CLI here is a script that records its arguments and parameter values; AWS is a server on
loopback that answers what is asked of STS and CloudFormation.
"""

import http.server
import json
import os
import shutil
import stat
import subprocess
import sys
import threading
import zipfile

import pytest
import tomlkit
from expand import ROOT, source
from samcli.cli.types import CfnParameterOverridesType

CALLER = (
    "<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>arn:aws:iam::123456789012:user/owner</Arn>"
    "</GetCallerIdentityResult></GetCallerIdentityResponse>"
)
REFUSED = "<ErrorResponse><Error><Code>ExpiredToken</Code><Message>x</Message></Error></ErrorResponse>"
EDGE = (
    "<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>portfolio-cloudfront</StackName>"
    "<CreationTime>2026-01-01T00:00:00Z</CreationTime><StackStatus>UPDATE_COMPLETE</StackStatus>"
    "<Outputs><member><OutputKey>DistributionId</OutputKey><OutputValue>E1D2</OutputValue></member></Outputs>"
    "</member></Stacks></DescribeStacksResult></DescribeStacksResponse>"
)
NO_STACK = (
    "<ErrorResponse><Error><Code>ValidationError</Code><Message>Stack does not exist</Message></Error></ErrorResponse>"
)
INVALIDATION = "<Invalidation><Id>I1</Id><Status>InProgress</Status></Invalidation>"
STACK = (
    "<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>portfolio</StackName>"
    "<CreationTime>2026-01-01T00:00:00Z</CreationTime><StackStatus>UPDATE_COMPLETE</StackStatus>"
    "<Outputs><member><OutputKey>McpEndpoint</OutputKey><OutputValue>{url}</OutputValue></member></Outputs>"
    "</member></Stacks></DescribeStacksResult></DescribeStacksResponse>"
)


def program(architecture):
    """The first bytes of a Linux program for an architecture."""
    number = {"x86_64": 0x3E, "arm64": 0xB7}[architecture]
    return b"\x7fELF" + bytes(14) + number.to_bytes(2, "little")


class Aws:
    """STS and CloudFormation, as far as a deployment asks them."""

    def __init__(self, url):
        aws = self
        self.refuses = False
        # Whether there is a distribution, and what was dropped from its cache.
        self.has_edge = False
        self.invalidations = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                if aws.refuses:
                    status, answer = 403, REFUSED
                elif "/distribution/" in self.path:
                    aws.invalidations.append((self.path, body))
                    status, answer = 201, INVALIDATION
                elif "-cloudfront" in body:
                    status, answer = (200, EDGE) if aws.has_edge else (400, NO_STACK)
                else:
                    status = 200
                    answer = CALLER if "GetCallerIdentity" in body else STACK.format(url=url)
                self.send_response(status)
                self.send_header("Content-Type", "text/xml")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer.encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def project(tmp_path, gateway):
    """A checkout with a built template, a recording SAM CLI and an AWS on loopback."""
    for name in ("infra", "content"):
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "template.yaml", tmp_path)
    built = tmp_path / ".aws-sam/build"
    built.mkdir(parents=True)
    text = (ROOT / "template.yaml").read_text(encoding="utf-8")
    text = text.replace("ContentUri: content", "ContentUri: ../../content")
    (built / "template.yaml").write_text(text.replace("Location: infra/", "Location: ../../infra/"))
    (built / "McpFunction").mkdir()
    (built / "McpFunction/bootstrap").write_bytes(program("arm64"))
    sam = tmp_path / "sam"
    sam.write_text(f"""#!{sys.executable}
import json, pathlib, sys
with open("sam.jsonl", "a") as log:
    log.write(json.dumps(sys.argv[1:]) + "\\n")
""".replace("\\\\n", "\\n"))
    sam.chmod(sam.stat().st_mode | stat.S_IEXEC)
    aws = Aws(f"http://127.0.0.1:{gateway.port}/prod/mcp")
    yield Project(tmp_path, aws)
    aws.server.shutdown()


class Project:
    def __init__(self, folder, aws):
        self.folder, self.aws = folder, aws
        self.config = folder / "samconfig.toml"

    def deploy(self, *arguments, credentials=True, **environment):
        keys = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"} if credentials else {}
        return subprocess.run(
            [sys.executable, "infra/tools/deploy.py", "--sam", str(self.folder / "sam"), "--prebuilt", *arguments],
            capture_output=True, text=True, timeout=120, check=False, cwd=self.folder,
            stdin=subprocess.DEVNULL,
            env={"PATH": os.environ["PATH"], "HOME": str(self.folder), "AWS_ENDPOINT_URL": self.aws.url,
                 "AWS_EC2_METADATA_DISABLED": "true", **keys, **environment},
        )

    def calls(self):
        log = self.folder / "sam.jsonl"
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []

    def values(self):
        """The parameter values of the last call, as the SAM CLI reads them."""
        call = self.calls()[-1]
        given = call[call.index("--parameter-overrides") + 1]
        path = self.folder / given.removeprefix("file://")
        return CfnParameterOverridesType().convert(f"file://{path}", None, None)


ANSWERS = {"STACK": "my-portfolio", "REGION": "eu-central-1", "ALARM_EMAIL": "owner@example.com"}


def test_three_answers_deploy(project):
    done = project.deploy(**ANSWERS)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "/prod/mcp" in done.stdout
    assert "claude mcp add" in done.stdout
    config = tomlkit.parse(project.config.read_text())["default"]["deploy"]["parameters"]
    assert (config["stack_name"], config["region"]) == ("my-portfolio", "eu-central-1")
    assert config["parameter_overrides"] == {"AlarmEmail": "owner@example.com"}
    (call,) = project.calls()
    assert call[0] == "deploy"
    assert call[call.index("--stack-name") + 1] == "my-portfolio"


def test_every_other_setting_is_a_comment_of_the_new_file(project):
    project.deploy(**ANSWERS)
    text = project.config.read_text()
    for name, spec in source()["Parameters"].items():
        if name != "AlarmEmail":
            assert f'# {name} = "{spec["Default"]}"' in text, name
        assert spec["Description"].strip() in text or name == "AlarmEmail"
    uncommented = text.replace('# RateLimits = ""', 'RateLimits = "contact=5/1h:burst=2, 20/1d"')
    project.config.write_text(uncommented)
    assert project.deploy().returncode == 0
    assert project.values()["RateLimits"] == "contact=5/1h:burst=2, 20/1d"


def test_a_later_deployment_keeps_what_is_set_and_undoes_what_was_deleted(project):
    project.deploy(**ANSWERS)
    text = project.config.read_text()
    project.config.write_text(text.replace('# LogLevel = "info"', 'LogLevel = "debug"'))
    project.deploy()
    assert project.values()["LogLevel"] == "debug"
    assert project.values()["AlarmEmail"] == "owner@example.com"
    project.config.write_text(text)
    project.deploy()
    assert project.values()["LogLevel"] == "info"
    # A parameter that is not sent would keep its last value.
    assert set(project.values()) == set(source()["Parameters"])


def test_values_with_spaces_and_quotes_arrive_whole(project):
    project.deploy(**ANSWERS)
    text = project.config.read_text()
    for name, value in {"ContactFrom": "Ada Lovelace <ada@example.com>", "JwtAudience": "a b c"}.items():
        text = text.replace(f'# {name} = ""', f"{name} = {json.dumps(value)}")
    project.config.write_text(text)
    assert project.deploy().returncode == 0
    assert project.values()["ContactFrom"] == "Ada Lovelace <ada@example.com>"
    assert project.values()["JwtAudience"] == "a b c"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('# LogLevel = "info"', 'LogLevel = "loud"', "LogLevel: `loud` is none of error, warn"),
        ('# ThrottleRate = "50"', "ThrottleRate = 0", "ThrottleRate: `0` is not a number from 1"),
        ('# PublicUrl = ""', 'PublicUrl = "http://x"', "PublicUrl: `http://x` is not empty, or an https URL"),
        ('# LogLevel = "info"', 'Loglevel = "info"', "Loglevel: no such parameter"),
        ("version = 0.1", "version = ", "is not valid TOML"),
        ("[default.deploy.parameters.parameter_overrides]", "", "AlarmEmail must be below"),
    ],
)
def test_a_wrong_setting_is_named_before_anything_is_done(project, old, new, said):
    project.deploy(**ANSWERS)
    before = len(project.calls())
    text = project.config.read_text()
    assert old in text
    project.config.write_text(text.replace(old, new))
    done = project.deploy()
    assert done.returncode == 1
    assert said in done.stderr
    assert len(project.calls()) == before


def test_the_older_form_of_overrides_is_refused(project):
    project.deploy(**ANSWERS)
    project.config.write_text(
        '[default.deploy.parameters]\nstack_name = "a"\nregion = "eu-central-1"\n'
        'parameter_overrides = ["RateLimits=contact=3/1h, 20/1d"]\n'
    )
    done = project.deploy()
    assert done.returncode == 1
    assert "cuts values at spaces" in done.stderr


def test_a_build_for_another_architecture_is_not_deployed(project):
    """Lambda would accept it, and every start would fail."""
    (project.folder / ".aws-sam/build/McpFunction/bootstrap").write_bytes(program("x86_64"))
    done = project.deploy(**ANSWERS)
    assert done.returncode == 1
    assert "is for x86_64, and Architecture is arm64" in done.stderr
    assert not project.calls()
    text = project.config.read_text()
    project.config.write_text(text.replace('# Architecture = "arm64"', 'Architecture = "x86_64"'))
    assert project.deploy().returncode == 0
    assert project.values()["Architecture"] == "x86_64"


def test_the_bucket_and_the_role_of_a_workflow_are_used(project):
    project.deploy(**ANSWERS)
    assert "--resolve-s3" in project.calls()[-1]
    role = "arn:aws:iam::123456789012:role/portfolio-github-StackRole-1"
    text = project.config.read_text().replace(
        "resolve_s3 = true", f's3_bucket = "uploads"\nrole_arn = "{role}"'
    )
    project.config.write_text(text)
    assert project.deploy().returncode == 0
    call = project.calls()[-1]
    assert "--resolve-s3" not in call
    assert call[call.index("--s3-bucket") + 1] == "uploads"
    assert call[call.index("--role-arn") + 1] == role


def test_missing_credentials_are_one_line_with_how_to_get_them(project):
    done = project.deploy(credentials=False, **ANSWERS)
    assert done.returncode == 1
    assert done.stderr.startswith("deploy: no AWS credentials were found: run `aws configure sso`")
    assert not project.config.exists(), "a half-set state"
    project.aws.refuses = True
    done = project.deploy(**ANSWERS)
    assert "AWS refuses the credentials (ExpiredToken)" in done.stderr
    assert not project.config.exists()


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [("STACK", "1 stack", "is not a stack name"), ("REGION", "mars-1", "is not a Region"),
     ("ALARM_EMAIL", "me", "is not an e-mail address")],
)
def test_a_wrong_answer_is_refused(project, name, value, said):
    done = project.deploy(**ANSWERS | {name: value})
    assert done.returncode == 1
    assert said in done.stderr


def test_nobody_to_ask_is_said(project):
    done = project.deploy()
    assert done.returncode == 1
    assert "set STACK, or answer at a terminal" in done.stderr


def test_a_deployment_empties_the_cache_of_the_edge(project):
    project.aws.has_edge = True
    done = project.deploy(**ANSWERS)
    assert done.returncode == 0, done.stdout + done.stderr
    ((path, body),) = project.aws.invalidations
    assert path.endswith("/distribution/E1D2/invalidation"), path
    assert "<Path>/*</Path>" in body, body
    project.aws.has_edge = False
    assert project.deploy().returncode == 0
    assert len(project.aws.invalidations) == 1


def test_an_optional_stack_is_deployed_beside_the_main_one(project):
    project.deploy(**ANSWERS)
    certificate = "arn:aws:acm:eu-central-1:123456789012:certificate/1b2c"
    done = project.deploy("--addon", "domain", "DomainName=mcp.example.com", f"CertificateArn={certificate}")
    assert done.returncode == 0, done.stderr
    call = project.calls()[-1]
    assert call[call.index("--stack-name") + 1] == "my-portfolio-domain"
    assert project.values()["MainStack"] == "my-portfolio"
    done = project.deploy("--addon", "domain", "DomainName=mcp.example.com")
    assert "CertificateArn: is required" in done.stderr
    project.deploy("--addon", "cloudfront", "ApiHost=a1.execute-api.eu-central-1.amazonaws.com")
    call = project.calls()[-1]
    assert call[call.index("--region") + 1] == "us-east-1"


def test_the_worker_of_tasks_is_deployed_as_the_function_is(project):
    """`make tasks` puts what it built into .aws-sam/tasks. A workflow's role can upload to its own bucket alone."""
    project.deploy(**ANSWERS)
    role = "arn:aws:iam::123456789012:role/portfolio-github-StackRole-1"
    text = project.config.read_text()
    project.config.write_text(text.replace("resolve_s3 = true", f's3_bucket = "uploads"\nrole_arn = "{role}"'))
    worker = project.folder / ".aws-sam/tasks/Worker/bootstrap"
    worker.parent.mkdir(parents=True)
    worker.write_bytes(program("x86_64"))
    contact = ["ContactTo=owner@example.com", "ContactFrom=Ada Lovelace <ada@example.com>"]
    before = len(project.calls())
    done = project.deploy("--addon", "tasks", *contact)
    assert done.returncode == 1
    assert "is for x86_64, and Architecture is arm64" in done.stderr
    assert len(project.calls()) == before
    worker.write_bytes(program("arm64"))
    done = project.deploy("--addon", "tasks", *contact)
    assert done.returncode == 0, done.stderr
    call = project.calls()[-1]
    assert call[call.index("--template-file") + 1] == ".aws-sam/tasks/template.yaml"
    assert call[call.index("--stack-name") + 1] == "my-portfolio-tasks"
    assert call[call.index("--s3-bucket") + 1] == "uploads"
    assert call[call.index("--role-arn") + 1] == role
    assert project.values()["ContactFrom"] == "Ada Lovelace <ada@example.com>"
    # An optional stack without a program needs permissions that the workflow does not have.
    certificate = "arn:aws:acm:eu-central-1:123456789012:certificate/1b2c"
    project.deploy("--addon", "domain", "DomainName=mcp.example.com", f"CertificateArn={certificate}")
    assert "--role-arn" not in project.calls()[-1]


def test_an_optional_stack_is_removed_only_when_nothing_names_it(project):
    project.deploy(**ANSWERS)
    text = project.config.read_text()
    project.config.write_text(text.replace('# PublicUrl = ""', 'PublicUrl = "https://mcp.example.com"'))
    done = project.deploy("--remove", "domain")
    assert done.returncode == 1
    assert "delete the line PublicUrl" in done.stderr
    project.config.write_text(text)
    assert project.deploy("--remove", "domain").returncode == 0
    assert project.calls()[-1][:3] == ["delete", "--stack-name", "my-portfolio-domain"]


def test_a_release_file_is_deployed_without_rust(project, binary):
    def release(*arguments):
        return subprocess.run(
            [sys.executable, "infra/tools/release.py", *arguments],
            capture_output=True, text=True, timeout=60, check=False, cwd=project.folder,
        )

    shutil.copy(ROOT / "Cargo.toml", project.folder)
    refused = release("pack", binary, "arm64")
    assert "is for x86_64, not for arm64" in refused.stderr
    assert release("pack", binary, "x86_64").returncode == 0
    (archive,) = (project.folder / "dist").glob("portfolio-*-x86_64.zip")
    first = archive.read_bytes()
    release("pack", binary, "x86_64")
    assert archive.read_bytes() == first, "the same bootstrap gives the same bytes"
    done = release("use", str(archive))
    assert done.returncode == 0, done.stderr
    built = project.folder / ".aws-sam/build"
    text = (built / "template.yaml").read_text()
    assert "CodeUri: McpFunction" in text
    assert "ContentUri: ../../content" in text
    assert "Location: ../../infra/api.yaml" in text
    with zipfile.ZipFile(archive) as opened:
        assert (built / "McpFunction/bootstrap").read_bytes() == opened.read("bootstrap")
    assert os.access(built / "McpFunction/bootstrap", os.X_OK)
    refused = project.deploy(**ANSWERS)
    assert "is for x86_64, and Architecture is arm64" in refused.stderr
    text = project.config.read_text()
    project.config.write_text(text.replace('# Architecture = "arm64"', 'Architecture = "x86_64"'))
    assert project.deploy().returncode == 0
    assert project.deploy("--content").returncode == 0
    archive.write_bytes(first + b"x")
    done = release("use", str(archive))
    assert "does not match SHA256SUMS" in done.stderr
    (project.folder / "dist/SHA256SUMS").unlink()
    assert "SHA256SUMS is not beside" in release("use", str(archive)).stderr
