"""Charts as SVG, each for a light and a dark page, in the colours of the other pictures of the documentation."""

import math
from html import escape

from runtime_api import ROOT

IMAGES = ROOT / "docs/images"
FONT = "ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', Arial, sans-serif"
THEMES = {
    "light": {"text": "#1c1a18", "muted": "#5c5650", "line": "#d9d4cd", "ours": "#b3402f", "others": "#b9b2aa"},
    "dark": {"text": "#ece9e5", "muted": "#aaa39b", "line": "#3d3834", "ours": "#e08a7c", "others": "#6b645d"},
}
LINES = ("ours", "text", "others", "muted")
WIDTH = 760


def write(name, draw):
    """Writes `draw(theme)` for each theme."""
    for theme, colors in THEMES.items():
        (IMAGES / f"{name}-{theme}.svg").write_text(draw(colors), encoding="utf-8")


def svg(title, height, parts):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" role="img" aria-labelledby="t" font-family="{FONT}" font-size="12">\n'
        f'  <title id="t">{escape(title)}</title>\n  ' + "\n  ".join(parts) + "\n</svg>\n"
    )


def label(x, y, text, color, anchor="start", weight=400):
    return (
        f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" fill="{color}" font-weight="{weight}">'
        f"{escape(text)}</text>"
    )


def bars(title, groups, ours):
    """Horizontal bars in groups: `{group: {name: value}}`. `ours` are the names that stand out."""
    left, bar, gap = 200, 18, 6
    most = max(value for values in groups.values() for value in values.values())

    def draw(colors):
        parts, y = [], 4
        for group, values in groups.items():
            parts.append(label(0, y + 14, group, colors["muted"]))
            y += 22
            for name, value in values.items():
                own = name in ours
                width = (WIDTH - left - 80) * value / most
                parts.append(label(left - 8, y + 13, name, colors["text"], "end", 600 if own else 400))
                color = colors["ours" if own else "others"]
                parts.append(f'<rect x="{left}" y="{y}" width="{width:.0f}" height="{bar}" rx="3" fill="{color}"/>')
                parts.append(label(left + width + 6, y + 13, f"{value:,.0f}", colors["text"]))
                y += bar + gap
            y += 8
        return svg(title, y, parts)

    return draw


def lines(title, series, unit):
    """Curves on two logarithmic axes: `{name: [(x, y)]}`. A cost that is linear rises like the diagonal."""
    left, right, top, bottom, height = 70, 200, 12, 42, 330
    spans = [bounds([point[axis] for points in series.values() for point in points]) for axis in (0, 1)]

    def place(point):
        x, y = ((math.log10(value) - low) / (high - low) for value, (low, high) in zip(point, spans, strict=True))
        return left + x * (WIDTH - left - right), height - bottom - y * (height - top - bottom)

    def draw(colors):
        parts = []
        for power in range(spans[1][0], spans[1][1] + 1):
            _, y = place((10 ** spans[0][0], 10**power))
            parts.append(f'<path d="M{left} {y:.1f}H{WIDTH - right}" stroke="{colors["line"]}"/>')
            parts.append(label(left - 8, y + 4, short(10**power), colors["muted"], "end"))
        for power in range(spans[0][0], spans[0][1] + 1):
            x, _ = place((10**power, 10 ** spans[1][0]))
            parts.append(label(x, height - 24, short(10**power), colors["muted"], "middle"))
        parts.append(label(WIDTH - right, height - 8, unit, colors["muted"], "end"))
        ends = []
        for number, (name, points) in enumerate(series.items()):
            color = colors[LINES[number % len(LINES)]]
            path = "L".join(f"{x:.1f} {y:.1f}" for x, y in map(place, points))
            dash = ' stroke-dasharray="5 4"' if number >= len(LINES) else ""
            parts.append(f'<path d="M{path}" fill="none" stroke="{color}" stroke-width="2"{dash}/>')
            ends.append((*place(points[-1])[::-1], name))
        lowest = -math.inf
        for y, x, name in sorted(ends):
            lowest = max(y, lowest + 15)
            parts.append(label(x + 8, lowest + 4, name, colors["text"]))
        return svg(title, height, parts)

    return draw


def bounds(values):
    """The powers of ten around the values."""
    return math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))


def short(number):
    """A round number: 1,000,000 is `1 M`."""
    for size, suffix in ((10**9, " G"), (10**6, " M"), (10**3, " k")):
        if number >= size:
            return f"{number // size:,}{suffix}"
    return str(number)
