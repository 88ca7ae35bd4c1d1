// mcp-remote: the proxy that gives clients which only start local servers access to remote ones. The
// client here is the TypeScript SDK 1.x over stdio.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPlan, report, require, versionOf } from '../typescript/plan.mjs';

const PACKAGE = 'mcp-remote';
const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');

const plan = readPlan();
// mcp-remote stores the state of a sign-in in this folder instead of the home directory.
const folder = mkdtempSync(join(tmpdir(), 'mcp-remote-'));
const transport = new StdioClientTransport({
  command: process.execPath,
  args: [require.resolve(`${PACKAGE}/dist/proxy.js`), plan.url, '--allow-http'],
  env: { ...process.env, MCP_REMOTE_CONFIG_DIR: folder },
  stderr: 'ignore',
});
const client = new Client({ name: 'try-mcp-remote', version: versionOf(PACKAGE) });
await client.connect(transport);
const { tools } = await client.listTools();
const text = ({ content }) => content.map((block) => block.text).join('\n');
const called = await client.callTool(plan.call);
const refused = await client.callTool(plan.refused);
const resource = await client.readResource({ uri: plan.resource });
const prompt = await client.getPrompt(plan.prompt);
await client.close();
rmSync(folder, { recursive: true });
report({
  version: versionOf(PACKAGE),
  tools: tools.map(({ name }) => name),
  called: text(called),
  refused: text(refused),
  resource: resource.contents[0].text,
  prompt: prompt.messages.map((message) => message.content.text).join('\n'),
});
