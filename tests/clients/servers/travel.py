"""`examples/ask_the_user.rs`: a tool that asks the user and the model."""

from servers import Step, Visit

TARGET = ["--example", "ask_the_user"]
NAME = "travel"
VERSION = "1.0.0"
CAPABILITIES = {"modern": ["tools"], "legacy": ["tools"]}
BOOK = {"do": "call", "name": "book", "arguments": {"city": "Lisbon"}}
DETAILS = {"travellers": 2, "class": "first", "agreed": True}
# The first question is sent alone, the other two together.
WHO = ("elicit", "Who travels, and how?", ("class", "travellers"))
CONSENT = ("elicit", "Book Lisbon?", ("agreed",))
GREETING = ("sample", "Wish a good trip to Lisbon in one line.", 60)


def visits(client, _ask):
    if client.era == "legacy" and client.over == "stdio":
        # On a connection the server sends its questions as requests.
        return [
            Visit([Step(BOOK, not_asked)]),
            Visit([Step(BOOK, booked)], answers("accept"), (WHO, CONSENT, GREETING)),
            Visit([Step(BOOK, declined)], answers("decline"), (WHO,)),
        ]
    if client.era == "legacy":
        # Legacy requests over HTTP cannot ask, whatever the client supports.
        given = answers("accept") if "answers" in client.can else None
        return [Visit([Step(BOOK, cannot_be_asked)], given)]
    visits = [Visit([Step(BOOK, capability_missing)])]
    if "answers" in client.can:
        visits += [
            Visit([Step(BOOK, booked)], answers("accept"), (WHO, CONSENT, GREETING)),
            Visit([Step(BOOK, declined)], answers("decline"), (WHO,)),
        ]
    return visits


def answers(action):
    return {"elicit": {"action": action, "content": DETAILS}, "sample": "Boa viagem!"}


def booked(outcome):
    text = "Booked Lisbon for 2 in First class. Boa viagem!"
    outcome.equal("text", outcome.text(), text)
    outcome.holds("no error", not outcome.result().get("isError"))


def declined(outcome):
    text = "Nothing was booked: the details were not given."
    outcome.equal("text", outcome.text(), text)


def capability_missing(outcome):
    outcome.failed(-32021, "capability")
    outcome.data({"requiredCapabilities": {"elicitation": {"form": {}}}})


def cannot_be_asked(outcome):
    outcome.tool_failed("ask")


def not_asked(outcome):
    outcome.tool_failed("capabilities lack", "elicitation")
