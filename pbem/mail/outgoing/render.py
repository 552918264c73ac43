"""From a template and its data to the text of a mail, and from the text to its HTML alternative."""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from jinja2 import BaseLoader, Environment, FileSystemLoader, StrictUndefined, TemplateNotFound

from pbem.games.diagram import WIDTH
from pbem.mail.columns import columns
from pbem.mail.harmless import harmless
from pbem.mail.outgoing.phrases import read_phrases
from pbem.resources import folder

Source = tuple[str, str | None, Callable[[], bool] | None]
"""A file as jinja loads it: text, path, and whether it is still the same."""


DEFAULT = "en"
"""The language in which there is a template of everything."""


class Renderer:
    """The templates of a language, `templates/mail/en`; what has none there is said in English."""

    def __init__(self, loader: BaseLoader, language: str = DEFAULT) -> None:
        self.language = language
        self._loader = loader
        self._others: dict[str, Renderer] = {}
        folders = _Folders(loader, tuple(dict.fromkeys((language, DEFAULT))))
        # Plain text needs no escaping; `to_html` escapes the finished text as a whole.
        self._environment = Environment(  # noqa: S701
            loader=folders,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,  # else each use asks the disk whether the file has changed
        )
        self.phrases = read_phrases(folders.texts(self._environment, "phrases.toml"))
        self._environment.filters["items"] = self.phrases.items
        self._environment.globals["phrases"] = self.phrases

    def into(self, language: str) -> Renderer:
        """The same of another language."""
        if language == self.language:
            return self
        if language not in self._others:
            self._others[language] = Renderer(self._loader, language)
        return self._others[language]

    def text(self, name: str, data: Mapping[str, Any], last_line: str = "") -> str:
        """Text of a mail, at most 72 columns, no trailing blanks."""
        text = self._environment.get_template(f"{name}.txt.j2").render(data)
        return tidy(f"{text}\n\n{last_line}" if last_line else text)

    def said(self, event: object, data: Mapping[str, Any]) -> str:
        """The sentence of an event, from the template of its name; empty if it has none."""
        name = f"events/{snake_case(type(event).__name__)}.txt.j2"
        try:
            template = self._environment.get_template(name)
        except TemplateNotFound:  # every mail shows it in its own way
            return ""
        return template.render({"event": event, **data}).strip()


class _Folders(BaseLoader):
    """Files of some folders, each from the first one that has it."""

    def __init__(self, root: BaseLoader, folders: Sequence[str]) -> None:
        self._root = root
        self._folders = folders

    def get_source(self, environment: Environment, template: str) -> Source:
        """A file, as jinja asks for it."""
        for source in self._sources(environment, template):
            return source
        raise TemplateNotFound(template)

    def texts(self, environment: Environment, name: str) -> list[str]:
        """Texts of all files of that name, that of the first folder first."""
        return [text for text, *_ in self._sources(environment, name)]

    def _sources(self, environment: Environment, name: str) -> Iterator[Source]:
        for each in self._folders:
            with suppress(TemplateNotFound):
                yield self._root.get_source(environment, f"{each}/{name}")


def snake_case(name: str) -> str:
    """`draw_accepted`, from `DrawAccepted`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


@cache
def of_the_club() -> Renderer:
    """The templates that pbem comes with, in English."""
    return Renderer(FileSystemLoader(folder("templates") / "mail"))


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
