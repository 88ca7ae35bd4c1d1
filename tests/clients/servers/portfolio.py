"""The shipped function. Expected contents come from the owner's files, and every resource and prompt
is asked for that the server lists."""

import json
import pathlib
import re

from servers import Step, Visit

ROOT = pathlib.Path(__file__).resolve().parents[3]
TARGET = ["--bin", "portfolio"]
NAME = "portfolio"
VERSION = re.search(r'^version = "(.+)"', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)[1]
CAPABILITIES = ["tools"]
RESUME = json.loads((ROOT / "content/resume.json").read_text())
TOOLS = ["get_manifest", "get_resume", "get_projects", "get_capabilities", "check_availability"]
# Versions in which arguments that do not fit are a protocol error; later they are a tool's.
PROTOCOL_ERROR_VERSIONS = ("2025-03-26", "2025-06-18")


def visits(client, ask):
    steps = [Step({"do": "tools"}, tools_listed)]
    steps += [
        Step({"do": "call", "name": name, "arguments": {}}, structured_is_text) for name in TOOLS
    ]
    steps += [
        Step({"do": "call", "name": "get_resume", "arguments": {"section": "basics"}}, basics),
        Step({"do": "call", "name": "get_manifest", "arguments": {}}, manifest),
        Step({"do": "call", "name": "get_resume", "arguments": {"section": "hobbies"}}, no_section),
        Step({"do": "call", "name": "get_projects", "arguments": {"featured": 3}}, unfit, "misfits"),
        Step({"do": "call", "name": "get_time", "arguments": {}}, unknown_tool, "misfits"),
    ]
    for resource in ask("resources/list").get("resources", []):
        steps.append(Step({"do": "read", "uri": resource["uri"]}, read_as_listed(resource)))
    for prompt in ask("prompts/list").get("prompts", []):
        given = {
            argument["name"]: first_completion(ask, prompt["name"], argument["name"])
            for argument in prompt.get("arguments", [])
            if argument.get("required")
        }
        plan = {"do": "prompt", "name": prompt["name"], "arguments": given}
        steps.append(Step(plan, prompted(given)))
    return [Visit(steps)]


def first_completion(ask, prompt, argument):
    """A value the server itself proposes for a prompt's argument, else a word."""
    reference = {"type": "ref/prompt", "name": prompt}
    params = {"ref": reference, "argument": {"name": argument, "value": ""}}
    values = ask("completion/complete", params).get("completion", {}).get("values", [])
    return values[0] if values else "Rust"


def tools_listed(outcome):
    tools = outcome.result().get("tools", [])
    names = [tool["name"] for tool in tools]
    outcome.equal("the read-only tools come first", names[: len(TOOLS)], TOOLS)
    for tool in tools[: len(TOOLS)]:
        name = tool["name"]
        outcome.equal(f"{name} only reads", tool["annotations"]["readOnlyHint"], True)
        outcome.equal(f"{name} takes an object", tool["inputSchema"]["type"], "object")
        outcome.equal(f"{name} gives an object", tool["outputSchema"]["type"], "object")
        outcome.holds(f"{name} has a title and a description", tool["title"] and tool["description"])
    # What the Inspector thinks of the schemas; the others have no opinion.
    outcome.equal("findings on portability", outcome.seen.get("findings", []), [])


def structured_is_text(outcome):
    text = outcome.text()
    result = outcome.result()
    outcome.holds("no error", not result.get("isError"))
    outcome.holds("has structured content", bool(result.get("structuredContent")))
    outcome.holds("its text is the same", text and json.loads(text) == result["structuredContent"])


def basics(outcome):
    structured_is_text(outcome)
    found = json.dumps(outcome.result().get("structuredContent"), ensure_ascii=False)
    for key in ("name", "label"):
        outcome.holds(f"the {key} of resume.json", json.dumps(RESUME["basics"][key]) in found)


def manifest(outcome):
    told = outcome.result().get("structuredContent", {})
    outcome.equal("its version", told.get("server", {}).get("version"), VERSION)
    outcome.equal("the person", told.get("person", {}).get("name"), RESUME["basics"]["name"])


def no_section(outcome):
    refused(outcome, "section", "basics")


def unfit(outcome):
    refused(outcome, "featured", "boolean")


def refused(outcome, *words):
    """Arguments that do not fit, by version."""
    if outcome.client.protocol in PROTOCOL_ERROR_VERSIONS:
        outcome.failed(-32602, *words)
    else:
        outcome.tool_failed(*words)


def unknown_tool(outcome):
    outcome.failed(-32602, "get_time")


def read_as_listed(resource):
    def expect(outcome):
        contents = outcome.result().get("contents", [])
        outcome.equal("its URI", [part["uri"] for part in contents], [resource["uri"]])
        for part in contents:
            outcome.equal("its type", part.get("mimeType"), resource.get("mimeType"))
            outcome.holds("the person's name", RESUME["basics"]["name"] in part.get("text", ""))

    return expect


def prompted(given):
    def expect(outcome):
        messages = outcome.result().get("messages", [])
        outcome.holds("has messages", messages)
        outcome.equal("the first is the user's", messages and messages[0]["role"], "user")
        told = json.dumps(messages, ensure_ascii=False)
        for value in given.values():
            outcome.holds(f"speaks of {value}", value in told)

    return expect
