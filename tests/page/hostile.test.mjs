// A résumé that is full of HTML and script, on the page and in the view of the MCP App.

import assert from 'node:assert/strict';
import path from 'node:path';
import test, { after, before } from 'node:test';

import { PAGE, SHOTS, WIDTHS, check, launch, open } from './browser.mjs';
import { Host } from './host.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

test('the page shows it as text', async () => {
  const page = await open(browser, PAGE, { viewport: WIDTHS.phone, reducedMotion: 'reduce' });
  await check(page, 'hostile');
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator('img, iframe, svg, details').count(), 0);
  assert.equal(await page.locator('script').count(), 2);
  const targets = await page.locator('a[href]').evaluateAll((links) => links.map((link) => link.href));
  for (const target of targets) assert.ok(!target.startsWith('javascript:') && !target.startsWith('data:'), target);
  const text = await page.locator('body').innerText();
  for (const part of ['<script>window.hacked = 8</script>', 'window.hacked = 2', '${window.hacked = 9}']) {
    assert.ok(text.includes(part), part);
  }
  await page.screenshot({ path: path.join(SHOTS, 'hostile.png'), fullPage: true });
  await page.context().close();
});

test('the view shows it as text', async () => {
  const host = await Host.start(browser);
  for (const [tool, args] of [['get_resume', {}], ['get_projects', {}], ['check_availability', {}]]) {
    const view = await host.show(tool, args);
    assert.equal(await view.evaluate(() => window.hacked), undefined, tool);
    assert.equal(await view.locator('img, iframe, svg, main script, details').count(), 0, tool);
  }
  await host.stop();
});
