"""A function's process behind an emulated Runtime API on loopback.

Blocking sockets and no HTTP library: the less the emulator does, the less it disturbs what is measured.
"""

import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What Lambda sets, and where a deployment has its content.
ENVIRONMENT = {
    "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "256",
    "AWS_LAMBDA_FUNCTION_NAME": "bench",
    "AWS_LAMBDA_FUNCTION_VERSION": "1",
    "AWS_LAMBDA_LOG_GROUP_NAME": "bench",
    "AWS_LAMBDA_LOG_STREAM_NAME": "bench",
    "AWS_REGION": "eu-central-1",
    # By it the library knows that it is on Lambda.
    "LAMBDA_TASK_ROOT": "/var/task",
    "CONTENT_DIR": str(ROOT / "content"),
}
HEAD = (
    b"HTTP/1.1 200 OK\r\nlambda-runtime-aws-request-id: 8476a536-e9f4-11e8-9739-2dfe598c3fcd\r\n"
    b"lambda-runtime-deadline-ms: %d\r\nlambda-runtime-invoked-function-arn: arn:aws:lambda:\r\n"
    b"lambda-runtime-trace-id: Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700\r\n"
    b"content-type: application/json\r\ncontent-length: %d\r\n\r\n"
)


class Function:
    """A process, and the connection on which it requests its next invocation."""

    def __init__(self, program, wrapper=(), environment=None, timeout_s=60):
        self.listener = socket.create_server(("127.0.0.1", 0))
        address = "127.0.0.1:%d" % self.listener.getsockname()[1]
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            [*wrapper, str(program)],
            env={
                "PATH": os.environ["PATH"],
                "AWS_LAMBDA_RUNTIME_API": address,
                **ENVIRONMENT,
                **(environment or {}),
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE if wrapper else None,
        )
        self.listener.settimeout(timeout_s)
        self.connection, _ = self.listener.accept()
        self.connection.settimeout(timeout_s)
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.unread = b""
        self.read()

    def read(self):
        """The body of the next request on the connection."""
        while b"\r\n\r\n" not in self.unread:
            self.more()
        head, _, self.unread = self.unread.partition(b"\r\n\r\n")
        length = re.search(rb"content-length: *(\d+)", head, re.IGNORECASE)
        if length:
            return self.take(int(length[1]))
        return self.chunks() if re.search(rb"transfer-encoding: *chunked", head, re.IGNORECASE) else b""

    def take(self, length):
        pieces, missing = [self.unread], length - len(self.unread)
        while missing > 0:
            pieces.append(self.received())
            missing -= len(pieces[-1])
        whole = b"".join(pieces)
        self.unread = whole[length:]
        return whole[:length]

    def chunks(self):
        body = []
        while True:
            while b"\r\n" not in self.unread:
                self.more()
            size, _, self.unread = self.unread.partition(b"\r\n")
            body.append(self.take(int(size, 16)))
            self.take(2)
            if not body[-1]:
                return b"".join(body)

    def more(self):
        self.unread += self.received()

    def received(self):
        data = self.connection.recv(1 << 18)
        if not data:
            sys.exit("bench: the function closed its connection")
        return data

    def invoke(self, sent):
        """Answers `next` with an event. Returns the response, and the seconds until it was there."""
        start = time.perf_counter()
        self.connection.sendall(HEAD % ((time.time() + 60) * 1000, len(sent)) + sent)
        answer = self.read()
        took = time.perf_counter() - start
        self.connection.sendall(b"HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n")
        self.read()
        return answer, took

    def cpu_seconds(self):
        threads = pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9

    def memory_kib(self, what):
        """`VmHWM`, the peak, or `VmRSS`, what is resident now."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"{what}:\s+(\d+)", status)[1])

    def end(self):
        """Ends the process, and returns what it wrote to standard error."""
        self.process.send_signal(signal.SIGTERM)
        _, errors = self.process.communicate()
        self.connection.close()
        self.listener.close()
        return errors
