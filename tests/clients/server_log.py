"""Checks what the server logged about a client: era, version, requests and statuses."""

import json


class ServerLog:
    """Reads a log while the server writes it."""

    def __init__(self, path):
        self.path = path
        self.offset = 0

    def news(self):
        """The requests since the last call."""
        with open(self.path, encoding="utf-8") as log:
            log.seek(self.offset)
            text = log.read()
            self.offset = log.tell()
        lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
        fields = [{**line, **line.get("fields", {})} for line in lines]
        return [line for line in fields if line.get("message") == "request"]


def judge(check, client, requests, connections):
    """Checks the messages of one client, which connected `connections` times: its POST requests, or
    the lines of a connection, which have no HTTP method."""
    posts = [line for line in requests if line.get("http_method", "POST") == "POST"]
    check.holds("the server saw the client", posts)
    check.equal("eras logged", {line.get("era") for line in posts}, {client.era})
    methods = [line.get("method") for line in posts]
    if client.era == "modern":
        check.equal("versions logged", {line.get("version") for line in posts}, {client.protocol})
        check.equal("handshakes", methods.count("initialize"), 0)
        check.holds("it asked what the server is", "server/discover" in methods, methods)
        named = {line.get("client") for line in posts}
        check.holds("the client is named", len(named) == 1 and None not in named, named)
    else:
        served = [line for line in posts if line.get("method") != "initialize"]
        check.equal("versions logged", {line.get("version") for line in served}, {client.protocol})
        check.equal("handshakes", methods.count("initialize"), connections)
        # The server requires neither. Clients of this era send both.
        check.equal("reported ready", methods.count("notifications/initialized"), connections)
    codes = sorted(line["code"] for line in posts if line.get("code") is not None)
    check.equal("error codes logged", codes, sorted(check.refusals))
    failures = [line for line in posts if line.get("status", 200) >= 500]
    check.holds("no request failed", not failures, failures)


def judge_others(check, requests):
    """Checks that requests for streams (GET) and ends of sessions (DELETE) got 405.

    They run in parallel with the requests of a client, so they are not assigned to clients.
    """
    others = [line for line in requests if line.get("http_method", "POST") != "POST"]
    wrong = [line for line in others if line["status"] != 405]
    check.holds("GET and DELETE are answered with 405", not wrong, wrong)
    return sum(line["http_method"] == "GET" for line in others)
