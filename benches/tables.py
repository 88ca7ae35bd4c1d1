"""Markdown: tables, and the places of a page that a program writes.

A place is what stands between the lines `<!-- bench: NAME -->` and `<!-- /bench -->`.
"""

import re
import sys


def markdown(head, rows):
    """A table. All columns but the first are numbers."""
    lines = ["| " + " | ".join(row) + " |" for row in [head, *rows]]
    lines.insert(1, "| --- |" + " ---: |" * (len(head) - 1))
    return "\n".join(lines)


def write(page, places):
    """Puts texts into the places of a page, by their names."""
    text = page.read_text(encoding="utf-8")
    for name, content in places.items():
        pattern = re.compile(rf"(<!-- bench: {name} -->\n).*?(<!-- /bench -->)", re.DOTALL)
        text, count = pattern.subn(lambda found, content=content: f"{found[1]}{content}\n{found[2]}", text)
        if count != 1:
            sys.exit(f"bench: {page.name} has {count} places for `{name}`, not one")
    page.write_text(text, encoding="utf-8")
