"""FastMCP's client."""

from fastmcp import Client
from plan import refusal, run


async def carry_out(plan):
    async with Client(plan["url"]) as client:
        called = await client.call_tool(plan["call"]["name"], plan["call"]["arguments"])
        refused = client.call_tool(plan["refused"]["name"], plan["refused"]["arguments"])
        (resource,) = await client.read_resource(plan["resource"])
        prompt = await client.get_prompt(plan["prompt"]["name"], plan["prompt"]["arguments"])
        return {
            "tools": [tool.name for tool in await client.list_tools()],
            "called": called.content[0].text,
            "refused": await refusal(refused),
            "resource": resource.text,
            "prompt": "\n".join(message.content.text for message in prompt.messages),
        }


run("fastmcp", carry_out)
