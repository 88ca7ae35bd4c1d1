'use strict';
(() => {
  const main = document.querySelector('main');
  const waiting = new Map();
  let nextId = 1;
  let host = {};
  const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const notify = (method, params = {}) => post({ method, params });
  const ask = (method, params) => new Promise((resolve, reject) => {
    const id = nextId++;
    waiting.set(id, { resolve, reject });
    post({ id, method, params });
  });

  // Texts become text nodes only, whatever the résumé has in them.
  const el = (name, className, ...children) => {
    const element = document.createElement(name);
    if (className) element.className = className;
    element.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== ''));
    return element;
  };
  const link = (url, text) => {
    if (!/^https?:\/\//i.test(url)) return text || url;
    const anchor = el('a', '', text || url.replace(/^https?:\/\//i, '').replace(/\/$/, ''));
    anchor.href = url;
    anchor.target = '_blank';
    anchor.rel = 'noopener';
    anchor.addEventListener('click', (event) => {
      if (!host.openLinks) return;
      event.preventDefault();
      ask('ui/open-link', { url }).catch(() => {});
    });
    return anchor;
  };
  const list = (values, className) => values && values.length
    ? el('ul', className, values.map((value) => el('li', '', String(value)))) : '';
  const facts = (...values) => {
    const shown = values.filter(Boolean);
    return shown.length ? el('p', 'facts', shown.flatMap((value, at) => (at ? [' · ', value] : [value]))) : '';
  };
  const period = (entry) => {
    const date = entry.date || entry.releaseDate;
    if (date) return date;
    if (!entry.startDate) return entry.endDate || '';
    return entry.endDate ? `${entry.startDate} – ${entry.endDate}` : `since ${entry.startDate}`;
  };
  const statuses = {
    open: 'Open to offers', limited: 'Has time for some work', booked: 'Booked', closed: 'Takes no offers', unknown: 'Not specified',
  };

  const availability = (data) => {
    const rows = [
      ['From', data.from], ['Notice', data.notice], ['Kinds of work', (data.kinds || []).join(', ')],
      ['Arrangements', (data.arrangements || []).join(', ')], ['Hours a week', data.hoursPerWeek],
      ['Places', (data.locations || []).join(', ')], ['Time zones', (data.timeZones || []).join(', ')],
      ['Rates', data.rateNote], ['Note', data.note], ['Last confirmed', data.updated],
    ].filter(([, value]) => value !== undefined && value !== '');
    return [
      el('header', '', el('h1', '', data.person), el('p', `status ${data.status}`, statuses[data.status] || data.status)),
      el('dl', '', rows.flatMap(([name, value]) => [el('dt', '', name), el('dd', '', String(value))])),
    ];
  };
  const entry = (item) => {
    if (typeof item !== 'object' || item === null) return el('article', '', String(item));
    const title = item.position || item.name || item.title || item.language || [item.studyType, item.area].filter(Boolean).join(', ') || item.institution;
    const place = [item.organization, item.institution, item.position ? item.name : undefined].find((name) => name && name !== title);
    return el('article', '',
      el('h3', '', [title, place].filter(Boolean).join(', ')),
      item.featured ? el('span', 'star', 'Featured') : '',
      facts(period(item), item.location, item.issuer || item.awarder || item.publisher, item.level || item.fluency || item.score, item.url ? link(item.url) : ''),
      item.description ? el('p', '', item.description) : '',
      item.summary || item.reference ? el('p', '', item.summary || item.reference) : '',
      list(item.highlights), list(item.keywords || item.technologies || item.courses, 'tags'));
  };
  const projects = (data) => [
    el('header', '', el('h1', '', `Projects of ${data.person}`)), ...data.projects.map(entry),
  ];
  const resume = (data) => {
    const shown = [];
    if (data.basics) {
      const { name, label, summary, url, location = {} } = data.basics;
      shown.push(el('header', '', el('h1', '', name || ''),
        facts(label, [location.city, location.region, location.countryCode].filter(Boolean).join(', '), url ? link(url) : ''),
        summary ? el('p', '', summary) : ''));
    }
    for (const [section, entries] of Object.entries(data)) {
      if (!Array.isArray(entries) || !entries.length) continue;
      const title = section.charAt(0).toUpperCase() + section.slice(1).replace(/([A-Z])/g, ' $1').toLowerCase();
      shown.push(el('section', '', el('h2', '', title), entries.map(entry)));
    }
    return shown;
  };
  const show = (result) => {
    const data = result.structuredContent;
    const text = (result.content || []).filter((block) => block.type === 'text').map((block) => block.text).join('\n\n');
    let content;
    if (result.isError || !data) content = [el('p', '', text || 'There is nothing to show.')];
    else if (data.status && data.kinds) content = availability(data);
    else if (Array.isArray(data.projects) && 'total' in data) content = projects(data);
    else content = resume(data);
    main.replaceChildren(...(content.length ? content : [el('p', '', text)]));
  };

  const adapt = (context = {}) => {
    if (context.theme) document.documentElement.style.colorScheme = context.theme;
    const variables = (context.styles && context.styles.variables) || {};
    for (const [name, value] of Object.entries(variables)) {
      if (/^--[a-z0-9-]+$/.test(name) && value) document.documentElement.style.setProperty(name, value);
    }
    if (context.locale) document.documentElement.dataset.locale = context.locale;
  };
  addEventListener('message', ({ source, data }) => {
    if (source !== parent || !data || data.jsonrpc !== '2.0') return;
    if (data.method === undefined) {
      const asked = waiting.get(data.id);
      waiting.delete(data.id);
      if (asked) data.error ? asked.reject(data.error) : asked.resolve(data.result);
      return;
    }
    const params = data.params || {};
    switch (data.method) {
      case 'ui/notifications/tool-result': show(params); break;
      case 'ui/notifications/tool-cancelled': main.replaceChildren(el('p', 'muted', 'The call was cancelled.')); break;
      case 'ui/notifications/host-context-changed': adapt(params); break;
      case 'ui/resource-teardown':
      case 'ping': post({ id: data.id, result: {} }); break;
      default:
        if (data.id !== undefined) post({ id: data.id, error: { code: -32601, message: 'Method not found' } });
    }
  });
  const size = () => notify('ui/notifications/size-changed', {
    width: document.documentElement.scrollWidth, height: Math.ceil(main.getBoundingClientRect().height),
  });
  ask('ui/initialize', {
    appInfo: { name: 'portfolio', version: document.documentElement.dataset.version },
    appCapabilities: { availableDisplayModes: ['inline'] },
    protocolVersion: '2026-01-26',
  }).then((result) => {
    host = result.hostCapabilities || {};
    adapt(result.hostContext);
    notify('ui/notifications/initialized');
    new ResizeObserver(size).observe(main);
  }, () => {});
})();
