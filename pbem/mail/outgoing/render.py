"""Render: turn a template and its data into an email, or into a part of a page."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property
from string import Template
from traceback import walk_tb
from typing import Any, NamedTuple

from jinja2 import (
    BaseLoader,
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateNotFound,
    pass_context,
)
from jinja2.debug import rewrite_traceback_stack
from jinja2.environment import TemplateModule
from jinja2.runtime import Context

from pbem.games.phrases import DEFAULT, Phrase, PhraseError, Source as PhraseSource, Words, stored
from pbem.mail.outgoing.competition_view import CompetitionView
from pbem.mail.outgoing.filters import FILTERS, tidy
from pbem.mail.outgoing.kinds import AnsweredBlock, ClubName, DigestPart, Mail, Section
from pbem.mail.outgoing.kinds.mail import snake_case
from pbem.mail.outgoing.kinds.refusals import Refusal
from pbem.mail.outgoing.look import USUAL, Look, Taps, tap
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.offer_view import GameView, OfferView
from pbem.mail.outgoing.shown_match import ShownMatch
from pbem.mail.outgoing.taps import taps
from pbem.mail.outgoing.typeset import board
from pbem.mail.outgoing.typeset.page import (
    RULE,
    Figure,
    FigureEnvironment,
    Page,
    Said,
    collecting,
    in_text,
    placed,
    small,
    without_places,
)
from pbem.matches.competition import Competition
from pbem.matches.event import Event
from pbem.matches.match import MatchSummary
from pbem.resources import folder

Source = tuple[str, str | None, Callable[[], bool] | None]
"""A file as Jinja loads it: text, path, and a check whether it is unchanged."""


PHRASES = "phrases.toml"


class RenderFailure(NamedTuple):
    """Why an email could not be rendered in a language."""

    template: str
    """The faulty file with its language folder: `en/turn.txt.j2`."""
    error: BaseException


class WrittenMail(NamedTuple):
    """A rendered template."""

    text: str
    """At most 72 columns wide, without trailing spaces."""
    subject: str = ""
    """Subject of an email that is about no match or offer."""
    own_subject: str = ""
    """Subject that replaces even that of a match or an offer."""
    from_name: str = ""
    """The email's purpose, put before the club's name in From."""
    html: str = ""
    """The HTML part."""
    picture: str = ""
    """SVG of the board, if the HTML shows it as a picture."""
    failures: tuple[RenderFailure, ...] = ()
    """Errors that prevented the reader's own language."""


class _WrongPhrases(PhraseError):
    """The `phrases.toml` of a language cannot be read."""


class Renderer:
    """The templates of a language. A missing one is taken from English, `templates/mail/en`."""

    def __init__(
        self, loader: BaseLoader, language: str = DEFAULT, source: PhraseSource = stored
    ) -> None:
        self.words = Words(language, source)
        self._loader = loader
        self._others: dict[str, Renderer] = {}
        self._folders = _Folders(loader, tuple(dict.fromkeys((language, DEFAULT))))
        # Read early: these are needed when everything else has failed.
        self._plain_text = Template(self._folders.readable("unwritten.txt"))
        self._plain_text_of_match = Template(self._folders.readable("unwritten_of_match.txt"))

    @cached_property
    def _environment(self) -> FigureEnvironment:
        # The text needs no escaping. The HTML part escapes everything it contains.
        environment = FigureEnvironment(
            loader=self._folders,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,  # otherwise each use checks the disk for changes
            cache_size=-1,  # no limit
            finalize=self._finalized,
        )
        environment.filters |= {
            **FILTERS,
            "items": self.phrases.items,
            "drawn": lambda part, competition: competition.drawn(part, self.words),
            "gallery": lambda games: board.games([each.title for each in games], self.words),
            "said": self.said,
            "section": self._section,
        }
        environment.globals |= {"phrases": self.phrases, "rule": _rule, "kind_of": self._kind_of}
        return environment

    def _kind_of(self, of: Competition) -> str:
        """Return what the kind of a competition is called."""
        return self.phrases.competitions.get(of.kind) or self.words.text(of.called or of.kind)

    @cached_property
    def phrases(self) -> MailPhrases:
        """Phrases that emails use besides the templates. Raises PhraseError if a file is wrong."""
        try:
            return read_phrases(self._folders.texts(PHRASES))
        except (ValueError, TypeError) as error:
            raise _WrongPhrases(f"{PHRASES} is not right: {error}") from error

    def into(self, language: str) -> Renderer:
        """Return the renderer of another language."""
        if language == self.words.language:
            return self
        if language not in self._others:
            self._others[language] = Renderer(self._loader, language, self.words.source)
        return self._others[language]

    def written(self, mail: Mail, club: ClubName, reader: str, look: Look = USUAL) -> WrittenMail:
        """Render an email to a reader with a name. Never raises.

        If this language fails, the whole email is in English, or else in a few plain words. The
        result contains the errors.
        """
        failures: list[RenderFailure] = []
        for each in dict.fromkeys((self, self.into(DEFAULT))):
            try:
                said = mail if each is self else _in_words(mail, each.words)
                return each._whole(said, club, reader, look)._replace(failures=tuple(failures))
            except Exception:  # noqa: BLE001 a faulty text must not undo anything
                error = rewrite_traceback_stack()  # with lines of the templates
                failures.append(RenderFailure(each._fault(error, mail), error))
        return self._plain(mail, club)._replace(failures=tuple(failures))

    def _whole(self, mail: Mail, club: ClubName, reader: str, look: Look) -> WrittenMail:
        view = mail.about
        template = self._environment.get_template(f"{mail.kind}.txt.j2")
        with collecting() as figures:
            people = {"club": club, "name": reader or self.phrases.stranger, "stranger": not reader}
            said = template.make_module({**people, "view": view, **mail.data})
            history = view.history_line if view else ""
            body = f"{said}{self._answers_left(look)}"
            whole = f"{body}\n\n{_foot(history, self.phrases.keep)}" if history else body
            text = tidy(in_text(whole))
            headers = (_of_header(said, name) for name in ("subject", "own_subject", "from_name"))
            subject, own_subject, from_name = headers
        page = Page(figures, look.board, _taps(mail, look, figures, self.words), look.reply)
        html = page.whole(self.words.language, club.name, page.blocks(whole))
        shown = mail.board
        picture = shown.picture if shown and page.shows_picture else _picture(page)
        return WrittenMail(text, subject, own_subject, from_name, html, picture)

    def _plain(self, mail: Mail, club: ClubName) -> WrittenMail:
        """Describe the email briefly, without Jinja, so that a faulty template cannot break it."""
        kind, match = mail.kind.replace("_", " "), _match_of(mail)
        text = self._plain_text if match is None else self._plain_text_of_match
        said = text.safe_substitute({"kind": kind, "match": match})
        return WrittenMail(tidy(said), f"[{club.name}] {kind}")

    def _fault(self, error: BaseException, mail: Mail) -> str:
        """Return the innermost template in which an error occurred, or the phrases file."""
        if isinstance(error, _WrongPhrases):
            return f"{self.words.language}/{PHRASES}"
        files = (frame.f_code.co_filename for frame, _ in walk_tb(error.__traceback__))
        usual = f"{self.words.language}/{mail.kind}.txt.j2"
        return [usual, *(name for name in files if name.endswith(".j2"))][-1]

    def part(self, names: Sequence[str], data: Mapping[str, Any]) -> str:
        """Render the first of these templates that exists, for something other than an email."""
        return self._environment.select_template(list(names)).render(data).strip("\n")

    def _answers_left(self, look: Look) -> str:
        """Say how many answers are left today, if the look asks for it."""
        if look.answers_left is None:
            return ""
        template = self._environment.get_template("_answers_left.txt.j2")
        return "\n\n" + template.render(look.answers_left._asdict()).strip("\n")

    def _finalized(self, said: object) -> object:
        """Convert a template's value: a figure to its place, a game's phrase to words."""
        if isinstance(said, Figure):
            return placed(said)
        if isinstance(said, Phrase):
            said = self.words.text(said)
        return without_places(said) if isinstance(said, str) else said

    @pass_context
    def _section(
        self, context: Context, section: Section, view: MatchView | None, club: ClubName
    ) -> Said:
        template = self._environment.get_template(f"{section.name}.txt.j2")
        about = {"view": view, "club": club, "block_of": context.get("block_of")}
        return Said(template.render({**about, **section.data}).strip("\n"))

    def said(self, events: Iterable[Event], view: MatchView) -> list[str]:
        """Return sentences about events. Moves, offers and the end have their own places."""
        sentences = (self._sentence(event, view) for event in events)
        return [sentence for sentence in sentences if sentence]

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(self._environment.list_templates())

    def _sentence(self, event: Event, view: MatchView) -> str:
        name = f"events/{snake_case(type(event).__name__)}.txt.j2"
        if name not in self._names:  # every email shows it in its own way
            return ""
        template = self._environment.get_template(name)
        said = template.render(event=event, names=view.names, match=view.match, you=view.you.id)
        return Said(said.strip())


def _in_words(value: Any, words: Words) -> Any:
    """Return an email, or a part of its data, in another language."""
    if isinstance(value, (MatchView, OfferView, ShownMatch, GameView)):
        return replace(value, words=words)
    if isinstance(value, (Mail, Refusal, DigestPart, AnsweredBlock)):
        own = {each.name: getattr(value, each.name) for each in fields(value)}
        return replace(value, **{name: _in_words(each, words) for name, each in own.items()})
    if isinstance(value, Section):
        data = {name: _in_words(each, words) for name, each in value.data.items()}
        return value._replace(data=data)
    return type(value)(_in_words(each, words) for each in value) if type(value) in LISTS else value


LISTS = (tuple, list)


def _match_of(mail: Mail) -> int | None:
    """Return the number of the match an email is about, even if its reader does not play it."""
    if mail.about is not None:
        return mail.about.match.id
    match = getattr(mail, "match", None)
    return match.id if isinstance(match, MatchSummary) else getattr(mail, "match_id", None)


def _picture(page: Page) -> str:
    shown = (each.picture for each in page.figures if each.picture and page.board != "ascii")
    return next(shown, "")


def _of_header(said: TemplateModule, name: str) -> str:
    return in_text(str(getattr(said, name, "")))


def _rule() -> Said:
    """Return the line above the parts that readers seldom need."""
    return placed(Figure("* * *", lambda _: RULE))


def _foot(line: str, keep: str) -> Said:
    """Return the history line, and why to keep it. In HTML, it is in small print."""
    html = f"{keep} {line}"
    text = f"{keep}\n{line}"
    return placed(Figure(text, lambda page: f"{page.commands}\n{small(page.line(html))}".lstrip()))


def _taps(mail: Mail, look: Look, figures: Iterable[Figure], words: Words) -> Taps | None:
    reply = look.reply
    if reply is None:
        return None
    if mail.board is None or mail.replies:
        return Taps(commands=tuple(tap(words, reply, each) for each in mail.replies))
    on_board = look.board == "letters" and any(each.is_board for each in figures)
    return taps(mail.board, reply, on_board=on_board)


class _Folders(BaseLoader):
    """Loads each file from the first folder that has it."""

    def __init__(self, root: BaseLoader, folders: Sequence[str]) -> None:
        self._root = root
        self._folders = folders

    def get_source(self, environment: Environment, template: str) -> Source:
        """Return a file as Jinja expects it. Tracebacks show its folder and name."""
        for name, (text, _, uptodate) in self._sources(environment, template):
            return text, name, uptodate
        raise TemplateNotFound(template)

    def list_templates(self) -> list[str]:
        """Return the names of all files."""
        folders = tuple(f"{each}/" for each in self._folders)
        files = (name for name in self._root.list_templates() if name.startswith(folders))
        return sorted({name.partition("/")[2] for name in files})

    def texts(self, name: str) -> list[str]:
        """Return the texts of all files with a name, starting with the first folder."""
        return [text for _, (text, *_) in self._sources(Environment(), name)]  # noqa: S701

    def readable(self, name: str) -> str:
        """Return the first readable file with a name. Raises TemplateNotFound."""
        for each in self._folders:
            with suppress(TemplateNotFound, ValueError, OSError):
                return self._root.get_source(Environment(), f"{each}/{name}")[0]  # noqa: S701
        raise TemplateNotFound(name)

    def _sources(self, environment: Environment, name: str) -> Iterator[tuple[str, Source]]:
        for each in self._folders:
            path = f"{each}/{name}"
            with suppress(TemplateNotFound):
                yield path, self._root.get_source(environment, path)


@cache
def of_the_club() -> Renderer:
    """Return the renderer with pbem's own templates, in English."""
    return Renderer(FileSystemLoader(folder("templates") / "mail"))


def lines_of(part: str, data: Mapping[str, Any]) -> list[str]:
    """Return a part of emails as lines in English for the command line, without empty ones."""
    return [line for line in of_the_club().part([part], data).split("\n") if line]


def painted(renderer: Renderer, view: CompetitionView) -> str:
    """Return the standing of a competition as text."""
    return renderer.part(view.templates, {"competition": view})


def painted_file(renderer: Renderer, view: CompetitionView, matches: str) -> str:
    """Return the file of a competition: its standing, and the given lines of its matches."""
    templates = [f"competition/{view.of.kind}_file.txt.j2", "competition/file.txt.j2"]
    data = {"competition": view, "standing": painted(renderer, view), "matches": matches}
    return renderer.part(templates, data)


def painted_match(renderer: Renderer, view: CompetitionView, match: MatchSummary) -> str:
    """Return the line of one of its matches, starting with the match's number in it."""
    templates = [f"competition/{view.of.kind}_match.txt.j2", "competition/match.txt.j2"]
    players = renderer.phrases.items(view.names[player] for player in match.players)
    data = {"competition": view, "match": match, "place": match.place, "players": players}
    return renderer.part(templates, data)


@dataclass(frozen=True)
class MailPhrases:
    """The phrases of a language."""

    days: Sequence[str] = ()
    """Starting with Monday."""
    months: Sequence[str] = ()
    stranger: str = ""
    """How to address a person whose name is unknown."""
    keep: str = ""
    """Introduces the line about the history."""
    list: Mapping[str, str] = field(default_factory=dict)
    """Text `between` two items, and before the `last`."""
    commands: Mapping[str, str] = field(default_factory=dict)
    """Summaries of commands, by word. Without one, the command's own summary is used."""
    arguments: Mapping[str, str] = field(default_factory=dict)
    """Names of commands' arguments, by name."""
    helps: Mapping[str, str] = field(default_factory=dict)
    """Descriptions of arguments, by command and argument: `record number`."""
    groups: Mapping[str, str] = field(default_factory=dict)
    """Headings of groups of commands, by key."""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """Descriptions of emails by kind, and `other`."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Descriptions of settings, by key."""
    competitions: Mapping[str, str] = field(default_factory=dict)
    """Names of the kinds of competitions, by key."""
    states: Mapping[str, str] = field(default_factory=dict)
    """Descriptions of received emails that wait, by state."""
    urgencies: Mapping[str, str] = field(default_factory=dict)
    """Names of the urgencies of emails."""
    lapsed: Mapping[str, str] = field(default_factory=dict)
    """Reasons for which plans end, by stored word."""

    def items(self, items: Iterable[object]) -> str:
        """Join items in words: `a`, `a and b`, `a, b and c`."""
        return in_words(items, **self.list)


def in_words(items: Iterable[object], between: str = ", ", last: str = " and ") -> str:
    """Join items in words: `a`, `a and b`, `a, b and c`."""
    *first, end = [str(item) for item in items] or [""]
    return f"{between.join(first)}{last}{end}" if first else end


def read_phrases(texts: Iterable[str]) -> MailPhrases:
    """Merge the phrases of several files. Earlier files override later ones."""
    said: dict[str, Any] = {}
    for text in reversed(list(texts)):
        for key, value in tomllib.loads(text).items():
            said[key] = {**said.get(key, {}), **value} if isinstance(value, dict) else value
    return MailPhrases(**said)
