"""Functions as AWS Lambda runs them: processes behind the Runtime API, which can be killed."""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        """A process that is killed resets its connections, which is no error here."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Headers and body in one segment: two would wait for a delayed acknowledgement.
    wbufsize = -1

    def log_message(self, *_):
        pass

    def body(self):
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            body = b""
            while size := int(self.rfile.readline().split(b";")[0], 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return body
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def reply(self, status, body=b"", headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def serve(handler):
    """Serves on a free port of the loopback address."""
    server = Server(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


class Killed(Exception):
    """The process of a function ended within an invocation."""


class Instance:
    """One execution environment. It runs one invocation at a time."""

    def __init__(self, binary, environment, arn, log):
        self.arn = arn
        self.waiting = queue.Queue()
        self.answer = queue.Queue()
        self.server = serve(self.handler())
        api = f"127.0.0.1:{self.server.server_port}"
        environment = {
            "PATH": os.environ.get("PATH", ""),
            "AWS_LAMBDA_RUNTIME_API": api,
            "AWS_LAMBDA_FUNCTION_NAME": "function",
            "AWS_LAMBDA_FUNCTION_VERSION": "7",
            "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "256",
            "_HANDLER": "bootstrap",
            **environment,
        }
        self.process = subprocess.Popen([binary], env=environment, stdout=log, stderr=log)

    def is_alive(self):
        return self.process.poll() is None

    def invoke(self, event, timeout_s):
        """What the function answers: the kind of error or None, and the body."""
        request = str(uuid.uuid4())
        deadline = time.time() + timeout_s
        self.waiting.put((request, event, deadline))
        while True:
            try:
                answered, kind, body = self.answer.get(timeout=0.02)
                if answered == request:
                    return kind, body
            except queue.Empty:
                if not self.is_alive():
                    raise Killed from None
                if time.time() > deadline:
                    self.stop()
                    raise Killed from None

    def stop(self):
        if self.is_alive():
            self.process.send_signal(signal.SIGKILL)
        self.process.wait(timeout=10)
        self.waiting.put(None)
        self.server.shutdown()
        self.server.server_close()

    def handler(self):
        instance = self

        class RuntimeApi(Handler):
            def do_GET(self):
                item = instance.waiting.get()
                if item is None:
                    self.close_connection = True
                    return
                request, event, deadline = item
                self.reply(200, event, [
                    ("Content-Type", "application/json"),
                    ("Lambda-Runtime-Aws-Request-Id", request),
                    ("Lambda-Runtime-Deadline-Ms", str(int(deadline * 1000))),
                    ("Lambda-Runtime-Invoked-Function-Arn", instance.arn),
                ])

            def do_POST(self):
                body = self.body()
                parts = self.path.strip("/").split("/")
                if parts[-1] in ("response", "error") and parts[-2] != "init":
                    kind = "Unhandled" if parts[-1] == "error" else None
                    instance.answer.put((parts[-2], kind, body))
                self.reply(202)

        return RuntimeApi


class Function:
    """A function with as many instances as it has invocations at a time."""

    def __init__(self, binary, environment, arn, log, timeout_s=30):
        self.make = lambda: Instance(binary, environment, arn, log)
        self.timeout_s = timeout_s
        self.lock = threading.Lock()
        self.idle = []
        self.all = []
        self.deaths = 0

    def take(self):
        with self.lock:
            while self.idle:
                instance = self.idle.pop()
                if instance.is_alive():
                    return instance
                instance.stop()
        instance = self.make()
        with self.lock:
            self.all.append(instance)
        return instance

    def invoke(self, event):
        """The kind of error or None, and the body of the answer."""
        instance = self.take()
        try:
            kind, body = instance.invoke(event, self.timeout_s)
        except Killed:
            instance.stop()
            with self.lock:
                self.deaths += 1
                self.all.remove(instance)
            message = "RequestId: r Error: Runtime exited with error: signal: killed"
            error = {"errorType": "Runtime.ExitError", "errorMessage": message}
            return "Unhandled", json.dumps(error).encode()
        with self.lock:
            self.idle.append(instance)
        return kind, body

    def replace(self):
        """Ends the idle instances, so that the next invocation has a new process."""
        with self.lock:
            idle, self.idle = self.idle, []
            self.all = [one for one in self.all if one not in idle]
        for instance in idle:
            instance.stop()

    def stop(self):
        with self.lock:
            instances, self.all, self.idle = self.all, [], []
        for instance in instances:
            instance.stop()
