#!/usr/bin/env node
// Lets the official suite, which speaks HTTP alone, drive a server over stdio.
//
//     bridge.mjs SUITE PROGRAM [ARGUMENT …] -- COMMAND [ARGUMENT …]
//
// For each session it starts PROGRAM and passes messages on as they are, with the transports of the SDK in
// SUITE. COMMAND runs with MCP_URL; the bridge ends with its status.

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [suite, ...rest] = process.argv.slice(2);
const end = rest.indexOf('--');
const [program, ...programArguments] = rest.slice(0, end);
const [command, ...commandArguments] = rest.slice(end + 1);
const require = createRequire(`${resolve(suite)}/`);
const { StreamableHTTPServerTransport } = require('@modelcontextprotocol/sdk/server/streamableHttp.js');
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');

const sessions = new Map();

/** Connects a session over HTTP with a process. */
async function open() {
  const front = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => sessions.set(id, front),
  });
  const back = new StdioClientTransport({ command: program, args: programArguments, stderr: 'ignore' });
  // The calls in flight by their progress tokens, and the last one: what the server sends belongs to it.
  const tokens = new Map();
  let last;
  front.onmessage = (message) => {
    if (message.method !== undefined && message.id !== undefined) {
      last = message.id;
      tokens.set(message.params?._meta?.progressToken, message.id);
    }
    back.send(message);
  };
  back.onmessage = (message) => {
    const relatedRequestId =
      message.method === undefined ? message.id : (tokens.get(message.params?.progressToken) ?? last);
    front.send(message, { relatedRequestId }).catch(() => {});
  };
  front.onclose = () => back.close();
  await back.start();
  await front.start();
  return front;
}

const server = createServer(async (request, response) => {
  const front = sessions.get(request.headers['mcp-session-id']) ?? (await open());
  await front.handleRequest(request, response);
});

server.listen(0, '127.0.0.1', () => {
  const env = { ...process.env, MCP_URL: `http://127.0.0.1:${server.address().port}/mcp` };
  spawn(command, commandArguments, { env, stdio: 'inherit' }).on('exit', async (status) => {
    await Promise.all([...sessions.values()].map((front) => front.close()));
    process.exit(status ?? 1);
  });
});
