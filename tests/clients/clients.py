"""The clients of the SDKs: how each is started, which protocol it must negotiate, what it can do."""

import dataclasses
import pathlib

HERE = pathlib.Path(__file__).resolve().parent

MODERN = "2026-07-28"
LATEST_LEGACY = "2025-11-25"

# Abilities of clients. A step that needs an ability is skipped for clients without it.
COMPLETES = "completes"  # request completions
ANSWERS = "answers"  # answer elicitation and sampling requests
HEARS = "hears"  # receive progress notifications
MISFITS = "misfits"  # call an unlisted tool, or send arguments of a wrong type
TELLS_ERRORS = "tells errors"  # report the code and the data of an error
ALL = frozenset({COMPLETES, ANSWERS, HEARS, MISFITS, TELLS_ERRORS})


@dataclasses.dataclass(frozen=True)
class Client:
    name: str
    # The revision it must negotiate. It determines the era.
    protocol: str
    # A key of `programs`.
    program: str
    can: frozenset = ALL
    # Whether all steps share one connection.
    connects_once: bool = True
    # Error codes that the client replaces.
    shows: dict = dataclasses.field(default_factory=dict)
    # `http`, or `stdio`: the client starts the server.
    over: str = "http"

    @property
    def era(self):
        return "modern" if self.protocol == MODERN else "legacy"


# The TypeScript SDK 2.x replaces the older code for "resource not found" with the newer one.
ONE_NOT_FOUND = {-32002: -32602}

CLIENTS = [
    Client("typescript-sdk-1", LATEST_LEGACY, "typescript/v1"),
    Client("typescript-sdk-2", MODERN, "typescript/v2"),
    # Legacy is the default of 2.x.
    Client("typescript-sdk-2", LATEST_LEGACY, "typescript/v2", shows=ONE_NOT_FOUND),
    Client("python-sdk-1", "2025-06-18", "python/v1"),
    Client("python-sdk-2", MODERN, "python/v2"),
    Client("python-sdk-2", LATEST_LEGACY, "python/v2"),
    Client("rmcp", MODERN, "rmcp"),
    Client("rmcp", LATEST_LEGACY, "rmcp"),
    Client("inspector-cli", MODERN, "inspector", frozenset(), connects_once=False),
    Client("inspector-cli", LATEST_LEGACY, "inspector", frozenset(), connects_once=False),
]

# The clients that can start a server. The Inspector does it as well, once for each step.
OVER_STDIO = [dataclasses.replace(client, over="stdio") for client in CLIENTS if client.connects_once]


def command(client, tools, python):
    """The command of a client. It runs in the directory of its packages."""
    typescript = tools / "typescript"
    programs = {
        "typescript/v1": [node(typescript), HERE / "typescript/v1.mjs"],
        "typescript/v2": [node(typescript), HERE / "typescript/v2.mjs"],
        "python/v1": [tools / "python-2025/bin/python", HERE / "python/v1.py"],
        "python/v2": [tools / "python-newest/bin/python", HERE / "python/v2.py"],
        "rmcp": [tools / "rmcp/debug/rmcp-client"],
        "inspector": [python, HERE / "inspector.py", node(typescript)],
    }
    return [str(part) for part in programs[client.program]]


def node(typescript):
    """Node.js 22.19 or newer: the one that npm installed, or else the machine's."""
    brought = sorted((typescript / "node_modules").glob("node-*/bin/node"))
    return brought[0] if brought else "node"
