"""The requests that are measured, and the events that bring them to a function."""

import json

VERSION = "2026-07-28"
FORECAST = {"city": "Berlin", "days": 3}


def call(tool, arguments):
    return request("tools/call", {"name": tool, "arguments": arguments})


def request(method, params):
    meta = {
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1.0.0"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}


def event(message):
    """The event of a REST API for the request, with the headers that CloudFront adds."""
    host = "a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com"
    headers = {
        "Accept": "application/json, text/event-stream",
        "Accept-Encoding": "gzip, br",
        "CloudFront-Forwarded-Proto": "https",
        "CloudFront-Is-Desktop-Viewer": "true",
        "CloudFront-Is-Mobile-Viewer": "false",
        "CloudFront-Is-SmartTV-Viewer": "false",
        "CloudFront-Is-Tablet-Viewer": "false",
        "CloudFront-Viewer-ASN": "64496",
        "CloudFront-Viewer-Country": "DE",
        "Content-Type": "application/json",
        "Host": host,
        "MCP-Protocol-Version": VERSION,
        "Mcp-Method": message["method"],
        "User-Agent": "bench/1.0.0",
        "Via": "2.0 0123456789abcdef.cloudfront.net (CloudFront)",
        "X-Amz-Cf-Id": "0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghij",
        "X-Amzn-Trace-Id": "Root=1-67891233-abcdef012345678912345678",
        "X-Forwarded-For": "192.0.2.1, 198.51.100.1",
        "X-Forwarded-Port": "443",
        "X-Forwarded-Proto": "https",
    }
    named = message["params"].get("name") or message["params"].get("uri")
    if named:
        headers["Mcp-Name"] = named
    identity = ["cognitoIdentityPoolId", "accountId", "cognitoIdentityId", "caller", "accessKey"]
    context = {
        "accountId": "123456789012",
        "apiId": "a1b2c3d4e5",
        "domainName": host,
        "domainPrefix": "a1b2c3d4e5",
        "extendedRequestId": "JKJaXmPLvHcESHA=",
        "httpMethod": "POST",
        "identity": {**dict.fromkeys(identity), "sourceIp": "192.0.2.1", "userAgent": "bench/1.0.0"},
        "path": "/prod/mcp",
        "protocol": "HTTP/1.1",
        "requestId": "c6af9ac6-7b61-11e6-9a41-93e8deadbeef",
        "requestTime": "29/Nov/2026:12:00:00 +0000",
        "requestTimeEpoch": 1795953600000,
        "resourceId": "123456",
        "resourcePath": "/mcp",
        "stage": "prod",
    }
    whole = {
        "resource": "/mcp",
        "path": "/mcp",
        "httpMethod": "POST",
        "headers": headers,
        "multiValueHeaders": {name: [value] for name, value in headers.items()},
        "queryStringParameters": None,
        "multiValueQueryStringParameters": None,
        "pathParameters": None,
        "stageVariables": None,
        "requestContext": context,
        "body": json.dumps(message),
        "isBase64Encoded": False,
    }
    return json.dumps(whole).encode()


def http_event(message):
    """The same request as an HTTP API or a Function URL sends it (payload version 2)."""
    rest = json.loads(event(message))
    context = rest["requestContext"]
    http = {"method": "POST", "path": "/prod/mcp", "protocol": "HTTP/1.1", **context["identity"]}
    members = ("accountId", "apiId", "domainName", "domainPrefix", "requestId", "stage")
    headers = {name.lower(): value for name, value in rest["headers"].items()}
    return json.dumps({
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": "/prod/mcp",
        "rawQueryString": "",
        "headers": headers,
        "requestContext": {**{name: context[name] for name in members}, "http": http},
        "body": rest["body"],
        "isBase64Encoded": False,
    }).encode()


def get():
    """A GET on the endpoint, which is refused."""
    rest = json.loads(event(request("tools/list", {})))
    return json.dumps({**rest, "httpMethod": "GET", "body": None}).encode()
