"""What is compared: the programs, the requests that each one gets, and what counts as a success."""

import json
import pathlib
import sys
from dataclasses import dataclass

import counting
from messages import FORECAST, call, event, http_event, request
from runtime_api import ROOT, Function

ECHO, ONE_TOOL, PORTFOLIO = "echo", "lambda-mcp", "portfolio"
LIST, CALL = request("tools/list", {}), call("forecast", FORECAST)


@dataclass(frozen=True)
class Program:
    """A built function, its requests by their titles, and the title of the one that it is started with."""

    name: str
    path: pathlib.Path
    requests: dict
    first: str = "tools/call"
    # The same program with the names of its functions, if its allocator is part of it, where dhat does not see it.
    named: pathlib.Path = None

    def counted(self, what):
        """How something is counted, and in which file."""
        return (counting.CALLS, self.named) if self.named and what == "allocations" else (what, self.path)


@dataclass(frozen=True)
class Subject:
    """One request to one program."""

    program: Program
    title: str
    message: dict

    @property
    def name(self):
        return f"{self.program.name}: {self.title}"

    @property
    def echo(self):
        """The subject that this one is compared with: the echo of a request of the same kind."""
        return f"{ECHO}: {'tools/list' if self.title == 'tools/list' else 'tools/call'}"

    def events(self):
        """The request by the version of its payload."""
        return {"v1": event(self.message), "v2": http_event(self.message)}


def portfolio_program(arguments):
    """The shipped function."""
    paths = arguments.portfolio.resolve(), arguments.named.resolve()
    return Program(PORTFOLIO, paths[0], portfolio_requests(), "get_projects", paths[1])


def add_portfolio(parser):
    """The options for the builds of the shipped function."""
    parser.add_argument("--portfolio", type=pathlib.Path, required=True, help="the function as it is deployed")
    parser.add_argument("--named", type=pathlib.Path, required=True, help="the same with the names of its functions")


def programs(portfolio, built=ROOT / "target"):
    """All programs. `portfolio` is the built function; the others are below `built`."""
    both = {"tools/list": LIST, "tools/call": CALL}
    yield Program(ECHO, built / "echo/release/echo", both)
    yield Program(ONE_TOOL, built / "edges/release/native", both)
    yield Program(f"{ONE_TOOL} by lambda_http", built / "edges/release/through_lambda_http", both)
    yield Program("rmcp", built / "peers/release/rmcp-peer", both)
    yield Program("turul", built / "peers/release/turul-peer", both)
    yield portfolio


def portfolio_requests():
    return {
        "tools/list": LIST,
        "get_projects": call("get_projects", {"featured": True}),
        "get_resume": call("get_resume", {}),
        "check_availability": call("check_availability", {}),
        "server/discover": request("server/discover", {}),
    }


def subjects(programs):
    return [Subject(program, *titled) for program in programs for titled in program.requests.items()]


def check(subject):
    """Ends the run if a program does not answer as it should: a failure is often faster than a success."""
    for version, sent in subject.events().items():
        function = Function(subject.program.path)
        answer, _ = function.invoke(sent)
        function.end()
        fault = reason(subject, answer)
        if fault:
            sys.exit(f"bench: {subject.name}, {version}: {fault}: {answer[:400]!r}")


def reason(subject, answer):
    """Why an answer is not a success, or `None`."""
    response = json.loads(answer)
    if response.get("statusCode") != 200:
        return "the status is not 200"
    body = json.loads(response["body"])
    if subject.program.name == ECHO:
        return None if body == subject.message else "it is not the message that was sent"
    result = body.get("result")
    if result is None or result.get("isError"):
        return "it is not a result"
    if subject.message["method"] == "tools/list":
        names = [tool["name"] for tool in result["tools"]]
        wanted = "get_resume" if subject.program.name == PORTFOLIO else "forecast"
        return None if wanted in names else "the tool is missing"
    if subject.message == CALL:
        return None if forecast(result["structuredContent"]) else "it is not the forecast"
    return None


def forecast(content):
    """Whether this is the weather of three days in Berlin. turul puts a result into a member of an object."""
    found = content if "days" in content else next(iter(content.values()))
    expected = [{"high": 18, "sky": "sunny"}, {"high": 19, "sky": "cloudy"}, {"high": 20, "sky": "rain"}]
    return found == {"city": "Berlin", "days": expected}
