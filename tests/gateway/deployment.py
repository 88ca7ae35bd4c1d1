"""A checkout from which `make deploy` runs, for the tests of infra/tools/deploy.py.

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

from expand import ROOT
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


def checkout(tmp_path, gateway):
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
    return Project(tmp_path, aws)


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
