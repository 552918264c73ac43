"""What the rest of pbem knows of a game: the class to derive from, its values and its errors.

A game is pure: it has no clock, no randomness and no memory. Whatever changes is a `Position`, and
a position is always the replay of canonical action texts from `Game.initial`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, final, runtime_checkable

from pbem.games.diagram import Diagram
from pbem.games.errors import (
    ActionError,
    AmbiguousAction,
    IllegalAction,
    InvalidAction,
    OptionError,
)
from pbem.games.phrases import Phrase
from pbem.games.text import GOES_ON, LONGEST_LINE, plain, undressed, without_bullet
from pbem.games.words import phrase

Seat = str
"""A place in turn order, by its name in the engine protocol, e.g. `S` or `white`."""

Options = Mapping[str, int]
"""Option values of a match by key; a switch is 0 or 1."""


class Outcome(NamedTuple):
    """How a match ended by the rules of its game."""

    winners: tuple[Seat, ...]
    """Seats that won, in turn order; empty for a draw."""
    termination: str
    """Key of `GameInfo.terminations`: why it ended."""
    scores: Mapping[Seat, int]
    """Points by seat, in the game's own count."""


@dataclass(frozen=True)
class Option:
    """One thing that can be agreed for a match of a game."""

    key: str
    default: int
    help: Phrase
    switch: bool = False
    """Whether it is `on` or `off`; otherwise a whole number, 0 or more."""

    def read(self, text: str) -> int:
        """Value of `on`, `off` or a whole number; raises OptionError for anything else."""
        value = text.strip().casefold()
        if self.switch:
            if value in ("on", "off"):
                return int(value == "on")
            raise OptionError(phrase("terms.switch", option=self.key, text=repr(text)))
        if value.isascii() and value.isdigit() and len(value) <= 6:
            return int(value)
        if value == "off":
            return 0
        raise OptionError(phrase("terms.number", option=self.key, text=repr(text)))

    def format(self, value: int) -> str:
        """Text that `read` reads back."""
        return ("on" if value else "off") if self.switch else str(value)


@dataclass(frozen=True)
class GameInfo:
    """What is fixed about a game: its names, seats, options and the ways it can end."""

    key: str
    title: str
    rules_version: int
    seats: tuple[Seat, ...]
    """Every seat, in turn order."""
    holders: Mapping[int, tuple[tuple[Seat, ...], ...]]
    """Seats each player holds, by number of players; players in the order they are entered."""
    sides: Mapping[int, tuple[tuple[Seat, ...], ...]]
    """Seats that win together, by number of players."""
    terminations: Mapping[str, Phrase]
    """Why a match of this game can end by its rules, by key."""
    agreements: frozenset[str] = frozenset()
    """Those of them that take the players' consent: what ends a match so is more than a move."""
    options: tuple[Option, ...] = ()
    draw_offers: bool = True
    """Whether players may agree a draw unless the match options say otherwise."""
    stepwise: bool = False
    """Whether a turn may stay open after an action; only then `Game.closing` has a text."""
    seat_titles: Mapping[Seat, Phrase] = field(default_factory=dict)
    """Every seat with its side for the eyes of a player, e.g. `N (White)`."""
    seat_names: Mapping[Seat, Phrase] = field(default_factory=dict)
    """Seat inside a sentence, e.g. `white`: needed for every seat whose name is a word."""

    def name_of(self, seat: Seat) -> Phrase | str:
        """A seat inside a sentence."""
        return self.seat_names.get(seat, seat)

    def seats_of(self, players: int) -> tuple[Seat, ...]:
        """Seats taken in a match of so many players, in turn order; OptionError if it can't be."""
        if players not in self.holders:
            counts = phrase("list.names", items=tuple(sorted(self.holders)))
            raise OptionError(
                phrase("terms.players", game=self.title, counts=counts, players=players)
            )
        taken = {seat for held in self.holders[players] for seat in held}
        return tuple(seat for seat in self.seats if seat in taken)

    def side_of(self, players: int, seat: Seat) -> tuple[Seat, ...]:
        """All the seats that win and lose with a seat, itself included."""
        return next(side for side in self.sides[players] if seat in side)

    def with_defaults(self, options: Options) -> dict[str, int]:
        """Every option of the game with its value; raises OptionError for one it does not have."""
        known = {option.key: option.default for option in self.options}
        for key in options:
            if key not in known:
                raise OptionError(self._no_option(key, tuple(known)))
        return {**known, **options}

    def _no_option(self, key: str, known: tuple[str, ...]) -> Phrase:
        names = phrase("list.names", items=known) if known else phrase("terms.no-options")
        return phrase("terms.no-option", game=self.title, key=repr(key), options=names)

    def read_options(self, texts: Mapping[str, str]) -> dict[str, int]:
        """Options from `key=value` texts, defaults filled in; raises OptionError."""
        by_key = {option.key: option for option in self.options}
        read = {k: by_key[k].read(text) if k in by_key else 0 for k, text in texts.items()}
        return self.with_defaults(read)


class Action(Protocol):
    """The smallest thing a seat can do."""

    @property
    def seat(self) -> Seat:
        """Who does it."""

    @property
    def declaration(self) -> bool:
        """Whether a seat may do it that is not to act."""


class Position(Protocol):
    """All that the rules need to go on; immutable."""

    @property
    def turn(self) -> int:
        """Number of the turn being played, from 1; turns passed by the engine count."""

    @property
    def passed(self) -> tuple[Seat, ...]:
        """Seats for which the engine has passed since the last action, in order."""


class Reading(NamedTuple):
    """What a game reads in one line that somebody wrote."""

    line: str
    counts: bool
    """Whether the line is to be played; prose is not, nor an action that does not count."""
    actions: tuple[str, ...] = ()
    """Texts of the actions in it, each for `Game.parse`."""
    goes_on: bool = False
    """Whether it says that the turn goes on after them: then the end of the mail ends nothing."""


P = TypeVar("P", bound=Position)
A = TypeVar("A", bound=Action)


class Game(ABC, Generic[P, A]):
    """A rule set.

    A game writes the abstract methods. It may also replace `closing`, `resignation`, `format_pass`
    and `joined`. `read`, `mentioned` and `parse` belong to the API: they read leniently for every
    game, and give it text in plain characters. Besides its code, every game has a RULES.md, words
    in English, numbers of lines of play (tests/data/perft) and one match (tests/data/playthroughs).
    Texts of positions are optional (`PositionText`).
    """

    info: GameInfo

    @abstractmethod
    def initial(self, players: int, options: Options) -> P:
        """Position before the first action; raises OptionError."""

    @abstractmethod
    def to_act(self, position: P) -> Seat | None:
        """Seat that has to do something, None after the end."""

    @abstractmethod
    def legal_actions(self, position: P) -> Iterable[A]:
        """Every action the seat to act may choose, each once, in a fixed order, lazily."""

    @abstractmethod
    def play(self, position: P, action: A) -> P:
        """Position after an action and the passes it entails; raises IllegalAction."""

    @abstractmethod
    def outcome(self, position: P) -> Outcome | None:
        """How it ended by the rules; None while it goes on."""

    @abstractmethod
    def forfeit(self, position: P, seats: Sequence[Seat]) -> Mapping[Seat, int]:
        """Scores by seat if these seats give the match up now (resignation or flag)."""

    @abstractmethod
    def standing(self, position: P) -> Mapping[Seat, int]:
        """How well every seat stands now; only comparisons of a seat with itself mean anything."""

    def closing(self, position: P) -> str | None:
        """Text of the action that the end of an email stands for; None if it stands for none."""
        return None

    def resignation(self, position: P, seat: Seat) -> str | None:
        """Text of the declaration by which a seat gives up while the others play on.

        None if a resignation ends the match.
        """
        return None

    @abstractmethod
    def actions_in(self, line: str) -> tuple[str, ...] | None:
        """Actions of a line that holds nothing else, each for `meant`; None if it is prose.

        Raises InvalidAction if the line is neither.
        """

    @abstractmethod
    def words_in(self, line: str) -> tuple[str, ...]:
        """Words inside a line of prose that look like actions."""

    @abstractmethod
    def meant(self, position: P, text: str, seat: Seat) -> A:
        """Action that a text means; raises InvalidAction, IllegalAction or AmbiguousAction."""

    def joined(self, lines: Sequence[Reading]) -> Sequence[Reading]:
        """Lines after reading, if one line can change what another means."""
        return lines

    @final
    def read(self, text: str) -> tuple[Reading, ...]:
        """Lines that somebody wrote, split into actions and prose. Raises InvalidAction."""
        return tuple(self.joined([self._read_line(line) for line in text.splitlines()]))

    def _read_line(self, line: str) -> Reading:
        bare = undressed(line)
        if len(bare) > LONGEST_LINE:
            return Reading(line, False)
        goes_on = self.info.stepwise and bare.endswith(GOES_ON)
        try:
            actions = self.actions_in(bare.rstrip("".join(GOES_ON)) if goes_on else bare)
        except InvalidAction as error:
            error.text = bare
            raise
        counts = actions is not None and bool(actions or goes_on)
        return Reading(line, counts, actions or (), counts and goes_on)

    @final
    def mentioned(self, line: str) -> tuple[str, ...]:
        """Words inside a line of prose that look like actions, as written."""
        return () if len(line) > LONGEST_LINE else self.words_in(plain(line))

    @final
    def parse(self, position: P, text: str, seat: Seat) -> A:
        """Action that a text means for a seat. Raises an ActionError with the text as it was read.

        It is InvalidAction, IllegalAction or AmbiguousAction.
        """
        written = without_bullet(plain(text)).strip()
        try:
            return self.meant(position, written, seat)
        except ActionError as error:
            error.text = written
            raise

    @abstractmethod
    def format(self, position: P, action: A) -> str:
        """Canonical text of an action."""

    def format_pass(self) -> str:
        """How a turn passed by the engine is printed."""
        return "--"

    @abstractmethod
    def squares(self, position: P) -> dict[str, Any]:
        """Answer of the engine protocol to `board`: what stands where."""

    @abstractmethod
    def diagram(self, position: P, seat: Seat) -> Diagram:
        """The board turned so that the seat sits at the bottom."""

    @abstractmethod
    def paths(self, text: str) -> tuple[tuple[str, ...], ...]:
        """Squares of a canonical action: ways of pieces, start first, or one where one was placed.

        Empty for what moves nothing.
        """

    @abstractmethod
    def rules(self, language: str) -> str:
        """The rules in a player's words, Markdown; in English where the language has none."""


AnyGame = Game[Any, Any]


@runtime_checkable
class PositionText(Protocol[P]):
    """Optional: what a game also has if its positions have texts, as FEN is one of chess.

    They only spare a replay: no position is known by its text alone.
    """

    def write_position(self, position: P) -> str:
        """All of a position, what may come again or be counted too, without what was agreed."""

    def read_position(self, players: int, options: Options, text: str) -> P:
        """The position, of a match that so many began; ValueError or LookupError if it is none."""

    def require_possible(self, position: P) -> None:
        """Raise ImpossiblePosition unless a match can reach a position that was read.

        Only a text that somebody wrote is checked like this; the club's own texts are not.
        """


@runtime_checkable
class CountedTurns(Protocol):
    """Optional: a game whose rules limit how much one turn may hold, and say the count."""

    def counted(self, before: Any, action: Any) -> Phrase | None:
        """What the turn counts with this action; None if the action counts nothing."""


__all__ = [
    "Action",
    "ActionError",
    "AmbiguousAction",
    "AnyGame",
    "CountedTurns",
    "Game",
    "GameInfo",
    "IllegalAction",
    "InvalidAction",
    "Option",
    "OptionError",
    "Options",
    "Outcome",
    "Position",
    "PositionText",
    "Reading",
    "Seat",
]
