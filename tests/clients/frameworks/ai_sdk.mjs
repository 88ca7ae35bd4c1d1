// The MCP client of the AI SDK: MCP tools as tools for `generateText`.

import { readPlan, report, require, versionOf } from '../typescript/plan.mjs';

const PACKAGE = '@ai-sdk/mcp';
const { createMCPClient } = require(PACKAGE);

const plan = readPlan();
const client = await createMCPClient({ transport: { type: 'http', url: plan.url } });
const tools = await client.tools();
const call = ({ name, arguments: given }) =>
  tools[name].execute(given, { toolCallId: '1', messages: [] });
const text = ({ content }) => content.map((block) => block.text).join('\n');

const called = await call(plan.call);
const refused = await call(plan.refused);
const resource = await client.readResource({ uri: plan.resource });
const prompt = await client.experimental_getPrompt(plan.prompt);
await client.close();
report({
  version: versionOf(PACKAGE),
  tools: Object.keys(tools),
  called: text(called),
  refused: text(refused),
  resource: resource.contents[0].text,
  prompt: prompt.messages.map((message) => message.content.text).join('\n'),
});
