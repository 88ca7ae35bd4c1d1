"""Interprets the API definition the way API Gateway does, as far as the template uses it.

It answers MOCK integrations and gateway responses by itself and hands `aws_proxy` on to a function.
What it does not know (VTL, other integrations, unknown keys) is an error and not a guess: the tests
then say that the interpreter must learn it first.

Behaviour taken from the API Gateway developer guide:
- a template is chosen by the media type of `Content-Type` alone; a missing one is application/json;
- with `passthroughBehavior: never` a type without a template ends in UNSUPPORTED_MEDIA_TYPE;
- a response template is chosen by `Accept`, else application/json, else the first one;
- a verb or path that does not exist is MISSING_AUTHENTICATION_TOKEN, and INVALID_SIGNATURE where the
  request has an `Authorization` that is no AWS signature;
- a request validator looks for required parameters before the integration looks at the media type;
- `X-HTTP-Method-Override` replaces the verb;
- `WWW-Authenticate` and a few more of the function's headers leave under other names.
"""

import json
import re
from dataclasses import dataclass, field

from events import rest_event

ANY = "x-amazon-apigateway-any-method"
VALIDATOR = "x-amazon-apigateway-request-validator"
INTEGRATION = "x-amazon-apigateway-integration"
GATEWAY_RESPONSES = "x-amazon-apigateway-gateway-responses"
VERBS = ("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT")
REMAPPED = ("connection", "content-length", "date", "server", "www-authenticate")
DEFAULT_STATUS = {
    "BAD_REQUEST_PARAMETERS": 400,
    "INTEGRATION_FAILURE": 504,
    "INTEGRATION_TIMEOUT": 504,
    "INVALID_SIGNATURE": 403,
    "MISSING_AUTHENTICATION_TOKEN": 403,
    "REQUEST_TOO_LARGE": 413,
    "RESOURCE_NOT_FOUND": 404,
    "THROTTLED": 429,
    "UNSUPPORTED_MEDIA_TYPE": 415,
    "DEFAULT_4XX": 400,
    "DEFAULT_5XX": 500,
}
MAX_BODY_BYTES = 10 * 1024 * 1024
# How long API Gateway waits for an integration that does not say it.
DEFAULT_TIMEOUT_MS = 29_000


@dataclass
class Request:
    """One request, with the stage already taken off its path."""

    method: str
    path: str
    headers: list = field(default_factory=list)
    body: bytes = b""
    query: str = ""
    source_ip: str = "198.51.100.9"

    def header(self, name):
        for key, value in self.headers:
            if key.lower() == name:
                return value
        return None


@dataclass
class Response:
    """What the caller gets."""

    status: int
    headers: list
    body: bytes

    def header(self, name):
        values = [v for k, v in self.headers if k.lower() == name]
        assert len(values) <= 1, f"{name} is there {len(values)} times"
        return values[0] if values else None


class GatewayError(Exception):
    """API Gateway answers by itself, with a gateway response of this type."""

    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind


class Api:
    """One API definition, and the function behind its `aws_proxy` integrations."""

    def __init__(self, definition, stage, invoke=None):
        self.definition = definition
        self.stage = stage
        self.invoke = invoke
        self.paths = definition["paths"]

    def answer(self, request):
        try:
            method = (request.header("x-http-method-override") or request.method).upper()
            if len(request.body) > MAX_BODY_BYTES:
                raise GatewayError("REQUEST_TOO_LARGE", "Request Too Long")
            resource, parameters = self.route(request.path)
            operation = self.operation(resource, method, request)
            self.validate(operation, request)
            integration = operation[INTEGRATION]
            match integration["type"].lower():
                case "mock":
                    return self.mock(operation, integration, request)
                case "aws_proxy":
                    return self.proxy(integration, resource, parameters, method, request)
            raise NotImplementedError(f"integration type {integration['type']}")
        except GatewayError as error:
            return self.gateway_response(error)

    def route(self, path):
        """The resource for a path: the one that says most. A trailing slash counts for nothing."""
        parts = [p for p in path.split("/") if p]
        best = None
        for resource in self.paths:
            wanted = [p for p in resource.split("/") if p]
            found = match_path(wanted, parts)
            if found is not None:
                rank = [0 if p.endswith("+}") else 1 if p.startswith("{") else 2 for p in wanted]
                if best is None or rank > best[0]:
                    best = (rank, resource, found)
        if best is None:
            raise GatewayError("MISSING_AUTHENTICATION_TOKEN", "Missing Authentication Token")
        return best[1], best[2]

    def validate(self, operation, request):
        """The request validator of a method: required headers that are there and not blank."""
        name = operation.get(VALIDATOR)
        if name is None:
            return
        assert self.definition[f"{VALIDATOR}s"][name]["validateRequestParameters"] is True
        for parameter in operation["parameters"]:
            if parameter["in"] == "header" and parameter["required"]:
                if not (request.header(parameter["name"]) or "").strip():
                    message = f"Missing required request parameters: [{parameter['name']}]"
                    raise GatewayError("BAD_REQUEST_PARAMETERS", message)

    def operation(self, resource, method, request):
        operations = self.paths[resource]
        if method.lower() in operations:
            return operations[method.lower()]
        if ANY in operations and method in VERBS:
            return operations[ANY]
        if request.header("authorization") is not None:
            raise GatewayError("INVALID_SIGNATURE", "not a valid key=value pair (missing equal-sign)")
        raise GatewayError("MISSING_AUTHENTICATION_TOKEN", "Missing Authentication Token")

    def mock(self, operation, integration, request):
        templates = integration["requestTemplates"]
        media_type = (request.header("content-type") or "application/json").split(";")[0].strip()
        template = templates.get(media_type)
        if template is None:
            if integration["passthroughBehavior"].lower() == "when_no_match":
                # The body itself would have to name the status.
                template = request.body.decode("utf-8", "replace")
            else:
                raise GatewayError("UNSUPPORTED_MEDIA_TYPE", "Unsupported Media Type")
        try:
            status = json.loads(static(template))["statusCode"]
        except (ValueError, KeyError, TypeError):
            raise GatewayError("DEFAULT_5XX", "Internal server error") from None
        chosen = self.integration_response(integration["responses"], str(status))
        body = b""
        content_type = "application/json"
        bodies = chosen.get("responseTemplates", {})
        if bodies:
            accept = (request.header("accept") or "application/json").split(",")[0]
            accept = accept.split(";")[0].strip()
            keys = [accept, "application/json", next(iter(bodies))]
            content_type = next(k for k in keys if k in bodies)
            body = static(bodies[content_type]).encode()
        declared = operation["responses"][chosen["statusCode"]].get("headers", {})
        headers = [("Content-Type", content_type)]
        for target, value in chosen.get("responseParameters", {}).items():
            name = target.removeprefix("method.response.header.")
            # A header that the method response does not declare fails the import.
            assert name in declared, f"{name} is not declared"
            headers.append((name, quoted(value)))
        return Response(int(chosen["statusCode"]), headers, body)

    @staticmethod
    def integration_response(responses, status):
        for pattern, response in responses.items():
            if pattern != "default" and re.fullmatch(pattern, status):
                return response
        return responses["default"]

    def proxy(self, integration, resource, parameters, method, request):
        event = rest_event(request, method, resource, parameters, self.stage)
        answer = self.invoke(event, integration.get("timeoutInMillis", DEFAULT_TIMEOUT_MS) / 1000)
        if answer is None:
            raise GatewayError("INTEGRATION_TIMEOUT", "Endpoint request timed out")
        if not isinstance(answer, dict) or "statusCode" not in answer:
            raise GatewayError("DEFAULT_5XX", "Internal server error")
        headers = {}
        for name, value in (answer.get("headers") or {}).items():
            headers[name.lower()] = (name, [value])
        for name, values in (answer.get("multiValueHeaders") or {}).items():
            headers[name.lower()] = (name, values)
        headers.setdefault("content-type", ("Content-Type", ["application/json"]))
        sent = []
        for key, (name, values) in headers.items():
            name = f"x-amzn-remapped-{key}" if key in REMAPPED else name
            sent += [(name, value) for value in values]
        # Without binaryMediaTypes a Base64 body leaves as the Base64 text.
        body = (answer.get("body") or "").encode()
        return Response(int(answer["statusCode"]), sent, body)

    def gateway_response(self, error):
        responses = self.definition[GATEWAY_RESPONSES]
        status = DEFAULT_STATUS[error.kind]
        fallback = "DEFAULT_4XX" if status < 500 else "DEFAULT_5XX"
        response = responses.get(error.kind) or responses.get(fallback) or {}
        status = int(response.get("statusCode") or status)
        headers = [("Content-Type", "application/json")]
        for target, value in response.get("responseParameters", {}).items():
            headers.append((target.removeprefix("gatewayresponse.header."), quoted(value)))
        template = response.get("responseTemplates", {}).get(
            "application/json", '{"message":$context.error.messageString}'
        )
        body = template.replace("$context.error.messageString", json.dumps(str(error)))
        return Response(status, headers, static(body).encode())


def match_path(wanted, parts):
    """The path parameters, if `parts` fits the resource path `wanted`."""
    found = {}
    for index, name in enumerate(wanted):
        if name.endswith("+}"):
            rest = parts[index:]
            if not rest:
                return None
            found[name[1:-2]] = "/".join(rest)
            return found
        if index >= len(parts):
            return None
        if name.startswith("{"):
            found[name[1:-1]] = parts[index]
        elif name != parts[index]:
            return None
    return found if len(wanted) == len(parts) else None


def static(template):
    """A mapping template, which must have no VTL in it: nothing here would interpret it."""
    if re.search(r"[#$][A-Za-z{!]", template):
        raise NotImplementedError(f"VTL is not interpreted: {template!r}")
    return template


def quoted(value):
    """A static mapping value, which stands in single quotes."""
    assert re.fullmatch(r"'[^']*'", value), f"not a static value: {value}"
    return value[1:-1]
