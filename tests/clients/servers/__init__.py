"""The servers the clients are tried against: what is asked of each, and what must come back.

A server is a module with `TARGET` (what `serve.py` is to serve), `NAME`, `VERSION`, `CAPABILITIES`
by era, and `visits(client, ask)`, which gives the connections a client is to make and what to
expect of each step; none leaves the client out.
"""

import dataclasses
from typing import Callable, Optional


@dataclasses.dataclass(frozen=True)
class Step:
    # What the client is told: `do` and the parameters.
    plan: dict
    # Judges what came back.
    expect: Callable
    # What a client must be able to do for it (see clients.py).
    needs: Optional[str] = None


@dataclasses.dataclass(frozen=True)
class Visit:
    """One connection of a client."""

    steps: list
    # What the person and the model behind the client answer; without them it declares neither.
    answers: Optional[dict] = None
    # What they must have been asked, in the order of their kinds and texts.
    asked: tuple = ()


class Check:
    """Counts what held, and says what did not."""

    def __init__(self):
        self.passed = 0
        self.faults = []
        # The codes of the errors that were called for.
        self.refusals = []

    def holds(self, what, condition, seen=""):
        if condition:
            self.passed += 1
        else:
            self.faults.append(f"{what}: {str(seen)[:600]}" if seen != "" else what)

    def equal(self, what, seen, wanted):
        self.holds(what, seen == wanted, f"{seen!r} instead of {wanted!r}")


class Outcome:
    """What came of one step."""

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
        """The result; an error in its place is a fault."""
        self.holds("is answered", "result" in self.seen)
        return self.seen.get("result") or {}

    def text(self):
        """The one text a tool answered with."""
        content = self.result().get("content", [])
        self.equal("one block of content", [block.get("type") for block in content], ["text"])
        return content[0].get("text", "") if content else ""

    def failed(self, code, *words):
        """A protocol error with this code, whose message holds these words."""
        error = self.seen.get("error") or {}
        self.holds("is refused", "error" in self.seen)
        self.check.refusals.append(code)
        if "tells errors" in self.client.can:
            self.equal("error code", error.get("code"), self.client.shows.get(code, code))
        for word in words:
            self.holds(f"message says `{word}`", word in str(error.get("message")))

    def data(self, wanted):
        """What came along with an error, where the client tells."""
        if "tells errors" in self.client.can:
            self.equal("error data", (self.seen.get("error") or {}).get("data"), wanted)

    def tool_failed(self, *words):
        """A tool's own error, whose text holds these words."""
        text = self.text()
        self.equal("isError", self.result().get("isError"), True)
        for word in words:
            self.holds(f"text says `{word}`", word in text)
