"""The part of AWS Lambda that tasks need, in front of AWS's own emulator of durable executions.

    Invoke with a name         one execution for each name, as documented; another payload is refused
    Get, History, Stop, …      the emulator, as it is; errors get the header that names them
    the emulator invokes       a process of the worker
    POST /mcp                  a process of the MCP function, as a Function URL invokes it
"""

import base64
import http.client
import json
import os
import signal
import threading
import time
import urllib.parse
import uuid

from functions import Function, Handler, serve

WORKER = "arn:aws:lambda:us-west-2:123456789012:function:worker:live"
INVOKE = "/2015-03-31/functions/"
# As in infra/tasks.yaml.
SECONDS_KEPT = 86400


class Lambda:
    """The service. `faults` plan what goes wrong."""

    def __init__(self, emulator_port):
        self.emulator_port = emulator_port
        self.worker = None
        self.mcp = None
        self.started = {}
        self.lock = threading.Lock()
        # Seconds that a new execution stays invisible to reads.
        self.lag_s = 0
        # What kills the MCP function: "before_start" or "after_start", in this order.
        self.kills = []
        self.killed = 0
        self.server = serve(self.handler())
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def functions(self, worker, mcp, environment, log, of_worker=None):
        """Sets the programs of the two functions, and what the worker has in its environment besides."""
        common = {
            "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x", "AWS_REGION": "us-west-2",
            "AWS_ENDPOINT_URL_LAMBDA": self.url, **environment,
        }
        self.worker = Function(worker, {**common, **(of_worker or {})}, WORKER, log)
        mcp_environment = {"LAMBDA_TASK_ROOT": "/var/task", **common, "TASK_FUNCTION": WORKER}
        self.mcp = Function(mcp, mcp_environment, WORKER.replace("worker", "mcp"), log)

    def stop(self):
        for function in (self.worker, self.mcp):
            if function:
                function.stop()

    def emulator(self, method, path, body=b"", content_type="application/json"):
        link = http.client.HTTPConnection("127.0.0.1", self.emulator_port, timeout=60)
        link.request(method, path, body, {"Content-Type": content_type})
        answer = link.getresponse()
        return answer.status, answer.getheaders(), answer.read()

    def start(self, name, payload):
        """Starts an execution once for each name. Returns its ARN, or None for another payload."""
        with self.lock:
            if name in self.started:
                known, arn, _ = self.started[name]
                return arn if known == payload else None
            start = {
                "AccountId": "123456789012", "FunctionName": "worker", "FunctionQualifier": "7",
                "ExecutionName": name, "ExecutionTimeoutSeconds": SECONDS_KEPT,
                "ExecutionRetentionPeriodDays": 1, "Input": payload.decode(),
            }
            _, _, body = self.emulator("POST", "/start-durable-execution", json.dumps(start).encode())
            arn = json.loads(body)["ExecutionArn"]
            self.started[name] = (payload, arn, time.time())
            return arn

    def is_hidden(self, path):
        path = urllib.parse.unquote(path)
        now = time.time()
        return any(arn in path and now - at < self.lag_s for _, arn, at in self.started.values())

    def kill_function(self, point):
        """Kills the MCP function if the next planned kill is at this point."""
        with self.lock:
            if not self.kills or self.kills[0] != point:
                return False
            self.kills.pop(0)
            self.killed += 1
        for instance in list(self.mcp.all):
            instance.process.send_signal(signal.SIGKILL)
        return True

    def mcp_event(self, request, body):
        headers = {name.lower(): value for name, value in request.headers.items()}
        return json.dumps({
            "version": "2.0", "routeKey": "$default", "rawPath": request.path, "rawQueryString": "",
            "headers": {**headers, "x-forwarded-proto": "https"},
            "requestContext": {
                "accountId": "anonymous", "apiId": "id", "domainName": headers.get("host", "localhost"),
                "domainPrefix": "id", "requestId": str(uuid.uuid4()), "routeKey": "$default",
                "stage": "$default", "time": "30/Nov/2026:00:00:00 +0000", "timeEpoch": 1796000000000,
                "http": {"method": request.command, "path": request.path, "protocol": "HTTP/1.1",
                         "sourceIp": "192.0.2.1", "userAgent": "test"},
            },
            "body": body.decode(), "isBase64Encoded": False,
        }).encode()

    def handler(self):
        service = self

        class Api(Handler):
            def do_GET(self):
                if self.path == "/mcp":
                    return self.mcp()
                if service.is_hidden(self.path) and "/state" not in self.path:
                    return self.error(404, "ResourceNotFoundException")
                return self.proxy()

            def do_POST(self):
                if self.path == "/mcp":
                    return self.mcp()
                if not self.path.startswith(INVOKE):
                    if service.is_hidden(self.path) and self.path.endswith("/stop"):
                        self.body()
                        return self.error(404, "ResourceNotFoundException")
                    return self.proxy()
                payload = self.body()
                if self.headers.get("X-Dex-Handler-Invoke"):
                    kind, answer = service.worker.invoke(payload)
                    error = [("X-Amz-Function-Error", kind)] if kind else []
                    return self.reply(200, answer, [("Content-Type", "application/json"), *error])
                if urllib.parse.unquote(self.path) != f"{INVOKE}{WORKER}/invocations":
                    return self.error(404, "ResourceNotFoundException")
                if service.kill_function("before_start"):
                    self.close_connection = True
                    return None
                arn = service.start(self.headers["X-Amz-Durable-Execution-Name"], payload)
                if arn is None:
                    return self.error(409, "DurableExecutionAlreadyStartedException")
                if service.kill_function("after_start"):
                    self.close_connection = True
                    return None
                return self.reply(202, b"", [("X-Amz-Durable-Execution-Arn", arn)])

            def mcp(self):
                kind, answer = service.mcp.invoke(service.mcp_event(self, self.body()))
                if kind:
                    return self.reply(502, answer, [("Content-Type", "application/json")])
                answer = json.loads(answer)
                body = answer.get("body") or ""
                body = base64.b64decode(body) if answer.get("isBase64Encoded") else body.encode()
                return self.reply(answer["statusCode"], body, answer.get("headers", {}).items())

            def error(self, status, kind):
                body = json.dumps({"Type": "User", "message": kind}).encode()
                self.reply(status, body, [("X-Amzn-ErrorType", kind), ("Content-Type", "application/json")])

            def proxy(self):
                content_type = self.headers.get("Content-Type") or "application/json"
                status, headers, body = service.emulator(self.command, self.path, self.body(), content_type)
                kept = [(n, v) for n, v in headers if n.lower() in ("content-type", "x-amzn-errortype")]
                named = any(name.lower() == "x-amzn-errortype" for name, _ in kept)
                if status >= 400 and not named:
                    # The service names the error in a header; the emulator only in the body.
                    kept.append(("X-Amzn-ErrorType", json.loads(body or b"{}").get("Type", "")))
                self.reply(status, body, kept)

        return Api


def history(service, arn):
    """The events of an execution, with the times of the emulator's clock."""
    path = f"/2025-12-01/durable-executions/{urllib.parse.quote(arn, safe='')}/history?ReverseOrder=false&MaxItems=1000"
    status, _, body = service.emulator("GET", path)
    assert status == 200, body
    return json.loads(body)["Events"]


class Resend:
    """The mail service of the shipped function. It honours idempotency keys, as Resend does."""

    def __init__(self):
        self.lock = threading.Lock()
        # Key → mail.
        self.delivered = {}
        self.calls = 0
        self.is_down = lambda: False
        # Called after a mail was accepted, before the answer.
        self.accepted = lambda: None
        self.server = serve(self.handler())
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def handler(self):
        resend = self

        class Api(Handler):
            def do_POST(self):
                mail = json.loads(self.body())
                is_down = resend.is_down()
                with resend.lock:
                    resend.calls += 1
                    if not is_down:
                        resend.delivered.setdefault(self.headers["Idempotency-Key"], mail)
                if is_down:
                    return self.reply(503, b"{}", [("Content-Type", "application/json")])
                resend.accepted()
                return self.reply(200, b'{"id":"m"}', [("Content-Type", "application/json")])

        return Api


class Ses:
    """Amazon SES, emulated by moto, behind a front that fails as planned."""

    def __init__(self, moto):
        self.moto = moto
        self.calls = 0
        self.is_down = lambda: False
        # Called before a mail is passed on, and after it was accepted, before the answer.
        self.received = lambda: None
        self.accepted = lambda: None
        self.server = serve(self.handler())
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.ask("POST", "/moto-api/reset")
        identity = json.dumps({"EmailIdentity": "portfolio@example.com"}).encode()
        self.ask("POST", "/v2/email/identities", identity)

    def ask(self, method, path, body=b"", headers=None):
        link = http.client.HTTPConnection(self.moto, timeout=30)
        # moto finds the service's name in the scope of the credential.
        scope = "Credential=x/20260101/us-west-2/ses/aws4_request, SignedHeaders=host, Signature=0"
        given = {"Authorization": f"AWS4-HMAC-SHA256 {scope}", "Content-Type": "application/json", **(headers or {})}
        link.request(method, path, body, given)
        answer = link.getresponse()
        return answer.status, answer.read()

    def mails(self):
        """The texts that SES accepted."""
        _, data = self.ask("GET", "/moto-api/data.json")
        return [message["body"] for message in json.loads(data).get("ses", {}).get("Message", [])]

    def handler(self):
        ses = self

        class Api(Handler):
            def do_POST(self):
                body = self.body()
                ses.calls += 1
                kind = [("Content-Type", "application/json")]
                if ses.is_down():
                    # SES names this error where it cannot take mail for now.
                    error = [("X-Amzn-ErrorType", "ServiceUnavailable")]
                    return self.reply(503, b'{"message":"unavailable"}', kind + error)
                ses.received()
                status, answer = ses.ask("POST", self.path, body, {"Authorization": self.headers["Authorization"]})
                ses.accepted()
                return self.reply(status, answer, kind)

        return Api


class Provider:
    """A provider that honours idempotency keys, and kills processes at planned points."""

    def __init__(self):
        self.lock = threading.Lock()
        # Key → receipt and text.
        self.delivered = {}
        self.calls = 0
        # The number of calls that fail from now on.
        self.failures = 0
        # Task → the points at which its process is killed, in order.
        self.plans = {}
        self.kills = {}
        # Called for each point that is reached.
        self.reached = lambda task, point: None
        self.server = serve(self.handler())
        self.address = f"127.0.0.1:{self.server.server_port}"

    def send(self, mail):
        with self.lock:
            self.calls += 1
            if self.failures:
                self.failures -= 1
                return None
            receipt = f"m{len(self.delivered) + 1}"
            return self.delivered.setdefault(mail["key"], (receipt, mail["text"]))[0]

    def point(self, task, point, pid):
        with self.lock:
            plan = self.plans.get(task, [])
            dies = bool(plan) and plan[0] == point
            if dies:
                plan.pop(0)
                self.kills[point] = self.kills.get(point, 0) + 1
        if dies:
            os.kill(pid, signal.SIGKILL)
        else:
            self.reached(task, point)
        return dies

    def handler(self):
        provider = self

        class Api(Handler):
            protocol_version = "HTTP/1.0"

            def do_POST(self):
                message = json.loads(self.body())
                if self.path == "/point":
                    if provider.point(message["task"], message["point"], message["pid"]):
                        self.close_connection = True
                        return
                    self.reply(200, b"{}")
                    return
                receipt = provider.send(message)
                self.reply(200 if receipt else 503, (receipt or "").encode())

        return Api
