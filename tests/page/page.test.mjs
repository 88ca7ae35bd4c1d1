// The page for people, in a browser, against the running server.

import assert from 'node:assert/strict';
import path from 'node:path';
import test, { after, before } from 'node:test';

import { ENDPOINT, PAGE, SHOTS, WIDTHS, check, launch, open } from './browser.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

for (const [width, viewport] of Object.entries(WIDTHS)) {
  for (const colorScheme of ['light', 'dark']) {
    test(`the page is accessible and fits on a ${width} in the ${colorScheme} scheme`, async () => {
      const page = await open(browser, PAGE, { viewport, colorScheme, reducedMotion: 'reduce' });
      await page.locator('#try button[type=submit]').click();
      await page.locator('#timing:not(:empty)').waitFor();
      await check(page, `${width} ${colorScheme}`);
      await page.screenshot({ path: path.join(SHOTS, `page-${width}-${colorScheme}.png`), fullPage: true });
      await page.evaluate(() => scrollTo(0, 0));
      await page.screenshot({ path: path.join(SHOTS, `top-${width}-${colorScheme}.png`) });
      await page.context().close();
    });
  }
}

test('the policy of the response is strict', async () => {
  const response = await fetch(PAGE);
  const policy = response.headers.get('content-security-policy');
  for (const part of ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"]) {
    assert.ok(policy.includes(part), policy);
  }
  assert.ok(!policy.includes('unsafe'), policy);
  assert.ok((await response.text()).length < 60_000);
});

test('the policy stops a script that is not the page’s own', async () => {
  const page = await open(browser, PAGE);
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.foreign = true';
    document.body.append(script);
  });
  assert.equal(await page.evaluate(() => window.foreign), undefined);
  // Both the header and the `meta` element stop it.
  assert.deepEqual(await page.evaluate(() => window.violations), ['script-src-elem', 'script-src-elem']);
  await page.context().close();
});

test('“Try it” sends a request of protocol 2026-07-28 and shows the answer', async () => {
  const page = await open(browser, PAGE);
  for (const [choice, tool, expected] of [
    ['Availability', 'check_availability', '"status": "limited"'],
    ['Featured projects', 'get_projects', '"featured": true'],
    ['Work experience', 'get_resume', '"work": ['],
  ]) {
    await page.getByLabel(choice, { exact: true }).check();
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await page.getByRole('button', { name: 'Send' }).click();
    const request = await sent;
    assert.equal(request.url(), ENDPOINT);
    assert.equal(request.headers()['mcp-name'], tool);
    await page.locator('#timing', { hasText: /^200 · \d+ ms$/ }).waitFor();
    const answer = await page.locator('#response').textContent();
    assert.ok(answer.includes(expected), answer);
    const shown = await page.locator('#request').textContent();
    assert.ok(shown.startsWith(`POST ${ENDPOINT}`) && shown.includes(`"name": "${tool}"`), shown);
  }
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('“Try it” says when there is no answer', async () => {
  const page = await open(browser, PAGE);
  await page.route(ENDPOINT, (route) => route.abort());
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('#response', { hasText: 'No answer:' }).waitFor();
  await page.context().close();
});

test('every copy button copies what is shown, with the address of this server', async () => {
  const page = await open(browser, PAGE, { permissions: ['clipboard-read', 'clipboard-write'] });
  const copied = async (button) => {
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await button.click();
    await page.locator('#live', { hasText: 'Copied' }).waitFor({ state: 'attached' });
    return page.evaluate(() => navigator.clipboard.readText());
  };
  assert.equal(await copied(page.getByRole('button', { name: 'Copy the URL' })), ENDPOINT);
  const name = 'ottoline-quillfeather';
  const expected = {
    'Claude Code': (text) => assert.equal(text, `claude mcp add --transport http ${name} ${ENDPOINT}`),
    'VS Code': (text) => assert.deepEqual(JSON.parse(text), { servers: { [name]: { type: 'http', url: ENDPOINT } } }),
    Cursor: (text) => assert.deepEqual(JSON.parse(text), { mcpServers: { [name]: { url: ENDPOINT } } }),
    'Gemini CLI': (text) => assert.equal(text, `gemini mcp add --transport http ${name} ${ENDPOINT}`),
    LibreChat: (text) => assert.equal(text, `mcpServers:\n  ${name}:\n    type: streamable-http\n    url: ${ENDPOINT}`),
  };
  for (const [client, verify] of Object.entries(expected)) {
    await page.getByRole('tab', { name: client, exact: true }).click();
    verify(await copied(page.getByRole('button', { name: `Copy for ${client}` })));
  }
  await page.context().close();
});

test('the links install the server in the clients that have such links', async () => {
  const page = await open(browser, PAGE);
  const href = async (client, label) => {
    await page.getByRole('tab', { name: client, exact: true }).click();
    return page.getByRole('link', { name: label }).getAttribute('href');
  };
  const vscode = await href('VS Code', 'Install in VS Code');
  assert.ok(vscode.startsWith('vscode:mcp/install?'), vscode);
  const entry = JSON.parse(decodeURIComponent(vscode.split('?')[1]));
  assert.deepEqual(entry, { name: 'ottoline-quillfeather', type: 'http', url: ENDPOINT });
  const cursor = new URL(await href('Cursor', 'Install in Cursor'));
  assert.equal(cursor.searchParams.get('name'), 'ottoline-quillfeather');
  assert.deepEqual(JSON.parse(atob(cursor.searchParams.get('config'))), { url: ENDPOINT });
  await page.context().close();
});

test('the tabs work with the keyboard', async () => {
  const page = await open(browser, PAGE);
  const selected = () => page.locator('[role=tab][aria-selected=true]').textContent();
  await page.getByRole('tab', { name: 'Claude', exact: true }).focus();
  for (const [key, client] of [['ArrowRight', 'Claude Code'], ['End', 'LibreChat'], ['ArrowRight', 'Claude'], ['ArrowLeft', 'LibreChat'], ['Home', 'Claude']]) {
    await page.keyboard.press(key);
    assert.equal(await selected(), client, key);
    const panel = await page.getByRole('tabpanel').all();
    assert.equal(panel.length, 1);
  }
  await page.context().close();
});

test('without scripts the page has its text and all ways to connect', async () => {
  const page = await open(browser, PAGE, { javaScriptEnabled: false });
  for (const client of ['Claude Code', 'LibreChat']) {
    assert.ok(await page.getByRole('heading', { name: client, exact: true }).isVisible(), client);
  }
  assert.ok(await page.getByText('Gannet & Loom Ferries').first().isVisible());
  assert.equal(await page.locator('#try').isVisible(), false);
  await page.context().close();
});

test('printing leaves the résumé', async () => {
  const page = await open(browser, PAGE);
  await page.emulateMedia({ media: 'print' });
  for (const section of ['#ask', '#connect', '#try']) {
    assert.equal(await page.locator(section).isVisible(), false, section);
  }
  assert.ok(await page.locator('.resume').isVisible());
  await page.pdf({ path: path.join(SHOTS, 'page.pdf'), format: 'A4' });
  await page.context().close();
});

test('the links to the other forms work', async () => {
  const page = await open(browser, PAGE);
  for (const link of await page.locator('footer a, #resume .intro a').all()) {
    const url = new URL(await link.getAttribute('href'), PAGE);
    if (url.origin !== new URL(PAGE).origin) continue;
    const response = await fetch(url);
    assert.equal(response.status, 200, url.href);
  }
  await page.context().close();
});
