"""LangChain's adapters: MCP tools as LangChain tools, resources as blobs, prompts as messages."""

from langchain_mcp_adapters.client import MultiServerMCPClient
from plan import refusal, run

SERVER = "portfolio"


async def carry_out(plan):
    client = MultiServerMCPClient({SERVER: {"transport": "streamable_http", "url": plan["url"]}})
    tools = {tool.name: tool for tool in await client.get_tools()}
    called = await tools[plan["call"]["name"]].ainvoke(plan["call"]["arguments"])
    refused = tools[plan["refused"]["name"]].ainvoke(plan["refused"]["arguments"])
    (resource,) = await client.get_resources(SERVER, uris=[plan["resource"]])
    prompt = plan["prompt"]
    messages = await client.get_prompt(SERVER, prompt["name"], arguments=prompt["arguments"])
    return {
        "tools": list(tools),
        "called": called if isinstance(called, str) else called[0]["text"],
        "refused": await refusal(refused),
        "resource": resource.as_string(),
        "prompt": "\n".join(message.text for message in messages),
    }


run("langchain-mcp-adapters", carry_out)
