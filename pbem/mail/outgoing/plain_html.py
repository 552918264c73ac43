"""Plain HTML: a text in HTML as it stands, where no template has said more than the text."""

from __future__ import annotations

import html
import re

_STYLE = "font-family:monospace;font-size:14px;line-height:1.25"


def to_html(text: str) -> str:
    """The same mail in HTML: prose in paragraphs, whatever is laid out by columns in `<pre>`."""
    blocks = map(_block, html.escape(text.strip("\n"), quote=False).split("\n\n"))
    return f"<!DOCTYPE html>\n<html><body>\n{''.join(blocks)}</body></html>\n"


_COLUMNS = re.compile("^ |  ", re.MULTILINE)


def _block(block: str) -> str:
    if _COLUMNS.search(block):
        return f'<pre style="{_STYLE}">\n{block}\n</pre>\n'
    return "<p>" + block.replace("\n", "<br>\n") + "</p>\n"
