"""Serves an interpreted API over HTTP on loopback, as a stage of API Gateway would."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from api import Request


class StageServer:
    """`http://127.0.0.1:<port>/<stage>/…`"""

    def __init__(self, api):
        self.api = api
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def port(self):
        return self.server.server_port

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def handler(self):
        api = self.api

        class Stage(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Headers and body in one segment: two would wait for a delayed acknowledgement.
            wbufsize = -1

            def answer(self):
                url = urlsplit(self.path)
                prefix = f"/{api.stage}"
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if url.path != prefix and not url.path.startswith(prefix + "/"):
                    # No such stage: API Gateway's own words, which nothing can change.
                    return self.send(403, [("Content-Type", "application/json")], b'{"message":"Forbidden"}')
                response = api.answer(
                    Request(
                        method=self.command,
                        path=url.path.removeprefix(prefix) or "/",
                        headers=list(self.headers.items()),
                        body=body,
                        query=url.query,
                        source_ip=self.client_address[0],
                    )
                )
                return self.send(response.status, response.headers, response.body)

            def send(self, status, headers, body):
                self.send_response_only(status)
                for name, value in headers:
                    self.send_header(name, value)
                if status != 204:
                    self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if self.command != "HEAD" and status != 204:
                    self.wfile.write(body)

            do_DELETE = do_GET = do_HEAD = do_OPTIONS = do_PATCH = do_POST = do_PUT = answer

            def log_message(self, *_):
                pass

        return Stage
