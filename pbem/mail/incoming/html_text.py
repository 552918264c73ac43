"""HTML of a mail as plain text, quotes marked by `>` as in a plain one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from inscriptis import get_text
from inscriptis.css_profiles import STRICT_CSS_PROFILE
from inscriptis.html_properties import Display, WhiteSpace
from inscriptis.model.config import ParserConfig
from inscriptis.model.html_document_state import HtmlDocumentState
from inscriptis.model.html_element import HtmlElement
from inscriptis.model.tag import CustomHtmlTagHandlerMapping

from pbem.mail.incoming.charsets import tidy

_QUOTES = frozenset(
    {
        ("class", "yahoo_quoted"),
        ("class", "protonmail_quote"),
        ("class", "moz-cite-prefix"),
        ("name", "quote"),  # GMX, WEB.DE
        ("id", "mail-editor-reference-message-container"),  # Outlook on phones
    }
)
"""What clients write on the div around the mail that is answered."""

_OPENS, _CLOSES = "\ue000", "\ue001"
"""Private-use characters that stand for the ends of a quote while HTML becomes text."""

_ENDS = re.compile(f"([{_OPENS}{_CLOSES}])")
_CHARSET = re.compile(rb"<meta[^>]{0,200}charset=[\"' ]{0,2}([A-Za-z0-9._-]{1,40})", re.IGNORECASE)


def declared_charset(data: bytes) -> str:
    """Charset that an HTML document names itself, empty if none."""
    found = _CHARSET.search(data, 0, 2048)
    return found[1].decode() if found else ""


def html_text(source: str) -> str:
    """Text of HTML as a reader sees it; each line that somebody else wrote begins with `>`.

    What is nested 256 deep is left out: so the parser behind inscriptis stays linear.
    """
    return tidy("\n".join(_marked(get_text(_ENDS.sub("", tidy(source)), _CONFIG))))


def _is_quote(tag: str, attributes: Mapping[str, str]) -> bool:
    if tag == "blockquote":
        return not _indents_only(attributes)
    named = ((key, attributes.get(key, "")) for key in ("class", "name", "id"))
    return any((key, word) in _QUOTES for key, value in named for word in value.split())


def _indents_only(attributes: Mapping[str, str]) -> bool:
    """Whether it is what Gmail's "indent more" makes of the writer's own text."""
    style = attributes.get("style", "").replace(" ", "").lower()
    return "border:none" in style and not {"type", "cite", "class"} & set(attributes)


def _open(state: HtmlDocumentState, attributes: Mapping[str, str]) -> None:
    element = state.tags[-1]
    if _is_quote(element.tag, attributes):
        element.write(_OPENS)
        element.annotation = (_OPENS,)  # told to _close, which sees no attributes


def _close(state: HtmlDocumentState) -> None:
    if state.tags[-1].annotation:
        state.tags[-1].write(_CLOSES)


def _nothing(state: HtmlDocumentState, *_: object) -> None:
    """In place of a handler of inscriptis."""


def _style(value: str, element: HtmlElement) -> None:
    """What matters of a style: whether it is seen, and whether its line ends count."""
    for rule in value.lower().split(";"):
        key, _, setting = (part.strip() for part in rule.partition("!")[0].partition(":"))
        if key == "display" and setting == "none":
            element.display = Display.none
        elif key == "white-space" and setting in ("pre", "pre-wrap"):
            element.whitespace = WhiteSpace.pre


def _config() -> ParserConfig:
    """Everything is a line of its own or part of one: no columns, no margins, no indentation.

    They carry nothing here, would hide the `>` of plain text inside, and a mail of a few bytes
    could ask for gigabytes of blanks.
    """
    block = HtmlElement(display=Display.block)
    tables = ("table", "tr", "td", "th")
    config = ParserConfig(
        css={**STRICT_CSS_PROFILE, **dict.fromkeys(("ul", "ol", *tables), block)},
        custom_html_tag_handler_mapping=CustomHtmlTagHandlerMapping(
            start_tag_mapping={
                **dict.fromkeys(tables, _nothing),
                **dict.fromkeys(_MAY_QUOTE, _open),
            },
            end_tag_mapping={
                **dict.fromkeys(tables, _nothing),
                **dict.fromkeys(_MAY_QUOTE, _close),
            },
        ),
    )
    config.attribute_handler.attribute_mapping = {"style": _style}
    return config


_MAY_QUOTE = ("blockquote", "div")
_CONFIG = _config()


def _marked(text: str) -> Iterator[str]:
    """Lines; one gets a mark if anything in it stands inside a quote."""
    depth = 0
    for line in text.split("\n"):
        quoted = False
        pieces = _ENDS.split(line)
        for piece in pieces:
            depth = max(0, depth + (piece == _OPENS) - (piece == _CLOSES))
            quoted = quoted or (depth > 0 and piece not in ("", _OPENS) and not piece.isspace())
        bare = "".join(piece for piece in pieces if piece not in (_OPENS, _CLOSES)).rstrip()
        if bare or len(pieces) == 1:
            yield "> " + bare if quoted else bare
