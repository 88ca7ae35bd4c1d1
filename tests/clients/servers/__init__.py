"""The servers that the clients run against: what they request, and the expected results.

A server is a module with `TARGET` (arguments of `serve.py`), `NAME`, `VERSION`, `CAPABILITIES` by
era, and `visits(client, ask)`, which returns the connections of a client with the expected result of
each step. A client without visits is skipped.
"""

import dataclasses
from typing import Callable, Optional


@dataclasses.dataclass(frozen=True)
class Step:
    # What the client does: `do` and the parameters.
    plan: dict
    # Checks the result.
    expect: Callable
    # The ability that the step needs (clients.py).
    needs: Optional[str] = None


@dataclasses.dataclass(frozen=True)
class Visit:
    """One connection of a client."""

    steps: list
    # The answers of the user and the model. None declares neither capability.
    answers: Optional[dict] = None
    # The expected questions, sorted by kind and text.
    asked: tuple = ()


class Check:
    """Counts what is right and collects faults."""

    def __init__(self):
        self.passed = 0
        self.faults = []
        # The codes of the expected errors.
        self.refusals = []

    def holds(self, what, condition, seen=""):
        if condition:
            self.passed += 1
        else:
            self.faults.append(f"{what}: {str(seen)[:600]}" if seen != "" else what)

    def equal(self, what, seen, wanted):
        self.holds(what, seen == wanted, f"{seen!r} instead of {wanted!r}")


class Outcome:
    """The result of one step."""

    def __init__(self, check, what, seen, client):
        self.check = check
        self.what = what
        self.seen = seen
        self.client = client

    def equal(self, what, seen, wanted):
        self.check.equal(f"{self.what}: {what}", seen, wanted)

    def holds(self, what, condition):
        self.check.holds(f"{self.what}: {what}", condition, self.seen)

    def result(self):
        """The result. An error is a fault."""
        self.holds("is answered", "result" in self.seen)
        return self.seen.get("result") or {}

    def text(self):
        """The text of a result with one text block."""
        content = self.result().get("content", [])
        self.equal("one block of content", [block.get("type") for block in content], ["text"])
        return content[0].get("text", "") if content else ""

    def failed(self, code, *words):
        """Expects a protocol error with this code and these words in its message."""
        error = self.seen.get("error") or {}
        self.holds("is refused", "error" in self.seen)
        self.check.refusals.append(code)
        if "tells errors" in self.client.can:
            self.equal("error code", error.get("code"), self.client.shows.get(code, code))
        for word in words:
            self.holds(f"message says `{word}`", word in str(error.get("message")))

    def data(self, wanted):
        """Expects this `data` in the error, if the client reports it."""
        if "tells errors" in self.client.can:
            self.equal("error data", (self.seen.get("error") or {}).get("data"), wanted)

    def tool_failed(self, *words):
        """Expects a tool error with these words in its text."""
        text = self.text()
        self.equal("isError", self.result().get("isError"), True)
        for word in words:
            self.holds(f"text says `{word}`", word in text)
