"""Calls of the tool `contact`, and a worker that dies in one."""

import json
import signal
import urllib.request


def arguments(brief):
    return {"brief": brief, "contact": "ada@example.org"}


def legacy(service, brief):
    """A call in the last revision with a handshake."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
               "params": {"name": "contact", "arguments": arguments(brief)}}
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
               "MCP-Protocol-Version": "2025-11-25"}
    request = urllib.request.Request(f"{service.url}/mcp", json.dumps(message).encode(), headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)["result"]


def kills_the_worker_once(service):
    """A function that kills the processes of the worker when it is called first."""
    killed = []

    def kill():
        if not killed:
            killed.append(True)
            for instance in list(service.worker.all):
                instance.process.send_signal(signal.SIGKILL)

    return kill
