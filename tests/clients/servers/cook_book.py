"""`examples/resources_and_prompts.rs`: resources, a template of them, a prompt, completion."""

from servers import Step, Visit

TARGET = ["--example", "resources_and_prompts"]
NAME = "cook-book"
VERSION = "1.0.0"
CAPABILITIES = dict.fromkeys(("modern", "legacy"), ["completions", "prompts", "resources"])
SOUP = "200 g lentils, 1 l broth, 1 carrot. Simmer 30 minutes."
COOK = {"type": "ref/prompt", "name": "cook"}
RECIPE = {"type": "ref/resource", "uri": "recipes://{name}"}


def visits(client, _ask):
    if not client.connects_once:
        # A process for each step takes its time, and the portfolio has all of this.
        return []
    return [
        Visit([
            Step({"do": "resources"}, resources),
            Step({"do": "templates"}, templates),
            Step({"do": "read", "uri": "recipes:contents"}, contents),
            Step({"do": "read", "uri": "recipes://lentil%20soup"}, soup),
            Step({"do": "read", "uri": "recipes://stone"}, no_such_recipe),
            Step({"do": "prompts"}, prompts),
            Step(cook({"name": "pancakes", "people": "4"}), cook_pancakes),
            Step(cook({"name": "pancakes", "people": "40"}), too_many),
            Step(cook({}), nothing_named),
            Step(complete(COOK, "pan"), completed("pancakes"), "completes"),
            Step(complete(RECIPE, ""), completed("pancakes", "lentil soup"), "completes"),
        ])
    ]


def cook(arguments):
    return {"do": "prompt", "name": "cook", "arguments": arguments}


def complete(reference, value):
    return {"do": "complete", "ref": reference, "argument": {"name": "name", "value": value}}


def resources(outcome):
    (found,) = outcome.result().get("resources") or [{}]
    outcome.equal("URI", found.get("uri"), "recipes:contents")
    outcome.equal("name", found.get("name"), "contents")
    outcome.equal("type", found.get("mimeType"), "text/markdown")


def templates(outcome):
    (found,) = outcome.result().get("resourceTemplates") or [{}]
    outcome.equal("template", found.get("uriTemplate"), "recipes://{name}")
    outcome.equal("type", found.get("mimeType"), "text/plain")


def contents(outcome):
    (part,) = outcome.result().get("contents") or [{}]
    outcome.equal("URI", part.get("uri"), "recipes:contents")
    outcome.equal("type", part.get("mimeType"), "text/markdown")
    outcome.equal("text", part.get("text"), "- pancakes\n- lentil soup\n")


def soup(outcome):
    (part,) = outcome.result().get("contents") or [{}]
    outcome.equal("URI", part.get("uri"), "recipes://lentil%20soup")
    outcome.equal("text", part.get("text"), SOUP)


def no_such_recipe(outcome):
    outcome.failed(-32602 if outcome.client.era == "modern" else -32002, "not found")
    outcome.data({"uri": "recipes://stone"})


def prompts(outcome):
    (found,) = outcome.result().get("prompts") or [{}]
    outcome.equal("name", found.get("name"), "cook")
    arguments = [(a["name"], bool(a.get("required"))) for a in found.get("arguments", [])]
    outcome.equal("arguments", arguments, [("name", True), ("people", False)])


def cook_pancakes(outcome):
    (message,) = outcome.result().get("messages") or [{}]
    outcome.equal("role", message.get("role"), "user")
    text = "Read recipes://pancakes and tell me step by step how to cook it for 4."
    outcome.equal("text", message.get("content", {}).get("text"), text)


def too_many(outcome):
    outcome.failed(-32602, "people", "20")


def nothing_named(outcome):
    outcome.failed(-32602, "name")


def completed(*names):
    def expect(outcome):
        outcome.equal("values", outcome.result().get("completion", {}).get("values"), list(names))

    return expect
