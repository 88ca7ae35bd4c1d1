// A minimal host of MCP Apps: a web page with a sandbox of another origin, as the extension requires of hosts
// that are web pages (revision 2026-01-26, "Sandbox proxy" and "Lifecycle"). Every message of the view is
// compared with the extension's schema.

import assert from 'node:assert/strict';
import http from 'node:http';

import { ENDPOINT, open, require } from './browser.mjs';

const Ajv = require('ajv/dist/2020').default;
const schema = require('@modelcontextprotocol/ext-apps/schema.json');
const ajv = new Ajv({ strict: false, validateFormats: false });
ajv.addSchema(schema, 'apps');
const validators = new Map(['InitializeRequest', 'InitializedNotification', 'SizeChangedNotification', 'OpenLinkRequest']
  .map((name) => [name, ajv.compile({ $ref: `apps#/$defs/McpUi${name}` })]));
const KINDS = {
  'ui/initialize': 'InitializeRequest', 'ui/notifications/initialized': 'InitializedNotification',
  'ui/notifications/size-changed': 'SizeChangedNotification', 'ui/open-link': 'OpenLinkRequest',
};
const VERSION = '2026-07-28';
export const MIME_TYPE = 'text/html;profile=mcp-app';
/** The policy for a resource that declares no domains. */
const POLICY = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'";

const HOST = `<!doctype html><title>Host</title><style>body{margin:0}iframe{border:0;width:100%;height:200px}</style><script>
  window.log = [];
  const sandbox = () => document.querySelector('iframe').contentWindow;
  window.send = (message) => sandbox().postMessage({ jsonrpc: '2.0', ...message }, '*');
  window.show = (origin, html, result, input, context) => new Promise((resolve) => {
    log.length = 0;
    addEventListener('message', ({ source, data }) => {
      if (source !== sandbox() || !data || data.jsonrpc !== '2.0') return;
      log.push(data);
      if (data.method === 'ui/notifications/sandbox-proxy-ready') {
        send({ method: 'ui/notifications/sandbox-resource-ready', params: { html } });
      } else if (data.method === 'ui/initialize') {
        send({ id: data.id, result: { protocolVersion: '2026-01-26', hostInfo: { name: 'test', version: '1' },
          hostCapabilities: { openLinks: {} }, hostContext: context } });
      } else if (data.method === 'ui/notifications/initialized') {
        send({ method: 'ui/notifications/tool-input', params: { arguments: input } });
        send({ method: 'ui/notifications/tool-result', params: result });
        resolve();
      } else if (data.method === 'ui/open-link') {
        send({ id: data.id, result: {} });
      } else if (data.method === 'ui/notifications/size-changed') {
        document.querySelector('iframe').style.height = data.params.height + 'px';
      }
    });
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', 'allow-scripts allow-same-origin');
    frame.src = origin + '/sandbox';
    document.body.replaceChildren(frame);
  });
</script>`;
const SANDBOX = `<!doctype html><title>Sandbox</title><style>html,body,iframe{margin:0;border:0;width:100%;height:100%;display:block}</style><body><script>
  let view;
  addEventListener('message', ({ source, data }) => {
    if (source === parent) {
      if (data.method === 'ui/notifications/sandbox-resource-ready') {
        view = document.createElement('iframe');
        view.setAttribute('sandbox', 'allow-scripts');
        view.srcdoc = data.params.html.replace('<head>', ${JSON.stringify(`<head><meta http-equiv="Content-Security-Policy" content="${POLICY}">`)});
        document.body.append(view);
      } else if (view) view.contentWindow.postMessage(data, '*');
    } else if (view && source === view.contentWindow) parent.postMessage(data, '*');
  });
  parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }, '*');
</script>`;

/** Sends a request to the server, as a client that supports MCP Apps unless it says otherwise. */
export async function ask(method, params, capabilities = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [MIME_TYPE] } } }) {
  const name = params.name ?? params.uri;
  const response = await fetch(ENDPOINT, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json', Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': VERSION, 'Mcp-Method': method, ...(name ? { 'Mcp-Name': name } : {}),
    },
    body: JSON.stringify({
      jsonrpc: '2.0', id: 1, method,
      params: { ...params, _meta: { 'io.modelcontextprotocol/protocolVersion': VERSION, 'io.modelcontextprotocol/clientCapabilities': capabilities } },
    }),
  });
  const { result, error } = await response.json();
  assert.equal(error, undefined, `${method}: ${JSON.stringify(error)}`);
  return result;
}

export class Host {
  static async start(browser, options = {}) {
    const host = new Host();
    host.server = http.createServer((request, response) => {
      response.setHeader('Content-Type', 'text/html').end(request.url === '/sandbox' ? SANDBOX : HOST);
    });
    await new Promise((resolve) => host.server.listen(0, resolve));
    host.server.unref();
    const { port } = host.server.address();
    // Two names of this machine are two origins.
    host.sandbox = `http://127.0.0.1:${port}`;
    host.page = await open(browser, `http://localhost:${port}/`, { viewport: { width: 720, height: 900 }, ...options });
    return host;
  }

  /** Calls a tool and shows its view. Returns the frame of the view once it has the result. */
  async show(tool, args, context = {}) {
    const { tools } = await ask('tools/list', {});
    const uri = tools.find(({ name }) => name === tool)._meta.ui.resourceUri;
    const { contents: [content] } = await ask('resources/read', { uri });
    assert.equal(content.mimeType, MIME_TYPE);
    const result = await ask('tools/call', { name: tool, arguments: args });
    // A host has one view at a time here.
    await this.page.reload();
    await this.page.evaluate(
      (given) => window.show(...given),
      [this.sandbox, content.text, result, args, { theme: 'light', displayMode: 'inline', ...context }],
    );
    await this.page.waitForFunction(() => window.log.some(({ method }) => method === 'ui/notifications/size-changed'));
    const frame = this.page.frames().at(-1);
    await frame.locator('main > :not(.muted)').first().waitFor();
    return frame;
  }

  /** The messages of the view, after each was compared with the schema. */
  async messages() {
    const log = await this.page.evaluate(() => window.log);
    for (const { jsonrpc, id, ...message } of log) {
      const kind = KINDS[message.method];
      if (!kind) continue;
      const validate = validators.get(kind);
      assert.ok(validate(message), `${JSON.stringify(message)}: ${JSON.stringify(validate.errors)}`);
    }
    return log;
  }

  async stop() {
    await this.page.context().close();
    this.server.close();
    this.server.closeAllConnections();
  }
}
