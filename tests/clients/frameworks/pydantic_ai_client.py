"""Pydantic AI: an agent whose model is a function, so that the framework itself calls the tool."""

import json

from plan import refusal, run
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel


async def carry_out(plan):
    async with MCPToolset(plan["url"]) as server:
        refused = server.direct_call_tool(plan["refused"]["name"], plan["refused"]["arguments"])
        prompt = await server.get_prompt(plan["prompt"]["name"], plan["prompt"]["arguments"])
        return {
            "tools": [tool.name for tool in await server.list_tools()],
            "called": await called_by_an_agent(server, plan["call"]),
            "refused": await refusal(refused),
            "resource": await server.read_resource(plan["resource"]),
            "prompt": "\n".join(getattr(message.content, "content", message.content) for message in prompt.messages),
        }


async def called_by_an_agent(server, call):
    """The result of a tool call that the model requests, as the model receives it."""

    def model(messages, _info):
        returned = [p for m in messages for p in m.parts if isinstance(p, ToolReturnPart)]
        if returned:
            return ModelResponse([TextPart(returned[0].model_response_str())])
        return ModelResponse([ToolCallPart(call["name"], json.dumps(call["arguments"]))])

    agent = Agent(FunctionModel(model), toolsets=[server])
    return (await agent.run("Who is this?")).output


run("pydantic-ai-slim", carry_out)
