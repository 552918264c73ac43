"""HTML of a mail as plain text, quotes marked by `>` as in a plain one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inscriptis import get_annotated_text
from inscriptis.css_profiles import STRICT_CSS_PROFILE
from inscriptis.html_properties import Display
from inscriptis.model.config import ParserConfig
from inscriptis.model.html_element import HtmlElement

from pbem.mail.incoming.charsets import tidy

_QUOTES = (
    "blockquote",
    "div#class=yahoo_quoted",
    "div#class=protonmail_quote",
    "div#class=moz-cite-prefix",
    "div#name=quote",  # GMX, WEB.DE
    "div#id=mail-editor-reference-message-container",  # Outlook on phones
)
"""What clients put around the mail that is answered."""

# Indentation carries nothing, and would hide the `>` of plain text inside.
_LIST = HtmlElement(display=Display.block)
_CONFIG = ParserConfig(
    css={**STRICT_CSS_PROFILE, "ul": _LIST, "ol": _LIST},
    annotation_rules={rule: ["quote"] for rule in _QUOTES},
)

_CHARSET = re.compile(rb"<meta[^>]{0,200}charset=[\"' ]{0,2}([A-Za-z0-9._-]{1,40})", re.IGNORECASE)
_BLOCKQUOTE = re.compile(r"<blockquote\b([^<>]*)>", re.IGNORECASE)
_INDENT = re.compile(r"border:\s*none", re.IGNORECASE)
_CITED = re.compile(r"\b(type|class|cite)\s*=", re.IGNORECASE)


def declared_charset(data: bytes) -> str:
    """Charset that an HTML document names itself, empty if none."""
    found = _CHARSET.search(data, 0, 2048)
    return found[1].decode() if found else ""


def html_text(source: str) -> str:
    """Text of HTML as a reader sees it; each line that somebody else wrote begins with `>`.

    What is nested 256 deep is left out: so the parser behind inscriptis stays linear.
    """
    found = get_annotated_text(_BLOCKQUOTE.sub(_own_indent, tidy(source)), _CONFIG)
    quotes = [(start, end) for start, end, _ in found.get("label", ())]
    return tidy("\n".join(_marked(found.get("text", ""), quotes)))


def _own_indent(tag: re.Match[str]) -> str:
    """Gmail's "indent more" makes a blockquote of the writer's own text."""
    own = _INDENT.search(tag[1]) and not _CITED.search(tag[1])
    return "<div>" if own else tag[0]


def _marked(text: str, quotes: list[tuple[int, int]]) -> Iterator[str]:
    """Lines, those in which a quote has a share with a mark; quotes may nest."""
    spans, at, span = sorted(quotes), 0, 0
    for line in text.split("\n"):
        end = at + len(line)
        while span < len(spans) and spans[span][1] <= at:
            span += 1
        quoted = span < len(spans) and spans[span][0] < end
        yield "> " + line if quoted else line
        at = end + 1
