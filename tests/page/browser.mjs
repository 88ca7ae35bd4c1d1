// The browser of the tests: Debian's Chromium, driven by playwright-core from .tools/page.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const tools = path.resolve(process.env.PAGE_TOOLS, 'package.json');
export const require = createRequire(tools);
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Where the screenshots are kept. */
export const SHOTS = path.resolve(process.env.PAGE_SHOTS);
mkdirSync(SHOTS, { recursive: true });

/** The address of the endpoint, and that of the page. */
export const ENDPOINT = process.env.MCP_URL;
export const PAGE = ENDPOINT.replace(/mcp$/, '');

export const WIDTHS = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } };

export async function launch() {
  const known = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  const executablePath = known.find((file) => file && existsSync(file));
  assert.ok(executablePath, 'no Chromium is installed');
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync',
      '--disable-background-networking', '--disable-component-update'],
  });
}

/** Opens a page that collects what goes wrong in it. */
export async function open(browser, url, options = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.faults = [];
  page.on('pageerror', (error) => page.faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') page.faults.push(message.text());
  });
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    const isLocal = ['127.0.0.1', 'localhost'].includes(hostname) || ['data:', 'blob:', 'about:'].includes(protocol);
    if (!isLocal) page.faults.push(`requested ${request.url()}`);
  });
  await page.addInitScript(() => {
    window.violations = [];
    addEventListener('securitypolicyviolation', (event) => window.violations.push(event.violatedDirective));
  });
  await page.goto(url);
  return page;
}

/** Checks a page, or a frame in it: that nothing went wrong, that nothing is wider than the screen, and what axe-core finds. */
export async function check(page, name, frame = page) {
  assert.deepEqual(page.faults, [], name);
  assert.deepEqual(await frame.evaluate(() => window.violations), [], name);
  const overflow = await frame.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(overflow <= 0, `${name} is ${overflow} px too wide`);
  await frame.evaluate(axe);
  const found = await frame.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  const serious = found.violations.filter(({ impact }) => ['serious', 'critical'].includes(impact));
  const said = serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join('; ')}`);
  assert.deepEqual(said, [], name);
}
