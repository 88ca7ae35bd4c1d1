"""The Python SDK 1.x as a client."""

import asyncio
from importlib.metadata import version

from mcp import ClientSession, McpError, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client
from plan import Answers, read_plan, report, take_steps, wire


async def main():
    plan = read_plan()
    answers = Answers(plan["answers"])
    handlers = {}

    async def elicit(_context, params):
        answer = answers.elicit(params.message, params.requestedSchema)
        return types.ElicitResult.model_validate(answer)

    async def sample(_context, params):
        answer = answers.sample(params.messages, params.maxTokens)
        return types.CreateMessageResult.model_validate(answer)

    if plan["answers"]:
        handlers = {"elicitation_callback": elicit, "sampling_callback": sample}
    info = types.Implementation(name=plan["client"], version=version("mcp"))
    async with (
        connection(plan) as (receive, send, *_session),
        ClientSession(receive, send, client_info=info, **handlers) as session,
    ):
        initialized = await session.initialize()

        async def take(step, on_progress):
            return await one(session, step, on_progress)

        steps = await take_steps(take, plan["steps"], McpError)
    report({
        "version": version("mcp"),
        "protocolVersion": initialized.protocolVersion,
        "server": wire(initialized.serverInfo),
        "capabilities": wire(initialized.capabilities),
        "instructions": initialized.instructions,
        "asked": answers.asked,
        "steps": steps,
    })


def connection(plan):
    server = plan.get("server")
    if server:
        return stdio_client(StdioServerParameters(**server))
    return streamablehttp_client(plan["url"])


async def one(session, step, on_progress):
    what = step["do"]
    if what == "tools":
        return await session.list_tools()
    if what == "resources":
        return await session.list_resources()
    if what == "templates":
        return await session.list_resource_templates()
    if what == "prompts":
        return await session.list_prompts()
    if what == "call":
        return await session.call_tool(
            step["name"], step.get("arguments"), progress_callback=on_progress
        )
    if what == "read":
        return await session.read_resource(step["uri"])
    if what == "prompt":
        return await session.get_prompt(step["name"], step.get("arguments"))
    if what == "complete":
        of_prompt = step["ref"]["type"] == "ref/prompt"
        kind = types.PromptReference if of_prompt else types.ResourceTemplateReference
        reference = kind.model_validate(step["ref"])
        return await session.complete(reference, step["argument"])
    raise ValueError(f"no such step: {what}")


asyncio.run(main())
