"""The OpenAI Agents SDK: MCP tools as function tools with strict schemas."""

import json

from agents import Agent, RunContextWrapper, set_tracing_disabled
from agents.mcp import MCPServerStreamableHttp, MCPUtil
from agents.tool_context import ToolContext
from plan import refusal, run


async def carry_out(plan):
    set_tracing_disabled(True)
    async with MCPServerStreamableHttp({"url": plan["url"]}) as server:
        agent = Agent("reader", mcp_servers=[server])
        context = RunContextWrapper(None)
        tools = await MCPUtil.get_function_tools(server, True, context, agent)
        by_name = {tool.name: tool for tool in tools}
        resource = await server.read_resource(plan["resource"])
        prompt = await server.get_prompt(plan["prompt"]["name"], plan["prompt"]["arguments"])
        called = await invoke(by_name, plan["call"])
        return {
            "tools": list(by_name),
            "called": called["text"] if isinstance(called, dict) else called,
            "refused": await refusal(invoke(by_name, plan["refused"])),
            "resource": resource.contents[0].text,
            "prompt": "\n".join(message.content.text for message in prompt.messages),
        }


async def invoke(tools, call):
    """Calls a tool as the SDK does for a model: with every property, the unused ones `null`."""
    tool = tools[call["name"]]
    properties = tool.params_json_schema["properties"]
    arguments = json.dumps({**dict.fromkeys(properties), **call["arguments"]})
    context = ToolContext(None, tool_name=tool.name, tool_call_id="1", tool_arguments=arguments)
    return await tool.on_invoke_tool(context, arguments)


run("openai-agents", carry_out)
