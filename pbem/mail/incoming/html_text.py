"""HTML of a mail as plain text, quotes marked by `>` as in a plain one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inscriptis import get_text
from inscriptis.css_profiles import STRICT_CSS_PROFILE
from inscriptis.html_properties import Display
from inscriptis.model.config import ParserConfig
from inscriptis.model.html_element import HtmlElement
from selectolax.lexbor import LexborHTMLParser, LexborNode

from pbem.mail.incoming.charsets import tidy

_QUOTES = ", ".join(
    (
        "blockquote",
        "div.yahoo_quoted",
        "div.protonmail_quote",
        "div.moz-cite-prefix",
        "div[name=quote]",  # GMX, WEB.DE
        "div#mail-editor-reference-message-container",  # Outlook on phones
    )
)
_UNSEEN = "head, script, style, title, template, noscript"
_HISTORY = "blockquote blockquote blockquote"
"""Quotes of quotes of quotes; libxml2 gives up on what is nested 256 deep."""

_OPENS, _CLOSES = "\ue000", "\ue001"
"""Private-use characters that stand for the ends of a quote while HTML becomes text."""

# Indentation would make bullets of lists and quotes look alike, and carries nothing.
_LIST = HtmlElement(display=Display.block)
_PLAIN = ParserConfig(css={**STRICT_CSS_PROFILE, "ul": _LIST, "ol": _LIST})

_CHARSET = re.compile(rb"<meta[^>]{0,200}charset=[\"' ]{0,2}([A-Za-z0-9._-]{1,40})", re.IGNORECASE)


def declared_charset(data: bytes) -> str:
    """Charset that an HTML document names itself, empty if none."""
    found = _CHARSET.search(data, 0, 2048)
    return found[1].decode() if found else ""


def html_text(html: str) -> str:
    """Text of HTML as a reader sees it; each line that somebody else wrote begins with `>`."""
    tree = LexborHTMLParser(html)
    for node in tree.css(_UNSEEN) + tree.css(_HISTORY):
        node.decompose()
    for node in tree.css(_QUOTES):
        if not _indents_only(node):
            _enclose(node)
    return "\n".join(_marked(_converted(tree)))


def _indents_only(node: LexborNode) -> bool:
    """Whether it is what Gmail's "indent more" makes of the writer's own text."""
    style = (node.attributes.get("style") or "").replace(" ", "").lower()
    quoted = node.attributes.get("type") or node.attributes.get("class")
    return node.tag == "blockquote" and "border:none" in style and not quoted


def _enclose(node: LexborNode) -> None:
    if node.first_child:
        node.first_child.insert_before(_OPENS)
    node.insert_child(_CLOSES)


def _converted(tree: LexborHTMLParser) -> str:
    """Text by inscriptis; bare text where the nesting was too deep for it."""
    plain = (tree.root.text(separator="\n") if tree.root else "").strip()
    text = get_text(tree.html or "", _PLAIN) if plain else ""
    return tidy(text if _weight(text) * 2 > _weight(plain) else plain)


def _weight(text: str) -> int:
    return len(text) - sum(map(text.count, " \n\t\xa0"))


def _marked(text: str) -> Iterator[str]:
    depth = 0
    for line in text.split("\n"):
        opens, closes = line.count(_OPENS), line.count(_CLOSES)
        bare = line.replace(_OPENS, "").replace(_CLOSES, "") if opens or closes else line
        if bare.strip() or not (opens or closes):
            yield ("> " if depth or opens else "") + bare.rstrip()
        depth = max(0, depth + opens - closes)
