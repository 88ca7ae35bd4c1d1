"""The Python SDK 2.x as a client, in the era the plan names."""

import asyncio
from importlib.metadata import version

import mcp_types as types
from mcp import Client, MCPError, StdioServerParameters
from plan import Answers, read_plan, report, take_steps, wire


async def main():
    plan = read_plan()
    answers = Answers(plan["answers"])
    handlers = {}

    async def elicit(_context, params):
        answer = answers.elicit(params.message, params.requested_schema)
        return types.ElicitResult.model_validate(answer)

    async def sample(_context, params):
        answer = answers.sample(params.messages, params.max_tokens)
        return types.CreateMessageResult.model_validate(answer)

    if plan["answers"]:
        handlers = {"elicitation_callback": elicit, "sampling_callback": sample}
    server = plan.get("server")
    client = Client(
        StdioServerParameters(**server) if server else plan["url"],
        mode="auto" if plan["era"] == "modern" else "legacy",
        client_info=types.Implementation(name=plan["client"], version=version("mcp")),
        **handlers,
    )
    async with client:

        async def take(step, on_progress):
            return await one(client, step, on_progress)

        steps = await take_steps(take, plan["steps"], MCPError)
        seen = {
            "version": version("mcp"),
            "protocolVersion": client.protocol_version,
            "server": wire(client.server_info),
            "capabilities": wire(client.server_capabilities),
            "instructions": client.instructions,
            "asked": answers.asked,
            "steps": steps,
        }
    report(seen)


async def one(client, step, on_progress):
    what = step["do"]
    if what == "tools":
        return await client.list_tools()
    if what == "resources":
        return await client.list_resources()
    if what == "templates":
        return await client.list_resource_templates()
    if what == "prompts":
        return await client.list_prompts()
    if what == "call":
        return await client.call_tool(
            step["name"], step.get("arguments"), progress_callback=on_progress
        )
    if what == "read":
        return await client.read_resource(step["uri"])
    if what == "prompt":
        return await client.get_prompt(step["name"], step.get("arguments"))
    if what == "complete":
        of_prompt = step["ref"]["type"] == "ref/prompt"
        kind = types.PromptReference if of_prompt else types.ResourceTemplateReference
        reference = kind.model_validate(step["ref"])
        return await client.complete(reference, step["argument"])
    raise ValueError(f"no such step: {what}")


asyncio.run(main())
