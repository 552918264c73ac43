"""From a template and its data to the text of a mail, and from the text to its HTML twin."""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from jinja2 import BaseLoader, Environment, FileSystemLoader, StrictUndefined, TemplateNotFound

from pbem.games.diagram import WIDTH
from pbem.mail.columns import columns
from pbem.mail.harmless import harmless
from pbem.resources import folder


class Renderer:
    """The templates of `templates/mail`."""

    def __init__(self, loader: BaseLoader) -> None:
        # Plain text needs no escaping; `to_html` escapes the finished text as a whole.
        self._environment = Environment(  # noqa: S701
            loader=loader,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,  # else each use asks the disk whether the file has changed
        )
        self._environment.filters["items"] = in_words
        self._environment.filters["hanging"] = hanging

    def text(self, name: str, data: Mapping[str, Any], last_line: str = "") -> str:
        """Text of a mail, at most 72 columns, no trailing blanks."""
        text = self._environment.get_template(f"{name}.txt.j2").render(data)
        return tidy(f"{text}\n\n{last_line}" if last_line else text)

    def part(self, names: Sequence[str], data: Mapping[str, Any]) -> str:
        """Text of the first template of these that there is; for what is no mail."""
        return self._environment.select_template(list(names)).render(data).strip("\n")

    def said(self, event: object, data: Mapping[str, Any]) -> str:
        """The sentence of an event, from the template of its name; empty if it has none."""
        name = f"events/{snake_case(type(event).__name__)}.txt.j2"
        try:
            template = self._environment.get_template(name)
        except TemplateNotFound:  # every mail shows it in its own way
            return ""
        return template.render({"event": event, **data}).strip()


def snake_case(name: str) -> str:
    """`draw_accepted`, from `DrawAccepted`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


@cache
def of_the_club() -> Renderer:
    """The templates that pbem comes with."""
    return Renderer(FileSystemLoader(folder("templates") / "mail"))


def hanging(text: str, indent: int = 2) -> str:
    """A text with its long lines folded, each by itself."""
    return "\n".join(
        textwrap.fill(line, WIDTH, subsequent_indent=" " * indent, break_on_hyphens=False)
        for line in text.split("\n")
    )


def in_words(items: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *first, last = items or [""]
    return f"{', '.join(first)} and {last}" if first else last


OF_OTHERS = 56
"""Columns for what somebody wrote: no client breaks such a line when it is quoted, so that what
stands in it can never be taken for what the quoting player wrote."""
_MARK = "| "
_MOST_INDENTED = 20
_BEFORE_BLANKS = re.compile(r"(?<=\S)(?=\s)")


def tidy(text: str) -> str:
    """Text without trailing blanks and double empty lines, its long lines folded."""
    lines = [folded for line in harmless(text).splitlines() for folded in _folded(line.rstrip())]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n") + "\n"


def _folded(line: str) -> list[str]:
    if line.startswith(_MARK):
        return list(_words_of_others(line.removeprefix(_MARK).expandtabs()))
    if len(line) <= WIDTH:
        return [line]
    return textwrap.wrap(
        line,
        WIDTH,
        subsequent_indent=line[: len(line) - len(line.lstrip())],
        break_on_hyphens=False,
        break_long_words=False,
        replace_whitespace=False,
    )


def _words_of_others(text: str) -> Iterator[str]:
    """Lines that each have the mark, so that none passes for the club's own words."""
    words = text.lstrip()
    line = " " * min(len(text) - len(words), _MOST_INDENTED)
    for word in _BEFORE_BLANKS.split(words):
        if line.strip() and columns(_MARK + line + word) > OF_OTHERS:
            yield _MARK + line
            line = word.lstrip()
        else:
            line += word
    yield (_MARK + line).rstrip()


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
