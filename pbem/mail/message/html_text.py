"""HTML of a mail as plain text, quotes marked by `>` as in a plain one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from inscriptis.css_profiles import STRICT_CSS_PROFILE
from inscriptis.html_engine import Inscriptis
from inscriptis.html_properties import Display, WhiteSpace
from inscriptis.model.config import ParserConfig
from inscriptis.model.html_document_state import HtmlDocumentState
from inscriptis.model.html_element import HtmlElement
from inscriptis.model.tag import CustomHtmlTagHandlerMapping
from lxml import etree
from lxml.html import HtmlElement as Element, HTMLParser, document_fromstring

from pbem.mail.message.charsets import tidy

_QUOTES = frozenset(
    {
        "yahoo_quoted",
        "protonmail_quote",
        "moz-cite-prefix",
        "mail-editor-reference-message-container",  # Outlook on phones
    }
)
"""Classes and ids that clients write on the div around the mail that is answered."""

_OPENS, _CLOSES = "\ue000", "\ue001"
_ADDED, _ENDS_ADDED = "\ue002", "\ue003"
_NOTED, _ENDS_NOTED = "\ue004", "\ue005"
"""Private-use characters that stand, while HTML becomes text, for the ends of a quote, of what a
client added by itself (signatures and small print), and of a note inside a letter of ours."""

_ENDS = re.compile(f"([{_OPENS}-{_ENDS_NOTED}])")
_BAR = re.compile(
    r"border-left:(?![^;]{0,40}\b(?:none|hidden|0(?:px|pt|em)?)\b)[^;]{0,40}\bsolid\b"
)
"""The line that Outlook and others draw on the left of what is quoted."""
_NOTE = re.compile(r"border-left:\s{0,3}3px solid")
"""The one that the club's letters draw beside what another player wrote."""
_SMALL = re.compile(r"font-size:\s*(?:[1-8](?:\.\d{1,4})?pt|(?:\d|10)(?:\.\d{1,4})?px)")
"""Nobody writes to others in letters as small as that; no more than 8 points, or 10 pixels."""
_CHARSET = re.compile(rb"<meta[^>]{0,200}charset=[\"' ]{0,2}([A-Za-z0-9._-]{1,40})", re.IGNORECASE)


def declared_charset(data: bytes) -> str:
    """Charset that an HTML document names itself, empty if none."""
    found = _CHARSET.search(data, 0, 2048)
    return found[1].decode() if found else ""


def html_text(source: str, mark: str = "> ") -> str:
    """Text of HTML as a reader sees it; a line that the person did not write begins with `>`.

    What is nested 256 deep is left out: so the parser stays linear.
    """
    tree = _tree(source)
    return "" if tree is None else "\n".join(_marked(Inscriptis(tree, _CONFIG).get_text(), mark))


def _tree(source: str) -> Element | None:
    """Elements of HTML and their text, decoded once; None if it has none.

    Whatever is not text, a line end included, has its last chance here: an opponent's note may
    hold anything, and once the lines are marked nothing may become a line or the end of a quote.
    """
    try:
        tree = document_fromstring(tidy(source).encode(), parser=HTMLParser(encoding="utf-8"))
    except etree.ParserError:
        return None
    etree.strip_tags(tree, etree.Comment, etree.ProcessingInstruction, etree.Entity)
    etree.strip_attributes(tree, "value")  # of which inscriptis makes a number, if it can
    for element in tree.iter("*"):
        if element.text:
            element.text = _as_it_is(element.text)
        if element.tail:
            element.tail = _as_it_is(element.tail)
    return tree


def _as_it_is(text: str) -> str:
    """Text for inscriptis, which decodes all that it is given, and so a second time."""
    return _ENDS.sub("", tidy(text)).replace("&", "&amp;")


def _is_quote(tag: str, attributes: Mapping[str, str]) -> bool:
    if tag == "blockquote":
        return not _indents_only(attributes)
    if _BAR.search(attributes.get("style", "").lower()):
        return True
    # GMX and WEB.DE; Yahoo puts "ydp" and a number before names.
    return attributes.get("name") == "quote" or any(
        word in _QUOTES or "yahoo_quoted" in word
        for key in ("class", "id")
        for word in attributes.get(key, "").split()
    )


def _is_note(attributes: Mapping[str, str]) -> bool:
    """Whether it is what another player wrote, in a letter of ours that is quoted.

    Its lines get the bar that they have in the letter's text, since by a mark of a client the lines
    below, which have none, would be told to be new.
    """
    if {"type", "cite", "class", "id"} & set(attributes):
        return False
    return _NOTE.search(attributes.get("style", "").lower()) is not None


def _is_added(attributes: Mapping[str, str]) -> bool:
    """Whether a client put it there by itself: it says that it is a signature, or is small print.

    `_MailAutoSig` is the bookmark that Word sets on a signature, here or in a style.
    """
    names = " ".join(attributes.get(key, "") for key in ("class", "id", "name", "data-smartmail"))
    style = attributes.get("style", "").lower()
    signature = "signature" in names.lower() or "_MailAutoSig" in names
    return signature or "_mailautosig" in style or _SMALL.search(style) is not None


def _indents_only(attributes: Mapping[str, str]) -> bool:
    """Whether it is what Gmail's "indent more" makes of the writer's own text."""
    style = attributes.get("style", "").replace(" ", "").lower()
    return "border:none" in style and not {"type", "cite", "class"} & set(attributes)


def _open(state: HtmlDocumentState, attributes: Mapping[str, str]) -> None:
    parent, element = state.tags[-2:]
    if parent.whitespace is WhiteSpace.pre:  # inherited; inscriptis leaves it to the tag
        element.whitespace = WhiteSpace.pre
    if element.tag == "blockquote" and _is_note(attributes):
        element.write(_NOTED)
        element.annotation = (_ENDS_NOTED,)
    elif element.tag in _MAY_QUOTE and _is_quote(element.tag, attributes):
        element.write(_OPENS)
        element.annotation = (_CLOSES,)  # told to _close, which sees no attributes
    elif _is_added(attributes):
        element.write(_ADDED)
        element.annotation = (_ENDS_ADDED,)
    else:
        # inscriptis hands annotations down; an end is written once.
        element.annotation = ()


def _close(state: HtmlDocumentState) -> None:
    for end in state.tags[-1].annotation:
        state.tags[-1].write(end)


def _nothing(state: HtmlDocumentState, *_: object) -> None:
    """In place of a handler of inscriptis."""


def _style(value: str, element: HtmlElement) -> None:
    """What matters of a style: whether it is seen, and whether its line ends count."""
    for rule in value.lower().split(";"):
        key, _, setting = (part.strip() for part in rule.partition("!")[0].partition(":"))
        if key == "display" and setting == "none":
            element.display = Display.none
        elif key == "white-space" and setting in _KEEPS_LINES:
            element.whitespace = WhiteSpace.pre


def _config() -> ParserConfig:
    """Everything is a line of its own or part of one: no columns, no margins, no indentation.

    They carry nothing here, would hide the `>` of plain text inside, and a mail of a few bytes
    could ask for gigabytes of spaces.
    """
    block = HtmlElement(display=Display.block)
    config = ParserConfig(
        css={**STRICT_CSS_PROFILE, **dict.fromkeys(("ul", "ol", "hr", *_TABLES), block)},
        custom_html_tag_handler_mapping=CustomHtmlTagHandlerMapping(
            start_tag_mapping={
                **dict.fromkeys((*_MAY_QUOTE, *_MAY_BE_ADDED, *_IN_PRE), _open),
                **dict.fromkeys(_TABLES, _nothing),
            },
            end_tag_mapping={
                **dict.fromkeys((*_MAY_QUOTE, *_MAY_BE_ADDED, *_IN_PRE), _close),
                **dict.fromkeys(_TABLES, _nothing),
            },
        ),
    )
    config.attribute_handler.attribute_mapping = {"style": _style}
    return config


_KEEPS_LINES = ("pre", "pre-wrap", "pre-line", "break-spaces")
_TABLES = ("table", "tr", "td", "th")
_MAY_QUOTE = ("blockquote", "div")
_MAY_BE_ADDED = ("p", "span", "font", "pre", "a", "section", "footer")
_IN_PRE = ("b", "i", "u", "em", "strong", "code", "tt", "s", "small", "big", "o:p")
_CONFIG = _config()


def _marked(text: str, mark: str) -> Iterator[str]:
    """Lines; one gets a mark if anything in it stands inside a quote, or was added below a text.

    And a bar, if anything in it stands inside a note.
    """
    depth = _Depth()
    for line in text.split("\n"):
        pieces = _ENDS.split(line)
        said = [depth.place_of(piece) for piece in pieces]
        marked, noted = (any(each) for each in zip(*said, strict=True))
        bare = "".join(piece for piece in pieces if not _ENDS.match(piece)).rstrip()
        depth.written = depth.written or bool(bare.strip() and not marked and not noted)
        if bare or len(pieces) == 1:
            yield mark * marked + "| " * noted + bare


@dataclass
class _Depth:
    """How many quotes, additions and notes are open."""

    quotes: int = 0
    added: int = 0
    notes: int = 0
    written: bool = False
    """Whether the person has written anything yet: nothing is added above that."""

    def place_of(self, piece: str) -> tuple[bool, bool]:
        """Whether a piece of text is not the person's, and stands in a note; counts ends, too."""
        self.quotes = max(0, self.quotes + (piece == _OPENS) - (piece == _CLOSES))
        self.notes = max(0, self.notes + (piece == _NOTED) - (piece == _ENDS_NOTED))
        if self.written or self.added:
            self.added = max(0, self.added + (piece == _ADDED) - (piece == _ENDS_ADDED))
        said = bool(piece.strip()) and not _ENDS.match(piece)
        return said and self.quotes + self.added > 0, said and self.notes > 0
