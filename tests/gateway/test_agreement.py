"""What API Gateway answers by itself is what the function answers on the other ways to it."""

import pytest
from api import Api, Request
from events import rest_event
from expand import Stack

# With documents of both: those that only the function writes, and the metadata of credentials.
PARAMETERS = {
    "PublicUrl": "https://mcp.example.com",
    "JwtIssuer": "https://login.example.com",
    "JwtJwksUrl": "https://login.example.com/keys",
    "AuthorizationServers": "https://login.example.com",
}
METHODS = ("GET", "HEAD", "PUT", "PATCH", "DELETE", "POST", "OPTIONS")
SIGNED = ("Authorization", "Bearer x")
PREFLIGHT = [("Origin", "https://app.example.com"), ("Access-Control-Request-Method", "GET")]


class Both:
    """The same request to the gateway and to the function."""

    def __init__(self, stack, function):
        self.api = Api(stack.definition, stack.stage["StageName"], function.invoke)
        self.function = function
        self.paths = [path for path in stack.definition["paths"] if path != "/{proxy+}"]

    def ask(self, method, path, headers=()):
        request = Request(method, path, headers=list(headers))
        gateway = self.api.answer(request)
        event = rest_event(request, method, path, {}, "prod")
        function = self.function.invoke(event, 5)
        names = {name.lower(): value for name, value in (function.get("headers") or {}).items()}
        names |= {name.lower(): ", ".join(values) for name, values in (function.get("multiValueHeaders") or {}).items()}
        return (
            (gateway.status, {name.lower(): value for name, value in gateway.headers}, gateway.body.decode()),
            (function["statusCode"], names, function.get("body") or ""),
        )

    def documents(self):
        """The paths of documents that this content has."""
        return [path for path in self.paths if path != "/mcp" and self.ask("GET", path)[1][0] == 200]


@pytest.fixture(scope="module")
def both(start):
    stack = Stack(**PARAMETERS)
    return Both(stack, start(stack))


def test_there_is_every_kind_of_document(both):
    assert {"/", "/health", "/mcp/server-card", "/.well-known/oauth-protected-resource",
            "/.well-known/oauth-protected-resource/mcp"} <= set(both.documents())


@pytest.mark.parametrize("headers", [[], [SIGNED]], ids=["plain", "with a token"])
def test_a_method_that_is_not_allowed_gets_the_same_answer(both, headers):
    refused = [("/mcp", method) for method in METHODS if method not in ("POST", "OPTIONS")]
    refused += [(path, method) for path in both.documents() for method in METHODS if method not in ("GET", "HEAD", "OPTIONS")]
    for path, method in refused:
        gateway, function = both.ask(method, path, headers)
        assert gateway[0] == 405, (path, method)
        if method == "HEAD":
            # API Gateway sends no body, which the interpreter leaves to its server.
            gateway = (*gateway[:2], "")
        assert gateway == function, (path, method)


@pytest.mark.parametrize("headers", [PREFLIGHT, [*PREFLIGHT, SIGNED]], ids=["plain", "with a token"])
def test_a_preflight_allows_the_same(both, headers):
    for path in ("/mcp", *both.documents()):
        gateway, function = both.ask("OPTIONS", path, headers)
        assert (gateway[0], gateway[2]) == (function[0], function[2]) == (204, ""), path
        for name in ("allow", "access-control-allow-methods", "access-control-allow-origin", "access-control-max-age"):
            assert gateway[1][name] == function[1][name], (path, name)
        # `*` stands for every header but `Authorization`.
        wanted = set(function[1]["access-control-allow-headers"].split(", "))
        listed = set(gateway[1]["access-control-allow-headers"].split(", "))
        assert "*" in listed
        assert wanted & {"Authorization"} <= listed, path


def test_what_is_allowed_is_what_is_answered(both):
    """`Allow` of a 405 names the methods that the path has."""
    for path in both.documents():
        allowed = both.ask("PUT", path)[0][1]["allow"].split(", ")
        for method in METHODS:
            for status, headers, _ in both.ask(method, path):
                assert (status != 405) is (method in allowed), (path, method)
                assert headers["access-control-allow-origin"] == "*", (path, method)


@pytest.mark.parametrize("method", METHODS)
def test_an_unknown_path_gets_the_same_answer(both, method):
    gateway, function = both.ask(method, "/nothing")
    assert gateway[:2] == function[:2]
    if method != "HEAD":
        assert gateway[2] == function[2]
