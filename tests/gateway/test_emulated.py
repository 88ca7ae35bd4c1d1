"""The API as the template defines it, over HTTP, with the real function behind it."""

import http.client
import json

import pytest

METHOD_NOT_ALLOWED = (
    b'{"jsonrpc":"2.0","error":{"code":-32000,"message":"Method not allowed."},"id":null}'
)
VERBS = ("GET", "HEAD", "PUT", "PATCH", "DELETE")
CONTENT_TYPES = (
    None,
    "application/json",
    "application/json; charset=utf-8",
    "text/html",
    "text/event-stream",
    "multipart/form-data; boundary=x",
    "application/x-www-form-urlencoded",
    "application/vnd.example+json",
    "image/png",
    "nonsense",
)
ACCEPTS = (None, "*/*", "text/event-stream", "application/json", "text/html", "image/png")
MODERN = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": "2026-07-28",
}


def call(gateway, verb, path="/prod/mcp", headers=None, body=None):
    """One request; the body is drained to its end under a deadline."""
    connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=5)
    try:
        connection.request(verb, path, body=body, headers=headers or {})
        response = connection.getresponse()
        return response, response.read()
    finally:
        connection.close()


def tool_call(name, arguments=None):
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "gateway-test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": name, "arguments": arguments or {}, "_meta": meta}
    return json.dumps({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params})


def test_five_hundred_gets_invoke_nothing(gateway, function):
    before = function.invocations
    headers = {"Accept": "text/event-stream", "Authorization": "Bearer x", "Last-Event-ID": "9"}
    connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=5)
    for _ in range(500):
        connection.request("GET", "/prod/mcp", headers=headers)
        response = connection.getresponse()
        assert (response.status, response.read()) == (405, METHOD_NOT_ALLOWED)
    connection.close()
    assert function.invocations == before


def test_post_reaches_the_function_and_returns_a_tool_result(gateway, function):
    before = function.invocations
    headers = {**MODERN, "Mcp-Method": "tools/call", "Mcp-Name": "get_manifest"}
    response, body = call(gateway, "POST", headers=headers, body=tool_call("get_manifest"))
    assert response.status == 200, body
    assert response.headers.get_all("Access-Control-Allow-Origin") == ["*"]
    answer = json.loads(body)
    assert answer["id"] == 7
    assert answer["result"].get("isError", False) is False
    assert answer["result"]["structuredContent"]
    assert function.invocations == before + 1


@pytest.mark.parametrize("path", ["/prod/mcp", "/prod/mcp/"])
@pytest.mark.parametrize("verb", VERBS)
def test_every_other_verb_is_405_whatever_the_types(gateway, function, verb, path):
    before = function.invocations
    for content_type in CONTENT_TYPES:
        for accept in ACCEPTS:
            headers = {"Content-Type": content_type, "Accept": accept}
            headers = {k: v for k, v in headers.items() if v}
            response, body = call(gateway, verb, path, {**headers, "Authorization": "Bearer x"})
            assert response.status == 405, headers
            assert response.headers.get_all("Allow") == ["POST, OPTIONS"], headers
            assert response.headers.get_all("Content-Type") == ["application/json"], headers
            assert response.headers.get_all("Access-Control-Allow-Origin") == ["*"], headers
            assert response.headers["WWW-Authenticate"] is None
            assert body == (b"" if verb == "HEAD" else METHOD_NOT_ALLOWED), headers
    assert function.invocations == before


@pytest.mark.parametrize("verb", ["PUT", "PATCH", "DELETE", "GET"])
def test_a_body_changes_nothing(gateway, function, verb):
    before = function.invocations
    for content_type in ("application/json", "text/plain", "image/png"):
        for body in ('{"statusCode": 200}', "#set($context.responseOverride.status = 200)", "x" * 9999):
            response, answer = call(gateway, verb, headers={"Content-Type": content_type}, body=body)
            assert (response.status, answer) == (405, METHOD_NOT_ALLOWED)
    assert function.invocations == before


def test_preflight_is_answered_without_the_function(gateway, function):
    before = function.invocations
    response, body = call(
        gateway,
        "OPTIONS",
        headers={
            "Origin": "https://app.example.com",
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization,content-type,mcp-method,mcp-param-region",
        },
    )
    assert (response.status, body) == (204, b"")
    allowed = {h.strip().lower() for h in response.headers["Access-Control-Allow-Headers"].split(",")}
    assert {
        "accept", "authorization", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name",
        "mcp-session-id", "last-event-id", "*",
    } <= allowed
    assert response.headers["Access-Control-Allow-Methods"] == "POST, OPTIONS"
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert int(response.headers["Access-Control-Max-Age"]) > 0
    assert function.invocations == before


@pytest.mark.parametrize(
    "path",
    ["/prod/index.html", "/prod/mcpx", "/prod/sse", "/prod/mcp/x", "/prod/x/mcp", "/prod/.well-known/x"],
)
@pytest.mark.parametrize("verb", ["GET", "POST", "DELETE", "OPTIONS"])
def test_unknown_paths_are_404_in_json_without_the_function(gateway, function, verb, path):
    before = function.invocations
    for headers in ({}, {"Content-Type": "text/html", "Authorization": "Bearer x"}):
        response, body = call(gateway, verb, path, headers)
        assert response.status == 404
        assert response.headers["Content-Type"] == "application/json"
        assert response.headers["Access-Control-Allow-Origin"] == "*"
        assert "error" in json.loads(body)
    assert function.invocations == before


CARDS = ("/mcp/server-card", "/.well-known/ai-catalog.json", "/.well-known/mcp/catalog.json",
         "/.well-known/mcp/server-card.json")
PAGES = {"/": "text/html", "/resume.json": "application/json", "/resume.md": "text/markdown",
         "/llms.txt": "text/plain"}
# The shipped content has none of them.
TEXTS = tuple(f"/.well-known/{name}" for name in (
    "mcp-registry-auth", "openai-apps-challenge", "glama.json", "security.txt", "atproto-did"))
DOCUMENTS = (*CARDS, *PAGES)
METADATA = ("/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp")


@pytest.mark.parametrize("path", DOCUMENTS)
def test_documents_are_written_by_the_function(gateway, function, path):
    before = function.invocations
    response, body = call(gateway, "GET", f"/prod{path}")
    assert response.status == 200, body
    assert PAGES.get(path, "json") in response.headers["Content-Type"]
    if "json" in response.headers["Content-Type"]:
        json.loads(body)
    assert response.headers["Cache-Control"] == "public, max-age=300"
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert function.invocations == before + 1


def test_the_page_has_its_policy_at_the_root_with_and_without_a_slash(gateway):
    for path in ("/prod", "/prod/"):
        response, body = call(gateway, "GET", path)
        assert response.status == 200
        assert body.startswith(b"<!DOCTYPE html>")
        policy = response.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy


@pytest.mark.parametrize("path", TEXTS)
def test_a_text_that_the_owner_does_not_publish_is_404(gateway, path):
    response, body = call(gateway, "GET", f"/prod{path}")
    assert response.status == 404
    assert response.headers["Cache-Control"] == "no-store"
    assert "error" in json.loads(body)


@pytest.mark.parametrize("path", DOCUMENTS)
def test_a_document_that_a_client_has_is_answered_with_304(gateway, path):
    first, body = call(gateway, "GET", f"/prod{path}")
    etag = first.headers["ETag"]
    assert etag and body
    again, empty = call(gateway, "GET", f"/prod{path}", {"If-None-Match": etag})
    assert (again.status, empty) == (304, b"")
    assert again.headers["ETag"] == etag
    other, whole = call(gateway, "GET", f"/prod{path}", {"If-None-Match": '"other"'})
    assert (other.status, whole) == (200, body)


@pytest.mark.parametrize("path", ["/mcp", *DOCUMENTS])
def test_a_page_may_send_if_none_match(gateway, function, path):
    """The header makes a browser ask first; `*` allows every header but Authorization."""
    before = function.invocations
    headers = {"Origin": "https://app.example.com", "Access-Control-Request-Method": "GET",
               "Access-Control-Request-Headers": "if-none-match"}
    response, body = call(gateway, "OPTIONS", f"/prod{path}", headers)
    assert (response.status, body) == (204, b"")
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    allowed = {name.strip().lower() for name in response.headers["Access-Control-Allow-Headers"].split(",")}
    assert "*" in allowed
    assert path != "/mcp" or "if-none-match" in allowed
    assert function.invocations == before


def test_health_is_answered_by_the_gateway(gateway, function):
    before = function.invocations
    response, body = call(gateway, "GET", "/prod/health")
    assert (response.status, json.loads(body)) == (200, {"status": "ok"})
    assert response.headers["Cache-Control"] == "no-store"
    assert function.invocations == before


@pytest.mark.parametrize("path", METADATA)
def test_resource_metadata_is_404_while_no_authorization_server_is_configured(gateway, function, path):
    before = function.invocations
    response, body = call(gateway, "GET", f"/prod{path}")
    assert response.status == 404
    assert "error" in json.loads(body)
    assert function.invocations == before


def test_unknown_paths_are_404_whatever_the_content_type(gateway, function):
    before = function.invocations
    for content_type in CONTENT_TYPES:
        headers = {"Content-Type": content_type} if content_type else {}
        for verb in (*VERBS, "POST", "OPTIONS"):
            response, _ = call(gateway, verb, "/prod/nothing", headers)
            assert response.status == 404, (verb, content_type)
    assert function.invocations == before


@pytest.mark.parametrize("override", [None, *VERBS, "POST", "OPTIONS", "TRACE", "nonsense"])
@pytest.mark.parametrize("path", ["/mcp", "/health", "/nothing", *DOCUMENTS, *TEXTS, *METADATA])
def test_every_verb_and_override_on_every_path_is_counted(gateway, function, path, override):
    """What starts the function: POST on the endpoint, and GET of a document that it writes."""
    for verb in (*VERBS, "POST", "OPTIONS"):
        for authorization in ({}, {"Authorization": "Bearer x"}):
            before = function.invocations
            headers = dict(authorization)
            if override:
                headers["X-HTTP-Method-Override"] = override
            response, _ = call(gateway, verb, f"/prod{path}", headers)
            effective = (override or verb).upper()
            starts = (path, effective) == ("/mcp", "POST") or (
                path in (*DOCUMENTS, *TEXTS) and effective == "GET")
            assert function.invocations == before + starts, (verb, headers)
            if path in (*DOCUMENTS, *TEXTS) and effective != "GET":
                # Nothing but the document itself may be cached in its place.
                assert response.headers["Cache-Control"] == "no-store", (verb, headers)


def test_the_gateway_and_the_function_say_the_same(gateway, function):
    """A Function URL has no gateway: what the function answers there must not differ."""
    for verb, path in [("GET", "/mcp"), ("DELETE", "/mcp"), ("OPTIONS", "/mcp"), ("GET", "/nothing")]:
        ours, body = call(gateway, verb, f"/prod{path}")
        event = {
            "version": "2.0",
            "rawPath": path,
            "headers": {"host": "x.lambda-url.us-east-1.on.aws"},
            "requestContext": {"stage": "$default", "http": {"method": verb, "path": path}},
        }
        theirs = function.invoke(event, 5)
        said = {k.lower(): v for k, v in theirs["headers"].items()}
        assert theirs["statusCode"] == ours.status
        assert (theirs.get("body") or "").encode() == body
        for name in (
            "allow", "cache-control", "access-control-allow-origin", "access-control-expose-headers",
            "access-control-allow-methods", "access-control-max-age",
        ):
            assert said.get(name) == ours.headers[name], (verb, path, name)
        named = ours.headers["access-control-allow-headers"] or ""
        assert (said.get("access-control-allow-headers") or "") == named.removesuffix(", *")


def test_a_method_override_cannot_open_a_stream(gateway, function):
    """API Gateway honours the header: the GET becomes a POST without a body, refused at once."""
    response, body = call(gateway, "GET", headers={**MODERN, "X-HTTP-Method-Override": "POST"})
    assert response.status == 400
    assert json.loads(body)["error"]["code"] == -32700


def test_another_stage_is_not_this_api(gateway, function):
    before = function.invocations
    response, _ = call(gateway, "POST", "/test/mcp", MODERN, tool_call("get_manifest"))
    assert response.status == 403
    assert function.invocations == before
