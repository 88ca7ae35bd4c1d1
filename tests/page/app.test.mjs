// The view of the MCP App, in a host that follows the extension's handshake.

import assert from 'node:assert/strict';
import path from 'node:path';
import test, { after, before } from 'node:test';

import { SHOTS, check, launch } from './browser.mjs';
import { Host, ask } from './host.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

test('each tool with a view shows its result', async () => {
  for (const theme of ['light', 'dark']) {
    const host = await Host.start(browser, { colorScheme: theme });
    for (const [tool, args, words] of [
      ['check_availability', {}, 'Has time for some work'],
      ['get_projects', { featured: true }, 'Quiet Pager'],
      ['get_resume', { section: 'work' }, 'Principal engineer, Gannet & Loom Ferries'],
      ['get_resume', {}, 'Systems engineer for timetables and tides'],
    ]) {
      const view = await host.show(tool, args, { theme });
      const text = await view.locator('main').innerText();
      assert.ok(text.includes(words), text);
      const said = (await host.messages()).map(({ method }) => method);
      const order = ['ui/notifications/sandbox-proxy-ready', 'ui/initialize', 'ui/notifications/initialized', 'ui/notifications/size-changed'];
      assert.deepEqual(said.slice(0, 4), order);
      assert.deepEqual(host.page.faults, []);
      const dark = await view.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(dark === 'rgb(255, 255, 255)', theme === 'light', dark);
      await check(host.page, `${tool} ${theme}`, view);
      await host.page.screenshot({ path: path.join(SHOTS, `app-${tool}-${theme}.png`), fullPage: true });
    }
    await host.stop();
  }
});

test('the view follows the host: colours, links, and the end', async () => {
  const host = await Host.start(browser);
  const variables = { '--color-text-primary': 'rgb(1, 2, 3)', 'x}': 'red' };
  const view = await host.show('get_projects', {}, { styles: { variables } });
  assert.equal(await view.evaluate(() => getComputedStyle(document.body).color), 'rgb(1, 2, 3)');
  await view.getByRole('link').first().click();
  await host.page.waitForFunction(() => window.log.some(({ method }) => method === 'ui/open-link'));
  const link = (await host.messages()).find(({ method }) => method === 'ui/open-link');
  assert.match(link.params.url, /^https:\/\//);
  await host.page.evaluate(() => window.send({ id: 'end', method: 'ui/resource-teardown', params: { reason: 'test' } }));
  await host.page.waitForFunction(() => window.log.some(({ id, result }) => id === 'end' && result));
  await host.page.evaluate(() => window.send({ method: 'ui/notifications/tool-cancelled', params: { reason: 'test' } }));
  await view.getByText('The call was cancelled.').waitFor();
  await host.stop();
});

test('a failed call is shown in words', async () => {
  const host = await Host.start(browser);
  const view = await host.show('get_projects', {});
  await host.page.evaluate(() => window.send({
    method: 'ui/notifications/tool-result', params: { isError: true, content: [{ type: 'text', text: 'It <b>failed</b>.' }] },
  }));
  await view.getByText('It <b>failed</b>.').waitFor();
  await host.stop();
});

test('a client without the extension sees no difference', async () => {
  const without = await ask('tools/list', {}, {});
  const other = await ask('tools/list', {}, { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/uri-list'] } } });
  const withViews = await ask('tools/list', {});
  assert.deepEqual(without, other);
  assert.ok(!JSON.stringify(without).includes('ui://'));
  const viewed = withViews.tools.filter(({ _meta }) => _meta?.ui).map(({ name }) => name);
  assert.deepEqual(viewed, ['get_resume', 'get_projects', 'check_availability']);
  for (const tool of withViews.tools) delete tool._meta;
  assert.deepEqual(withViews.tools, without.tools);
  for (const method of ['resources/list', 'resources/templates/list', 'server/discover']) {
    assert.deepEqual(await ask(method, {}), await ask(method, {}, {}), method);
  }
  const { resources } = await ask('resources/list', {});
  assert.ok(!resources.some(({ uri }) => uri.startsWith('ui://')));
});
