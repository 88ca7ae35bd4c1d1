"""The function `portfolio`. The expected contents come from `content/`. Each listed resource and prompt
is requested."""

import json
import pathlib
import re
import urllib.parse

from servers import Step, Visit

ROOT = pathlib.Path(__file__).resolve().parents[3]
TARGET = ["--bin", "portfolio"]
NAME = "portfolio"
VERSION = re.search(r'^version = "(.+)"', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)[1]
OFFERED = ["completions", "prompts", "resources", "tools"]
CAPABILITIES = {"modern": OFFERED, "legacy": OFFERED}
RESUME = json.loads((ROOT / "content/resume.json").read_text())
TOOLS = ["get_manifest", "get_resume", "get_projects", "get_capabilities", "check_availability"]
NOWHERE = "nowhere://at/all"
# Versions in which invalid arguments are a protocol error. Later they are a tool error.
PROTOCOL_ERROR_VERSIONS = ("2025-03-26", "2025-06-18")


def visits(client, ask):
    # A client that connects for each step takes one step of each kind.
    few = None if client.connects_once else 1
    steps = [Step({"do": "tools"}, tools_listed)]
    steps += [call(name, {}, structured_is_text) for name in TOOLS[:few]]
    steps += [
        call("get_resume", {"section": "basics"}, basics),
        call("get_manifest", {}, manifest),
        call("get_resume", {"section": "hobbies"}, no_section),
        call("get_projects", {"featured": 3}, unfit, "misfits"),
        call("get_time", {}, unknown_tool, "misfits"),
    ]
    return [Visit([*steps, *resource_steps(ask, few), *prompt_steps(ask, few)])]


def call(name, arguments, expect, needs=None):
    return Step({"do": "call", "name": name, "arguments": arguments}, expect, needs)


def resource_steps(ask, few):
    """Lists resources, and reads each, one of each template, and an unknown one."""
    listed = ask("resources/list")["resources"]
    templates = ask("resources/templates/list")["resourceTemplates"]
    yield Step({"do": "resources"}, lists("resources", "uri", listed))
    for resource in listed[:few]:
        yield Step({"do": "read", "uri": resource["uri"]}, read_as_listed(resource))
    yield Step({"do": "templates"}, lists("resourceTemplates", "uriTemplate", templates))
    for template in templates[:few]:
        pattern = template["uriTemplate"]
        (variable,) = re.findall(r"\{(\w+)\}", pattern)
        value = proposals(ask, {"type": "ref/resource", "uri": pattern}, variable)[0]
        uri = pattern.replace(f"{{{variable}}}", urllib.parse.quote(value, safe=""))
        made = {"uri": uri, "mimeType": template["mimeType"]}
        yield Step({"do": "read", "uri": uri}, read_as_listed(made))
    yield Step({"do": "read", "uri": NOWHERE}, nowhere)


def prompt_steps(ask, few):
    """Lists prompts, and gets each with values that the server completes."""
    listed = ask("prompts/list")["prompts"]
    yield Step({"do": "prompts"}, lists("prompts", "name", listed))
    for prompt in listed[:few]:
        reference = {"type": "ref/prompt", "name": prompt["name"]}
        required = [a["name"] for a in prompt.get("arguments", []) if a.get("required")]
        given = {name: (proposals(ask, reference, name) or ["Rust"])[0] for name in required}
        yield Step({"do": "prompt", "name": prompt["name"], "arguments": given}, prompted(given))
        if required:
            plan = {"do": "prompt", "name": prompt["name"], "arguments": {}}
            yield Step(plan, lacks(required))


def proposals(ask, reference, argument):
    params = {"ref": reference, "argument": {"name": argument, "value": ""}}
    return ask("completion/complete", params)["completion"]["values"]


def tools_listed(outcome):
    tools = outcome.result().get("tools", [])
    names = [tool["name"] for tool in tools]
    outcome.equal("the read-only tools come first", names[: len(TOOLS)], TOOLS)
    for tool in tools[: len(TOOLS)]:
        name = tool["name"]
        outcome.equal(f"{name} only reads", tool["annotations"]["readOnlyHint"], True)
        outcome.equal(f"{name} takes an object", tool["inputSchema"]["type"], "object")
        outcome.equal(f"{name} gives an object", tool["outputSchema"]["type"], "object")
        outcome.holds(f"{name} is presented", tool["title"] and tool["description"])
    # Only the Inspector reports findings about schemas.
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
    """Expects the refusal of invalid arguments, which depends on the version."""
    if outcome.client.protocol in PROTOCOL_ERROR_VERSIONS:
        outcome.failed(-32602, *words)
    else:
        outcome.tool_failed(*words)


def unknown_tool(outcome):
    outcome.failed(-32602, "get_time")


def lists(kind, key, listed):
    def expect(outcome):
        found = [item[key] for item in outcome.result().get(kind, [])]
        outcome.holds("has any", found)
        outcome.equal("what is listed", found, [item[key] for item in listed])

    return expect


def read_as_listed(resource):
    def expect(outcome):
        (part,) = outcome.result().get("contents") or [{}]
        text = part.get("text", "")
        outcome.equal("its URI", part.get("uri"), resource["uri"])
        outcome.equal("its type", part.get("mimeType"), resource["mimeType"])
        outcome.holds("has text", text.strip())
        if "size" in resource:
            outcome.equal("its size", len(text.encode()), resource["size"])
        if resource["mimeType"] == "application/json":
            outcome.holds("is JSON", isinstance(json.loads(text), dict))

    return expect


def nowhere(outcome):
    outcome.failed(-32602 if outcome.client.era == "modern" else -32002, "not found")
    outcome.data({"uri": NOWHERE})


def prompted(given):
    def expect(outcome):
        messages = outcome.result().get("messages", [])
        outcome.holds("has messages of the user", {m["role"] for m in messages} == {"user"})
        told = json.dumps(messages, ensure_ascii=False)
        outcome.holds("brings the person along", RESUME["basics"]["name"] in told)
        for value in given.values():
            outcome.holds(f"speaks of {value}", value in told)

    return expect


def lacks(required):
    return lambda outcome: outcome.failed(-32602, *required)
