// The way of a request as a picture, in the colours of a scheme.

const SCHEMES = {
  light: { text: '#1c1a18', muted: '#5c5650', line: '#b9b2aa', box: '#f7f6f4', border: '#d9d4cd', accent: '#0f5e78', on: '#ffffff', stop: '#b3402f' },
  dark: { text: '#ece9e5', muted: '#aaa39b', line: '#6b645d', box: '#1d1b1a', border: '#3d3834', accent: '#5f9db3', on: '#141312', stop: '#e08a7c' },
};
const WIDTH = 880;
const HEIGHT = 300;

/** Returns the picture as SVG. */
export function flow(scheme) {
  const c = SCHEMES[scheme];
  const box = (x, y, width, height, title, note, isFilled) => `
  <rect x="${x}" y="${y}" width="${width}" height="${height}" rx="10" fill="${isFilled ? c.accent : c.box}" stroke="${isFilled ? c.accent : c.border}"/>
  <text x="${x + width / 2}" y="${y + height / 2 + (note ? -3 : 5)}" text-anchor="middle" font-size="14" font-weight="600" fill="${isFilled ? c.on : c.text}">${title}</text>${
    note ? `\n  <text x="${x + width / 2}" y="${y + height / 2 + 15}" text-anchor="middle" font-size="11.5" fill="${isFilled ? c.on : c.muted}">${note}</text>` : ''}`;
  const arrow = (path, colour = c.line) => `
  <path d="${path}" fill="none" stroke="${colour}" stroke-width="1.6" marker-end="url(#${colour === c.stop ? 'stop' : 'head'})"/>`;
  const label = (x, y, text, colour = c.muted, anchor = 'middle') => `
  <text x="${x}" y="${y}" text-anchor="${anchor}" font-size="11.5" fill="${colour}">${text}</text>`;
  const marker = (id, colour) => `<marker id="${id}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="${colour}"/></marker>`;
  const stages = [['gate', 'headers'], ['era', 'version'], ['auth', 'credential'], ['methods', 'arguments'], ['limit', 'counters'], ['tool', 'your code']];
  const [left, top, width, gap] = [392, 108, 72, 8];
  const places = stages.map((_, at) => left + at * (width + gap));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-labelledby="t" font-family="ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', Arial, sans-serif">
  <title id="t">A POST goes through API Gateway to the function, which passes it through six stages and answers. A GET is answered by API Gateway with 405.</title>
  <defs>${marker('head', c.line)}${marker('stop', c.stop)}</defs>
  <rect x="${left - 14}" y="64" width="${6 * width + 5 * gap + 28}" height="142" rx="14" fill="none" stroke="${c.border}" stroke-dasharray="5 4"/>
  ${label(left, 88, 'The function: one request in, one response out, nothing remembered', c.muted, 'start')}${
    box(10, 108, 130, 62, 'AI agent', 'any MCP client')}${
    box(212, 108, 118, 62, 'API Gateway', 'throttles')}${
    arrow('M140 139H208')}${label(174, 131, 'POST')}${
    arrow(`M330 139H${left - 3}`)}${
    stages.map(([name, note], at) => box(places[at], top, width, 62, name, note, name === 'tool')).join('')}${
    stages.slice(1).map((_, at) => arrow(`M${places[at] + width} 139H${places[at + 1] - 1}`)).join('')}${
    arrow(`M${places[5] + width / 2} 170V240Q${places[5] + width / 2} 252 ${places[5] + width / 2 - 12} 252H87Q75 252 75 240V174`)}${
    label(480, 270, 'the result, as JSON or as events')}${
    arrow('M75 108V52Q75 40 87 40H259Q271 40 271 52V104', c.stop)}${label(173, 30, 'GET', c.stop)}${
    label(260, 66, '405 at once,', c.stop, 'end')}${label(260, 82, 'no function starts', c.stop, 'end')}
</svg>
`;
}
