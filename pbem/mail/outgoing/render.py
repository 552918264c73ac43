"""From a template and its data to what a mail says."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

from jinja2 import BaseLoader, Environment, FileSystemLoader, StrictUndefined, TemplateNotFound
from jinja2.environment import TemplateModule

from pbem.games.diagram import WIDTH
from pbem.games.phrases import DEFAULT, Phrase, Source as PhraseSource, Words, stored
from pbem.mail.columns import columns
from pbem.mail.harmless import harmless
from pbem.mail.outgoing.kinds import ClubName, Mail, Section
from pbem.mail.outgoing.look import Look
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.phrases import read_phrases
from pbem.mail.snake_case import snake_case
from pbem.matches.event import Event
from pbem.resources import folder

Source = tuple[str, str | None, Callable[[], bool] | None]
"""A file as jinja loads it: text, path, and whether it is still the same."""


class Written(NamedTuple):
    """What a template says."""

    text: str
    """At most 72 columns, no trailing spaces."""
    subject: str = ""
    from_name: str = ""
    """What the mail wants; it stands before the name of the club in From."""
    html: str = ""
    """The same as a letter in HTML."""
    picture: str = ""
    """SVG of the board, where the HTML shows it as a picture."""


class Renderer:
    """The templates of a language, `templates/mail/en`; what has none there is said in English."""

    def __init__(
        self, loader: BaseLoader, language: str = DEFAULT, source: PhraseSource = stored
    ) -> None:
        self.words = Words(language, source)
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
            finalize=self._finalized,
        )
        self.phrases = read_phrases(folders.texts(self._environment, "phrases.toml"))
        self._environment.filters |= {
            "hanging": hanging,
            "indented": indented,
            "items": self.phrases.items,
            "said": self._said,
            "section": self._section,
        }
        self._environment.globals["phrases"] = self.phrases

    def into(self, language: str) -> Renderer:
        """The same of another language."""
        if language == self.words.language:
            return self
        if language not in self._others:
            self._others[language] = Renderer(self._loader, language, self.words.source)
        return self._others[language]

    def written(self, mail: Mail, club: ClubName, reader: str, look: Look = Look()) -> Written:
        """A mail in words, to the reader of a name."""
        template = self._environment.get_template(f"{mail.kind}.txt.j2")
        view = mail.about
        said = template.make_module({"club": club, "name": reader, "view": view, **mail.data})
        text = f"{said}\n\n{view.history_line}" if view and view.history_line else str(said)
        return Written(tidy(text), _of_header(said, "subject"), _of_header(said, "from_name"))

    def part(self, names: Sequence[str], data: Mapping[str, Any]) -> str:
        """Text of the first template of these that there is; for what is no mail."""
        return self._environment.select_template(list(names)).render(data).strip("\n")

    def _finalized(self, said: object) -> object:
        """What a template says of a value: a phrase of a game in words, all else as it is."""
        return self.words.text(said) if isinstance(said, Phrase) else said

    def _section(self, section: Section, view: MatchView | None, club: ClubName) -> str:
        template = self._environment.get_template(f"{section.name}.txt.j2")
        return tidy(template.render({"view": view, "club": club, **section.data}))

    def _said(self, events: Iterable[Event], view: MatchView) -> list[str]:
        """Sentences of events: moves, offers and the end have their own places in a mail."""
        sentences = (self._sentence(event, view) for event in events)
        return [sentence for sentence in sentences if sentence]

    def _sentence(self, event: Event, view: MatchView) -> str:
        try:
            name = f"events/{snake_case(type(event).__name__)}.txt.j2"
            template = self._environment.get_template(name)
        except TemplateNotFound:  # every mail shows it in its own way
            return ""
        return template.render(event=event, names=view.names, match=view.match).strip()


def _of_header(said: TemplateModule, name: str) -> str:
    return str(getattr(said, name, ""))


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


def indented(text: str, first: int, further: int) -> str:
    """Lines of a text, each indented, and folded where it is long."""
    return "\n".join(
        textwrap.fill(line, WIDTH, initial_indent=" " * first, subsequent_indent=" " * further)
        for line in text.splitlines()
    )


def hanging(text: str, indent: int = 2) -> str:
    """A text with its long lines folded, each by itself."""
    return "\n".join(
        textwrap.fill(line, WIDTH, subsequent_indent=" " * indent, break_on_hyphens=False)
        for line in text.split("\n")
    )


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
    """Text without trailing spaces and double empty lines, its long lines folded."""
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
