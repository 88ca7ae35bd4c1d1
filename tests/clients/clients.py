"""The clients: how each is started, which version of the protocol it must end up with, what it
cannot do."""

import dataclasses
import pathlib

HERE = pathlib.Path(__file__).resolve().parent

MODERN = "2026-07-28"
LATEST_LEGACY = "2025-11-25"

# What a client has no way to do; the steps that need it are left out for it.
COMPLETES = "completes"  # ask for completions
ANSWERS = "answers"  # answer questions of the server
HEARS = "hears"  # hear of progress
MISFITS = "misfits"  # call a tool that is not listed, or with arguments of a wrong type
TELLS_ERRORS = "tells errors"  # tell the code and the data of an error
ALL = frozenset({COMPLETES, ANSWERS, HEARS, MISFITS, TELLS_ERRORS})


@dataclasses.dataclass(frozen=True)
class Client:
    name: str
    # The revision it must negotiate; the era follows.
    protocol: str
    # Which of `programs` it is.
    program: str
    can: frozenset = ALL
    # Whether all steps go through one connection, or each through its own.
    connects_once: bool = True
    # Error codes it shows otherwise than they came.
    shows: dict = dataclasses.field(default_factory=dict)

    @property
    def era(self):
        return "modern" if self.protocol == MODERN else "legacy"


# Both codes of 'resource not found' are one error to the TypeScript SDK 2.x, with the newer code.
ONE_NOT_FOUND = {-32002: -32602}

CLIENTS = [
    Client("typescript-sdk-1", LATEST_LEGACY, "typescript/v1"),
    Client("typescript-sdk-2", MODERN, "typescript/v2"),
    # Legacy is what 2.x speaks unless it is told otherwise.
    Client("typescript-sdk-2", LATEST_LEGACY, "typescript/v2", shows=ONE_NOT_FOUND),
    Client("python-sdk-1", "2025-06-18", "python/v1"),
    Client("python-sdk-2", MODERN, "python/v2"),
    Client("python-sdk-2", LATEST_LEGACY, "python/v2"),
    Client("rmcp", MODERN, "rmcp"),
    Client("rmcp", LATEST_LEGACY, "rmcp"),
    Client("inspector-cli", MODERN, "inspector", frozenset(), connects_once=False),
    Client("inspector-cli", LATEST_LEGACY, "inspector", frozenset(), connects_once=False),
]


def command(client, tools, python):
    """What starts a client; its working directory is where its packages are."""
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
    """The Inspector needs Node.js 22.19: the one npm brought along, else the machine's."""
    brought = sorted((typescript / "node_modules").glob("node-*/bin/node"))
    return brought[0] if brought else "node"
