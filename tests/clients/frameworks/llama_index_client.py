"""LlamaIndex: MCP tools as function tools, prompts as chat messages."""

from llama_index.tools.mcp import BasicMCPClient, McpToolSpec
from plan import refusal, run


async def carry_out(plan):
    client = BasicMCPClient(plan["url"])
    tools = {tool.metadata.name: tool for tool in await McpToolSpec(client).to_tool_list_async()}
    called = await tools[plan["call"]["name"]].acall(**plan["call"]["arguments"])
    refused = tools[plan["refused"]["name"]].acall(**plan["refused"]["arguments"])
    resource = await client.read_resource(plan["resource"])
    messages = await client.get_prompt(plan["prompt"]["name"], plan["prompt"]["arguments"])
    return {
        "tools": list(tools),
        "called": called.raw_output.content[0].text,
        "refused": await refusal(refused),
        "resource": resource.contents[0].text,
        "prompt": "\n".join(message.content for message in messages),
    }


run("llama-index-tools-mcp", carry_out)
