// Makes the pictures of README.md from the running server: `make pictures`.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { PAGE, SHOTS, launch, open } from './browser.mjs';
import { flow } from './flow.mjs';
import { Host, ask } from './host.mjs';

const file = (name) => path.join(SHOTS, name);
const browser = await launch();
const escaped = (text) => text.replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c]);

/** A call of a tool, with its real result. */
async function call(name, args) {
  const { structuredContent } = await ask('tools/call', { name, arguments: args }, {});
  return { name, args, answer: structuredContent };
}

/** A conversation: the question is made up, what the tools answer is not. */
async function transcript() {
  const availability = await call('check_availability', {});
  const projects = await call('get_projects', { featured: true });
  const { person, from, hoursPerWeek, kinds, notice } = availability.answer;
  const [first] = projects.answer.projects;
  return [
    { user: `We need somebody who knows Rust on AWS Lambda. Is ${person} free this spring, and is there a project that shows it?` },
    { tool: availability, view: 'check_availability' },
    { tool: projects },
    { agent: `${person} has time for ${hoursPerWeek} hours a week from ${from} (${kinds.join(', ')}; notice: ${notice.toLowerCase()}). The closest project is ${first.name}: ${first.description} It is built with ${first.keywords.join(', ')}. ${first.highlights[0]}.` },
  ];
}

const base = readFileSync('functions/portfolio/src/style/assets/base.css', 'utf8');
function conversation(entries) {
  const shown = entries.map((entry) => {
    if (entry.user) return `<p class="user">${escaped(entry.user)}</p>`;
    if (entry.agent) return `<p class="agent">${escaped(entry.agent)}</p>`;
    const { name, args, answer } = entry.tool;
    const size = new Blob([JSON.stringify(answer)]).size;
    return `<div class="tool"><code>${name}(${escaped(JSON.stringify(args))})</code><span>${size.toLocaleString('en')} bytes</span></div>${entry.view ? '<div class="view"></div>' : ''}`;
  });
  return `<!doctype html><html lang="en"><title>Conversation</title><style>:root{--accent-light:#0f5e78;--accent-dark:#5f9db3;--on-accent-light:#fff;--on-accent-dark:#141312}${base}
    body{padding:26px;width:760px}main{display:grid;gap:14px}
    .user{justify-self:end;max-width:78%;padding:10px 16px;border-radius:16px 16px 4px 16px;background:var(--raised);border:1px solid var(--line)}
    .agent{max-width:94%;line-height:1.65}
    .tool{display:flex;justify-content:space-between;gap:1rem;align-items:baseline;padding:7px 14px;border:1px solid var(--line);border-radius:10px;color:var(--muted);font-size:.82rem}
    .tool code{color:var(--text)}.view img{display:block;width:100%;border:1px solid var(--line);border-radius:12px}</style><main>${shown.join('')}</main></html>`;
}

const entries = await transcript();
for (const scheme of ['light', 'dark']) {
  writeFileSync(file(`flow-${scheme}.svg`), flow(scheme));

  const page = await open(browser, PAGE, { viewport: { width: 1120, height: 720 }, colorScheme: scheme });
  // The address of this machine says nothing to a reader.
  await page.screenshot({ path: file(`page-${scheme}.png`) });
  await page.context().close();

  const host = await Host.start(browser, { colorScheme: scheme, viewport: { width: 706, height: 500 } });
  await host.show('check_availability', {}, { theme: scheme });
  const view = await host.page.locator('iframe').screenshot();
  await host.stop();

  const context = await browser.newContext({ viewport: { width: 812, height: 400 }, colorScheme: scheme });
  const chat = await context.newPage();
  await chat.setContent(conversation(entries));
  await chat.evaluate((data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    document.querySelector('.view').append(image);
    return image.decode();
  }, view.toString('base64'));
  await chat.locator('body').screenshot({ path: file(`conversation-${scheme}.png`) });
  await context.close();
}
await browser.close();
