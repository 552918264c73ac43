"""The HTML that email clients show: our own list of what an email may contain.

It follows the data of caniemail.com of June 2026, and gives the feature names used there. Optional
features are marked: without them the email must still be right.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from xml.etree.ElementTree import Element

import html5lib

from pbem.mail.outgoing.letter import PICTURE_WIDTH
from pbem.mail.outgoing.render import WrittenMail
from pbem.painters.svg import png

ELEMENTS: Mapping[str, str] = {
    "html": "html-lang: Yahoo drops it, so the first div says it as well",
    "head": "dropped by some",
    "meta": "html-meta-color-scheme: Apple's programs; nice to have",
    "title": "dropped by some",
    "style": "html-style: Gmail may drop it; nice to have, for dark mode alone",
    "body": "html-body: a div in some",
    **dict.fromkeys(("div", "p", "span", "br", "b", "strong", "em"), "html-div, html-p, html-span"),
    **dict.fromkeys(("h1", "h2", "h3"), "html-h1-h6"),
    **dict.fromkeys(("ul", "ol", "li", "dl", "dt", "dd"), "html-lists: HTML whole, CSS in part"),
    **dict.fromkeys(("pre", "code"), "html-pre, html-code"),
    "blockquote": "html-blockquote",
    **dict.fromkeys(("table", "colgroup", "col", "thead", "tbody", "tr", "td", "th"), "html-table"),
    "a": "html-mailto-links",
    "img": "html-img; image-png",
}
ATTRIBUTES: Mapping[str, str] = {
    "style": "inline style: everywhere",
    "class": "nice to have, as `style` is",
    "lang": "html-lang",
    **dict.fromkeys(("charset", "name", "content"), "of meta"),
    "href": "html-mailto-links",
    **dict.fromkeys(("src", "alt", "width", "height"), "html-img, html-width, html-height"),
    **dict.fromkeys(("cellpadding", "cellspacing"), "html-cellpadding, html-cellspacing"),
    **dict.fromkeys(("border", "bgcolor", "colspan", "span"), "old HTML, shown everywhere"),
    **dict.fromkeys(("role", "aria-label"), "html-role, html-aria-label"),
    "tabindex": "nice to have, for what a keyboard scrolls",
}
PROPERTIES: Mapping[str, str] = {
    **dict.fromkeys(
        ("margin", "padding"), "css-margin, css-padding: Outlook on Windows not on span and a"
    ),
    "width": "css-width",
    "max-width": "css-max-width: Outlook on Windows only for tables; the letter is wider there",
    "height": "css-height: Yahoo makes it a least height",
    **dict.fromkeys(("font", "font-family", "font-size", "font-weight"), "css-font"),
    "line-height": "css-line-height",
    **dict.fromkeys(("color", "background-color", "background"), "css-background-color"),
    **dict.fromkeys(
        ("border", "border-top", "border-left", "border-bottom"),
        "css-border: not on all in Outlook",
    ),
    "border-radius": "css-border-radius: square in Outlook on Windows",
    "border-collapse": "css-border-collapse",
    "display": "css-display: `block` and `inline-block`; in Outlook on Windows a pill is a link",
    "overflow-x": "css-overflow: in part; only what a reader chose to have in columns is wider",
    "table-layout": "css-table-layout: Outlook on Windows makes columns by their content",
    "text-align": "css-text-align",
    "text-decoration": "css-text-decoration",
    "vertical-align": "css-vertical-align",
    "white-space": "css-white-space: Outlook on Windows may break a line",
}
"""Other features are known to fail: css-display-flex, css-display-grid, css-position, css-float.

Also css-background-image, css-variables, html-svg, html-link, html-form, image-base64 and
image-svg.
"""
VALUES: Mapping[str, frozenset[str]] = {"display": frozenset({"block", "inline-block"})}
MOST_BYTES = 60_000
"""Gmail clips at 102 kB, including what it adds."""
_FOREIGN = re.compile(r"url\(|@import|expression\(|var\(|calc\(|javascript:|data:", re.IGNORECASE)


def assert_shown(html: str) -> None:
    """Check that an email is valid, loads nothing, and uses only what clients show."""
    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(html)
    assert list(_faults(tree)) == []
    assert len(html.encode()) < MOST_BYTES


def _faults(tree: Element) -> Iterator[str]:
    for element in tree.iter():
        tag = str(element.tag)
        if tag not in ELEMENTS:
            yield f"<{tag}>"
        for name, value in element.attrib.items():
            if name not in ATTRIBUTES or _FOREIGN.search(value):
                yield f"{name}={value}"
        yield from _of_style(element.get("style", ""))
        if not element.get("href", "mailto:").startswith("mailto:"):
            yield f"a link to {element.get('href')}"
        if not element.get("src", "cid:").startswith("cid:"):
            yield f"a picture from {element.get('src')}"
        if element.get("src") and not element.get("alt"):
            yield "a picture without words"


def _of_style(style: str) -> Iterator[str]:
    for rule in filter(None, style.split(";")):
        name, _, value = (part.strip() for part in rule.partition(":"))
        if name not in PROPERTIES or value not in VALUES.get(name, {value}):
            yield rule


def with_picture(written: WrittenMail) -> str:
    """Return the HTML of an email with its picture inside, as a client shows it."""
    if not written.picture:
        return written.html
    data = base64.b64encode(png(written.picture, PICTURE_WIDTH)).decode()
    return re.sub(r"cid:\w+@board\.pbem", f"data:image/png;base64,{data}", written.html)
