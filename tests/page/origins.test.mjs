// A web page of another origin: what it can call, and which headers it can read.

import assert from 'node:assert/strict';
import http from 'node:http';
import test, { after, before } from 'node:test';

import { ENDPOINT, launch, open } from './browser.mjs';

let browser;
let page;
let server;
before(async () => {
  server = http.createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<title>Elsewhere</title>'));
  await new Promise((resolve) => server.listen(0, resolve));
  server.unref();
  browser = await launch();
  page = await open(browser, `http://localhost:${server.address().port}/`);
});
after(async () => {
  await browser.close();
  server.close();
});

const call = (method, params, name) => page.evaluate(async ([url, sent, mcpName]) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json', Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': sent.method, ...(mcpName ? { 'Mcp-Name': mcpName } : {}),
    },
    body: JSON.stringify(sent),
  });
  return {
    status: response.status,
    challenge: response.headers.get('WWW-Authenticate'),
    retry: response.headers.get('Retry-After'),
    body: await response.json(),
  };
}, [ENDPOINT, {
  jsonrpc: '2.0', id: 1, method,
  params: {
    ...params,
    _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} },
  },
}, name]);

test('it can list and call tools', async () => {
  const list = await call('tools/list', {});
  assert.equal(list.status, 200);
  assert.ok(list.body.result.tools.some(({ name }) => name === 'contact'));
  const answer = await call('tools/call', { name: 'check_availability', arguments: {} }, 'check_availability');
  assert.equal(answer.status, 200);
  assert.equal(answer.body.result.structuredContent.status, 'limited');
});

test('it can read the challenge of a tool that needs a credential', async () => {
  const params = { name: 'contact', arguments: { brief: 'Hello.', contact: 'ada@example.org' } };
  const answer = await call('tools/call', params, 'contact');
  assert.equal(answer.status, 401);
  assert.match(answer.challenge, /^Bearer /);
});

test('it can read when to try again', async () => {
  const params = { name: 'get_manifest', arguments: {} };
  assert.equal((await call('tools/call', params, 'get_manifest')).status, 200);
  const answer = await call('tools/call', params, 'get_manifest');
  assert.equal(answer.status, 429);
  assert.match(answer.retry, /^\d+$/);
});

test('it can read the published documents with a condition', async () => {
  const found = await page.evaluate(async (url) => {
    const first = await fetch(`${url}/server-card`);
    const tag = first.headers.get('ETag');
    const again = await fetch(`${url}/server-card`, { headers: { 'If-None-Match': tag }, cache: 'no-store' });
    return [first.status, tag, again.status];
  }, ENDPOINT);
  assert.deepEqual([found[0], found[2]], [200, 304]);
  assert.match(found[1], /^"/);
});
