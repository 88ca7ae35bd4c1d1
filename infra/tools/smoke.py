#!/usr/bin/env python3
"""Sends the requests of a client to an endpoint and checks the responses, which it reads to their end.

Usage: smoke.py [--local] https://…/mcp

`--local` also checks what only `make run` does: it refuses other hosts and origins. The exit status
is 1 if a check fails. Needs Python 3.9 or newer and no packages.
"""

import json
import sys
import time
import urllib.error
import urllib.request
from urllib.parse import urlsplit

DEADLINE_S = 10
NOT_ALLOWED = {"jsonrpc": "2.0", "error": {"code": -32000, "message": "Method not allowed."}, "id": None}
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "smoke", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Wrong(Exception):
    """A response is not as expected."""


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(NoRedirect)


def send(method, url, headers=None, body=None):
    """Returns status, headers and body."""
    request = urllib.request.Request(url, data=body, headers=headers or {}, method=method)
    try:
        with OPENER.open(request, timeout=DEADLINE_S) as response:
            return response.status, response.headers, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def expect(condition, words):
    if not condition:
        raise Wrong(words)


def post(url, message, headers=None):
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    headers = {"Content-Type": "application/json", "Accept": "*/*", **(headers or {})}
    return send("POST", url, headers, body)


def request(method, params=None):
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}


def modern(url, method, params=None, name=None, version="2026-07-28"):
    headers = {
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": version,
        "Mcp-Method": method,
    }
    if name:
        headers["Mcp-Name"] = name
    meta = {**META, "io.modelcontextprotocol/protocolVersion": version}
    return post(url, request(method, {**(params or {}), "_meta": meta}), headers)


def rpc(url, method, params=None, name=None):
    status, got, body = modern(url, method, params, name)
    expect(status == 200, f"status {status}: {body[:200]!r}")
    origins = got.get_all("Access-Control-Allow-Origin") or []
    expect(len(origins) == 1, f"{len(origins)} headers Access-Control-Allow-Origin")
    answer = json.loads(body)
    expect("result" in answer, f"no result: {body[:200]!r}")
    return answer["result"]


def get_is_refused_and_ends(url):
    for headers in ({"Accept": "text/event-stream"}, {"Content-Type": "text/html"},
                    {"Authorization": "Bearer x"}, {"Content-Type": "application/vnd.odd"}):
        started = time.monotonic()
        status, got, body = send("GET", url, headers)
        expect(status == 405, f"status {status} with {headers}")
        expect(json.loads(body) == NOT_ALLOWED, f"body {body[:200]!r}")
        expect(got["Allow"] == "POST, OPTIONS", f"Allow: {got['Allow']}")
        expect(got["WWW-Authenticate"] is None, "the 405 has a header WWW-Authenticate")
        expect(got["Access-Control-Allow-Origin"], "no CORS header")
        expect(time.monotonic() - started < 5, "it took more than five seconds")


def other_methods_are_refused(url):
    for verb in ("DELETE", "PUT", "PATCH", "HEAD"):
        status, _, _ = send(verb, url)
        expect(status == 405, f"{verb}: status {status}")


def preflight_is_answered(url):
    status, got, _ = send("OPTIONS", url, {
        "Origin": "https://app.example.com",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type,mcp-protocol-version",
    })
    expect(status in (200, 204), f"status {status}")
    allowed = (got["Access-Control-Allow-Headers"] or "").lower()
    for name in ("authorization", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"):
        expect(name in allowed, f"the header {name} is not allowed")


def tools_are_listed_as_the_first_request(url):
    tools = rpc(url, "tools/list")["tools"]
    expect(tools, "no tools")


def a_tool_returns_a_result(url):
    tools = rpc(url, "tools/list")["tools"]
    free = [t["name"] for t in tools if not t["inputSchema"].get("required")
            and t.get("annotations", {}).get("readOnlyHint")]
    expect(free, "no read-only tool without arguments")
    result = rpc(url, "tools/call", {"name": free[0], "arguments": {}}, free[0])
    expect(not result.get("isError"), f"{free[0]} failed: {result}")


def discovery_answers(url):
    expect("2026-07-28" in rpc(url, "server/discover")["supportedVersions"], "no 2026-07-28")


def headers_and_handshake_are_optional(url):
    status, _, body = post(url, request("tools/list"))
    expect(status == 200, f"status {status}: {body[:200]!r}")
    expect(json.loads(body)["result"]["tools"], "no tools")


def the_handshake_of_older_clients_works(url):
    client = {"name": "smoke", "version": "1"}
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
    status, _, body = post(url, request("initialize", params))
    expect(status == 200, f"status {status}: {body[:200]!r}")
    version = json.loads(body)["result"]["protocolVersion"]
    expect(version == "2025-11-25", f"the negotiated version is {version}")
    status, _, body = post(url, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    expect((status, body) == (202, b""), f"the notification: status {status}, body {body[:200]!r}")


def errors_have_the_specified_codes(url):
    call = {"name": "no_such_tool", "arguments": {}}
    answers = (
        ("an unknown tool", -32602, modern(url, "tools/call", call, call["name"])),
        ("an unknown tool of an older client", -32602, post(url, request("tools/call", call))),
        ("broken JSON", -32700, post(url, b'{"jsonrpc":')),
        ("an unsupported version", -32022, modern(url, "server/discover", version="2099-01-01")),
    )
    for what, code, (status, _, body) in answers:
        error = json.loads(body).get("error", {})
        expect(error.get("code") == code, f"{what}: status {status}, body {body[:200]!r}")
    expect("2026-07-28" in error["data"]["supported"], f"the supported versions are not listed: {error}")


def other_hosts_and_effects_of_other_pages_are_refused(url):
    """Requests that DNS rebinding, or any page, makes a browser send."""
    status, _, _ = post(url, request("ping"), {"Host": "evil.example", "Origin": "http://evil.example"})
    expect(status == 403, f"status {status} with a foreign Host")
    page = {"Origin": "http://evil.example"}
    status, _, _ = post(url, request("tools/call", {"name": "get_manifest"}), page)
    expect(status == 200, f"status {status} for a page that reads")
    message = {"brief": "A page wrote this.", "contact": "nobody@evil.example"}
    status, _, _ = post(url, request("tools/call", {"name": "contact", "arguments": message}), page)
    expect(status == 403, f"status {status} for a page that sends a message")


def a_trailing_slash_is_ignored(url):
    expect(rpc(url + "/", "tools/list")["tools"], "no tools")


def unknown_paths_get_404_with_json(url):
    status, got, body = send("GET", url + "-nothing")
    expect(status == 404, f"status {status}")
    expect("json" in (got["Content-Type"] or ""), f"Content-Type: {got['Content-Type']}")
    json.loads(body)


def health_is_ok(url):
    status, _, body = send("GET", url.removesuffix("/mcp") + "/health")
    expect(status == 200, f"status {status}: {body[:200]!r}")


def documents_are_published(url):
    status, _, body = send("GET", url + "/server-card")
    expect(status == 200, f"server card: status {status}")
    expect(b'"GET"' not in body, "the server card advertises GET")


CHECKS = (
    get_is_refused_and_ends,
    other_methods_are_refused,
    preflight_is_answered,
    discovery_answers,
    tools_are_listed_as_the_first_request,
    a_tool_returns_a_result,
    headers_and_handshake_are_optional,
    the_handshake_of_older_clients_works,
    errors_have_the_specified_codes,
    a_trailing_slash_is_ignored,
    unknown_paths_get_404_with_json,
    documents_are_published,
    health_is_ok,
)


def main(arguments):
    local = arguments[:1] == ["--local"]
    arguments = arguments[local:]
    checks = CHECKS + (other_hosts_and_effects_of_other_pages_are_refused,) * local
    if len(arguments) != 1 or urlsplit(arguments[0]).scheme not in ("http", "https"):
        print("usage: make smoke URL=https://…/mcp (the output McpEndpoint)", file=sys.stderr)
        return 2
    url = arguments[0].rstrip("/")
    failed = 0
    for check in checks:
        name = check.__name__.replace("_", " ")
        started = time.monotonic()
        try:
            check(url)
        except (Wrong, OSError, ValueError, KeyError) as wrong:
            failed += 1
            print(f"FAIL  {name}: {wrong!r}" if isinstance(wrong, KeyError) else f"FAIL  {name}: {wrong}")
        else:
            print(f"ok    {name} ({(time.monotonic() - started) * 1000:.0f} ms)")
    print(f"{len(checks) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
