// The TypeScript SDK's server with the tools of tests/fixtures/differential, for compare.py. Prints its URL.
//
// Runs in the directory where npm installed the packages.

import { createServer } from 'node:http';
import { createRequire } from 'node:module';

const require = createRequire(`${process.cwd()}/`);
const { completable, createMcpHandler, McpServer, ResourceTemplate } = require('@modelcontextprotocol/server');
const z = require('zod/v4');

function build() {
  const server = new McpServer({ name: 'differential', version: '1.0.0' });
  server.registerTool(
    'echo',
    {
      description: 'Repeats a text.',
      inputSchema: z.object({ text: z.string().min(1).max(100), times: z.number().int().min(1).max(3).optional() }),
      outputSchema: z.object({ text: z.string() }),
    },
    async ({ text, times }) => {
      const structuredContent = { text: text.repeat(times ?? 1) };
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
    },
  );
  const hello = async () => ({ content: [{ type: 'text', text: 'Hello.' }] });
  server.registerTool('hello', { description: 'Says hello.' }, hello);
  const tones = (typed) => ['friendly', 'formal', 'funny'].filter((tone) => tone.includes(typed ?? ''));
  server.registerPrompt(
    'greet',
    {
      description: 'Greets a person.',
      argsSchema: z.object({ name: z.string(), tone: completable(z.string(), tones).optional() }),
    },
    ({ name, tone }) => {
      const text = `Greet ${name} in a ${tone ?? 'friendly'} tone.`;
      return { messages: [{ role: 'user', content: { type: 'text', text } }] };
    },
  );
  server.registerResource('note', 'test://note', {}, async (uri) => ({ contents: [{ uri: uri.href, text: 'Hello.' }] }));
  const template = new ResourceTemplate('test://items/{number}', { list: undefined });
  server.registerResource('item', template, {}, async (uri, { number }) => {
    if (!(Number(number) <= 9)) {
      throw new Error('not found');
    }
    return { contents: [{ uri: uri.href, text: `Item ${number}.` }] };
  });
  return server;
}

const handler = createMcpHandler(build, { responseMode: 'json' });

async function serve(request, response) {
  const chunks = [];
  for await (const chunk of request) {
    chunks.push(chunk);
  }
  const headers = new Headers();
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    headers.append(request.rawHeaders[index], request.rawHeaders[index + 1]);
  }
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
  const asked = new Request(`http://127.0.0.1${request.url}`, {
    method: request.method,
    headers,
    body: hasBody ? Buffer.concat(chunks) : undefined,
  });
  const answer = await handler.fetch(asked);
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body) {
    for await (const chunk of answer.body) {
      response.write(chunk);
    }
  }
  response.end();
}

const listener = createServer((request, response) => {
  serve(request, response).catch((error) => {
    console.error(error);
    response.writeHead(500).end();
  });
});
listener.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${listener.address().port}/mcp`));
