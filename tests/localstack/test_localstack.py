"""The same API definition in LocalStack's API Gateway: what it answers, and what it invokes.

LocalStack 4.14 knows gateway responses by their status alone: it leaves out their headers and bodies.
What depends on those is checked by tests/gateway and not here.
"""

import http.client
import json
import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import boto3
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "gateway"))

from expand import ROOT, Stack

METHOD_NOT_ALLOWED = (
    b'{"jsonrpc":"2.0","error":{"code":-32000,"message":"Method not allowed."},"id":null}'
)
START_DEADLINE_S = 120


@pytest.fixture(scope="module")
def deployed(tmp_path_factory):
    """(port, path of the stage, file of invocations) of the API in a running LocalStack."""
    folder = tmp_path_factory.mktemp("localstack")
    invocations = folder / "invocations"
    invocations.touch()
    port = free_port()
    stack = Stack()
    variables = dict(stack.one("AWS::Lambda::Function")["Environment"]["Variables"])
    # Lambda unpacks the content layer into /opt.
    variables["CONTENT_DIR"] = str(ROOT / "content")
    log = (folder / "log").open("w")
    host = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("host.py"))],
        stdout=log,
        stderr=subprocess.STDOUT,
        env={
            **os.environ,
            "GATEWAY_LISTEN": f"127.0.0.1:{port}",
            "SERVICES": "apigateway",
            "STRICT_SERVICE_LOADING": "1",
            "EAGER_SERVICE_LOADING": "0",
            "DISABLE_EVENTS": "1",
            "SKIP_INFRA_DOWNLOADS": "1",
            "SKIP_SSL_CERT_DOWNLOAD": "1",
            "DNS_ADDRESS": "0",
            "INVOCATIONS": str(invocations),
            "FUNCTION_ENVIRONMENT": json.dumps(variables),
            "PORTFOLIO_BIN": os.environ.get("PORTFOLIO_BIN", str(ROOT / "target/debug/portfolio")),
            "XDG_CACHE_HOME": str(folder / "cache"),
        },
    )
    try:
        wait_for(host, port, folder / "log")
        client = boto3.client(
            "apigateway",
            endpoint_url=f"http://127.0.0.1:{port}",
            region_name="us-east-1",
            aws_access_key_id="test",
            aws_secret_access_key="test",
        )
        api = client.import_rest_api(failOnWarnings=True, body=json.dumps(stack.definition).encode())
        # LocalStack leaves this part of the definition out when it imports.
        for kind, said in stack.definition["x-amazon-apigateway-gateway-responses"].items():
            status = {"statusCode": said["statusCode"]} if "statusCode" in said else {}
            client.put_gateway_response(restApiId=api["id"], responseType=kind, **status)
        client.create_deployment(restApiId=api["id"], stageName="prod")
        yield port, f"/_aws/execute-api/{api['id']}/prod", invocations
    finally:
        host.terminate()
        try:
            host.wait(timeout=20)
        except subprocess.TimeoutExpired:
            host.kill()
        log.close()


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def wait_for(host, port, log):
    deadline = time.monotonic() + START_DEADLINE_S
    while time.monotonic() < deadline:
        assert host.poll() is None, log.read_text()
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
            connection.request("GET", "/_localstack/health")
            if connection.getresponse().status == 200:
                return
        except OSError:
            pass
        threading.Event().wait(0.2)
    raise AssertionError(log.read_text())


def call(deployed, verb, path, headers=None, body=None):
    port, stage, _ = deployed
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=15)
    try:
        connection.request(verb, stage + path, body=body, headers=headers or {})
        response = connection.getresponse()
        return response, response.read()
    finally:
        connection.close()


def invoked(deployed):
    return len(deployed[2].read_text().splitlines())


def test_five_hundred_gets_invoke_nothing(deployed):
    before = invoked(deployed)
    for _ in range(500):
        response, body = call(deployed, "GET", "/mcp", {"Accept": "text/event-stream"})
        assert (response.status, body) == (405, METHOD_NOT_ALLOWED)
    assert invoked(deployed) == before


@pytest.mark.parametrize("verb", ["GET", "HEAD", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize("content_type", [None, "application/json", "text/html", "text/event-stream"])
def test_every_other_verb_is_405(deployed, verb, content_type):
    before = invoked(deployed)
    for path in ("/mcp", "/mcp/"):
        headers = {"Content-Type": content_type} if content_type else {}
        response, body = call(deployed, verb, path, headers)
        assert response.status == 405
        assert response.headers["Allow"] == "POST, OPTIONS"
        assert response.headers["Access-Control-Allow-Origin"] == "*"
        assert response.headers["WWW-Authenticate"] is None
        assert body == (b"" if verb == "HEAD" else METHOD_NOT_ALLOWED)
    assert invoked(deployed) == before


def test_a_type_that_is_not_listed_is_405_by_the_gateway_response(deployed):
    before = invoked(deployed)
    for content_type in ("image/png", "application/vnd.example+json"):
        response, _ = call(deployed, "GET", "/mcp", {"Content-Type": content_type})
        assert response.status == 405
    assert invoked(deployed) == before


def test_preflight_is_204(deployed):
    before = invoked(deployed)
    response, body = call(deployed, "OPTIONS", "/mcp", {"Origin": "https://app.example.com"})
    assert (response.status, body) == (204, b"")
    assert "Authorization" in response.headers["Access-Control-Allow-Headers"]
    assert invoked(deployed) == before


def test_the_page_for_people_is_written_by_the_function(deployed):
    before = invoked(deployed)
    response, body = call(deployed, "GET", "/", {})
    assert (response.status, response.headers.get_content_type()) == (200, "text/html"), body
    assert invoked(deployed) == before + 1


@pytest.mark.parametrize("path", ["/nothing", "/mcp/nothing", "/.well-known/nothing"])
@pytest.mark.parametrize("verb", ["GET", "POST", "OPTIONS"])
def test_unknown_paths_are_404(deployed, verb, path):
    before = invoked(deployed)
    for headers in ({}, {"Content-Type": "image/png"}, {"Content-Type": "text/html"}):
        response, _ = call(deployed, verb, path, headers)
        assert response.status == 404, headers
    assert invoked(deployed) == before


def test_post_returns_a_tool_result(deployed):
    before = invoked(deployed)
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "localstack-test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": "get_manifest", "arguments": {}, "_meta": meta}
    response, body = call(
        deployed,
        "POST",
        "/mcp",
        {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2026-07-28",
            "Mcp-Method": "tools/call",
            "Mcp-Name": "get_manifest",
        },
        json.dumps({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}),
    )
    assert response.status == 200, body
    assert json.loads(body)["result"]["structuredContent"]
    assert invoked(deployed) == before + 1


def test_documents_are_written_by_the_function(deployed):
    before = invoked(deployed)
    response, body = call(deployed, "GET", "/mcp/server-card")
    assert response.status == 200, body
    assert invoked(deployed) == before + 1


def test_health_and_other_methods_of_documents_invoke_nothing(deployed):
    before = invoked(deployed)
    response, body = call(deployed, "GET", "/health")
    assert (response.status, json.loads(body)) == (200, {"status": "ok"})
    for path in ("/health", "/mcp/server-card"):
        for verb in ("HEAD", "PUT", "DELETE"):
            call(deployed, verb, path)
    assert invoked(deployed) == before
