'use strict';
(() => {
  const root = document.documentElement;
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  root.classList.add('js');

  // Without a configured address, the endpoint is beside this page.
  const endpoint = root.dataset.endpoint || new URL('mcp', location.href.replace(/[?#].*/, '').replace(/\/?$/, '/')).href;
  const shown = root.dataset.endpoint || root.dataset.placeholder;
  if (shown !== endpoint) {
    const walker = document.createTreeWalker(document.querySelector('#connect'), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      walker.currentNode.nodeValue = walker.currentNode.nodeValue.replaceAll(shown, endpoint);
    }
  }
  const links = {
    cursor: (name) => `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(name)}&config=${encodeURIComponent(btoa(JSON.stringify({ url: endpoint })))}`,
    vscode: (name) => `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, type: 'http', url: endpoint }))}`,
  };
  for (const link of all('a[data-link]')) {
    link.href = links[link.dataset.link](link.dataset.name);
    link.hidden = false;
  }

  // Tabs, as the WAI-ARIA authoring practices describe them.
  const tabs = all('[role=tab]');
  const select = (tab, focus) => {
    for (const other of tabs) {
      const isSelected = other === tab;
      other.setAttribute('aria-selected', isSelected);
      other.tabIndex = isSelected ? 0 : -1;
      document.getElementById(other.getAttribute('aria-controls')).hidden = !isSelected;
    }
    if (focus) tab.focus();
  };
  tabs.forEach((tab, at) => {
    tab.addEventListener('click', () => select(tab));
    tab.addEventListener('keydown', (event) => {
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      select(tabs[(to + tabs.length) % tabs.length], true);
    });
  });
  if (tabs.length) {
    document.querySelector('[role=tablist]').hidden = false;
    select(tabs[0]);
  }

  const live = document.getElementById('live');
  for (const button of all('button[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      const source = document.getElementById(button.dataset.copy);
      let said = 'Copied';
      try {
        await navigator.clipboard.writeText(source.textContent);
      } catch {
        getSelection().selectAllChildren(source);
        said = 'Selected';
      }
      const label = button.textContent;
      button.textContent = said;
      live.textContent = said;
      setTimeout(() => { button.textContent = 'Copy'; if (label === 'Copy') live.textContent = ''; }, 1600);
    });
  }

  const form = document.querySelector('#try form');
  const [request, response] = [document.getElementById('request'), document.getElementById('response')];
  const timing = document.getElementById('timing');
  const version = '2026-07-28';
  const pretty = (value) => JSON.stringify(value, null, 2);
  const message = () => {
    const choice = form.elements.choice;
    const chosen = all('input[name=choice]', form).find((input) => input.value === choice.value);
    return {
      jsonrpc: '2.0', id: 1, method: 'tools/call',
      params: {
        name: chosen.dataset.tool,
        arguments: JSON.parse(chosen.dataset.arguments),
        _meta: {
          'io.modelcontextprotocol/protocolVersion': version,
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    };
  };
  const preview = () => {
    request.textContent = `POST ${endpoint}\n\n${pretty(message())}`;
  };
  form.addEventListener('change', preview);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    preview();
    const sent = message();
    const start = performance.now();
    response.textContent = 'Waiting for the answer …';
    timing.textContent = '';
    try {
      const answer = await fetch(endpoint, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json', Accept: 'application/json, text/event-stream',
          'MCP-Protocol-Version': version, 'Mcp-Method': sent.method, 'Mcp-Name': sent.params.name,
        },
        body: JSON.stringify(sent),
      });
      const body = await answer.json();
      timing.textContent = `${answer.status} · ${Math.round(performance.now() - start)} ms`;
      const found = body.result && body.result.structuredContent;
      // The text content repeats the structured content for clients that read only text.
      response.textContent = pretty(found || body);
    } catch (fault) {
      response.textContent = `No answer: ${fault.message}`;
    }
  });
  document.getElementById('try').hidden = false;
  preview();
})();
