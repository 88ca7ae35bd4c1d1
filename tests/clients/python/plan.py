"""What both Python clients share: reading the plan, taking its steps and writing the report.

../README.md describes both.
"""

import json
import sys


def read_plan():
    return json.load(sys.stdin)


def report(seen):
    json.dump(seen, sys.stdout)
    print()


def wire(model):
    """A model of the SDK as JSON of the protocol."""
    return model.model_dump(mode="json", by_alias=True, exclude_unset=True)


class Answers:
    """The answers of the user and the model, and the questions that they received."""

    def __init__(self, answers):
        self.answers = answers
        self.asked = []

    def elicit(self, message, schema):
        fields = list(schema["properties"])
        self.asked.append({"kind": "elicit", "message": message, "fields": fields})
        answer = self.answers["elicit"]
        if answer["action"] != "accept":
            return {"action": answer["action"]}
        content = {field: answer["content"][field] for field in fields}
        return {"action": "accept", "content": content}

    def sample(self, messages, max_tokens):
        # One block or a list, depending on the revision.
        content = messages[0].content
        text = (content[0] if isinstance(content, list) else content).text
        self.asked.append({"kind": "sample", "message": text, "maxTokens": max_tokens})
        return {
            "role": "assistant",
            "model": "none",
            "stopReason": "endTurn",
            "content": {"type": "text", "text": self.answers["sample"]},
        }


async def take_steps(take, steps, error_type):
    """Takes the steps of the plan in order, and continues after a refused step."""
    seen = []
    for step in steps:
        progress = []

        async def on_progress(done, total, message, heard=progress):
            heard.append({"progress": done, "total": total, "message": message})

        try:
            result = wire(await take(step, on_progress if step.get("progress") else None))
        except error_type as error:
            fault = error.error
            error = {"code": fault.code, "message": fault.message, "data": fault.data}
            seen.append({"error": {"kind": error_type.__name__, **error}})
        else:
            seen.append({"result": result, "progress": progress})
    return seen
