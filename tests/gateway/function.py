"""Runs the real function binary against a Lambda Runtime API of our own, and counts invocations."""

import json
import os
import queue
import subprocess
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import monotonic, time


class Function:
    """A started function. `invoke` is what API Gateway would call."""

    def __init__(self, binary, environment):
        self.invocations = 0
        self.waiting = queue.Queue()
        self.answers = {}
        self.failed_to_start = None
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.process = subprocess.Popen(
            [binary],
            env={
                "PATH": os.environ.get("PATH", ""),
                "AWS_LAMBDA_RUNTIME_API": f"127.0.0.1:{self.server.server_port}",
                "AWS_LAMBDA_FUNCTION_NAME": "portfolio",
                "AWS_LAMBDA_FUNCTION_VERSION": "1",
                "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "256",
                "AWS_REGION": "us-east-1",
                "LAMBDA_TASK_ROOT": "/var/task",
                "_HANDLER": "bootstrap",
                **environment,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.log = []
        threading.Thread(target=self.read_log, daemon=True).start()

    def read_log(self):
        for line in self.process.stdout:
            self.log.append(line)

    def invoke(self, event, timeout_s):
        """What the function answers, or None when it does not in time."""
        request_id = str(uuid.uuid4())
        answer = self.answers[request_id] = queue.Queue()
        self.waiting.put((request_id, json.dumps(event).encode()))
        deadline = monotonic() + timeout_s
        while True:
            try:
                return answer.get(timeout=0.05)
            except queue.Empty:
                if self.process.poll() is not None:
                    raise AssertionError("the function ended: " + "".join(self.log)) from None
                if monotonic() > deadline:
                    return None

    def stop(self):
        self.process.kill()
        self.process.wait(timeout=10)
        self.waiting.put(None)
        self.server.shutdown()
        self.server.server_close()

    def handler(self):
        function = self

        class RuntimeApi(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Headers and body in one segment: two would wait for a delayed acknowledgement.
            wbufsize = -1

            def do_GET(self):
                assert self.path.endswith("/runtime/invocation/next"), self.path
                item = function.waiting.get()
                if item is None:
                    self.close_connection = True
                    return
                request_id, event = item
                function.invocations += 1
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Lambda-Runtime-Aws-Request-Id", request_id)
                self.send_header("Lambda-Runtime-Deadline-Ms", str(int((time() + 10) * 1000)))
                self.send_header(
                    "Lambda-Runtime-Invoked-Function-Arn",
                    "arn:aws:lambda:us-east-1:123456789012:function:portfolio:live",
                )
                self.send_header("Content-Length", str(len(event)))
                self.end_headers()
                self.wfile.write(event)

            def do_POST(self):
                if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
                    body = self.chunks()
                else:
                    body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                parts = self.path.strip("/").split("/")
                if parts[-1] == "response":
                    function.answers[parts[-2]].put(json.loads(body))
                elif parts[-2:] == ["init", "error"]:
                    function.failed_to_start = body.decode()
                elif parts[-1] == "error":
                    # A function error: API Gateway sees no proxy response.
                    function.answers[parts[-2]].put({"errorMessage": body.decode()})
                self.send_response(202)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def chunks(self):
                body = b""
                while size := int(self.rfile.readline().split(b";")[0], 16):
                    body += self.rfile.read(size)
                    self.rfile.readline()
                self.rfile.readline()
                return body

            def log_message(self, *_):
                pass

        return RuntimeApi
