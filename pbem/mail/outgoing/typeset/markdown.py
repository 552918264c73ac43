"""Markdown: typeset pages such as rules. HTML in them is shown literally."""

from __future__ import annotations

from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from pbem.mail.outgoing.typeset.page import HEADLINE, ITEM, LIST, MONO, PARAGRAPH, QUOTE, TABLE

_STYLES = {
    "h1": HEADLINE,
    "h2": "margin:22px 0 8px;font-size:18px;line-height:1.3;font-weight:bold",
    "h3": "margin:18px 0 6px;font-size:16px;font-weight:bold",
    "p": PARAGRAPH,
    "ul": LIST,
    "ol": LIST,
    "li": ITEM,
    "blockquote": QUOTE,
    "table": TABLE,
    "td": "padding:3px 7px;border-bottom:1px solid #b5ab97;vertical-align:top",
    "th": "padding:3px 7px;border-bottom:1px solid #b5ab97;text-align:left",
    "code": MONO,
    "pre": f"margin:0 0 14px;overflow-x:auto;font-size:12px;line-height:1.25;{MONO}",
}
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


@lru_cache(maxsize=32)
def typeset(text: str) -> str:
    """Return a page as HTML."""
    tokens = _MARKDOWN.parse(text)
    for token in tokens:
        _dress(token)
        for each in token.children or ():
            _dress(each)
    return str(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})).rstrip()


def _dress(token: Token) -> None:
    name = "pre" if token.type in ("fence", "code_block") else token.tag
    if token.nesting >= 0 and name in _STYLES:
        token.attrSet("style", _STYLES[name])
    if name == "pre":  # a keyboard can scroll only what it can reach
        token.attrSet("tabindex", "0")
