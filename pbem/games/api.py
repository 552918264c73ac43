"""What the rest of pbem knows of a game: the protocol, its value types and its three errors.

A game is pure: it has no clock, no randomness and no memory. Whatever changes is a `Position`, and
a position is always the replay of canonical action texts from `Game.initial`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

from pbem.games.diagram import Diagram
from pbem.games.errors import (
    ActionError,
    AmbiguousAction,
    IllegalAction,
    InvalidAction,
    OptionError,
)
from pbem.games.phrases import Phrase
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
    """Seat with its side for the eyes of a player, e.g. `N (White)`."""
    seat_names: Mapping[Seat, Phrase] = field(default_factory=dict)
    """Seat inside a sentence, e.g. `white`, where its name is a word of a language."""

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


class Game(Protocol[P, A]):
    """A rule set."""

    info: GameInfo

    def initial(self, players: int, options: Options) -> P:
        """Position before the first action; raises OptionError."""

    def to_act(self, position: P) -> Seat | None:
        """Seat that has to do something, None after the end."""

    def legal_actions(self, position: P) -> Iterable[A]:
        """Every action the seat to act may choose, each once, in a fixed order, lazily."""

    def play(self, position: P, action: A) -> P:
        """Position after an action and the passes it entails; raises IllegalAction."""

    def outcome(self, position: P) -> Outcome | None:
        """How it ended by the rules; None while it goes on."""

    def forfeit(self, position: P, seats: Sequence[Seat]) -> Mapping[Seat, int]:
        """Scores by seat if these seats give the match up now (resignation or flag)."""

    def standing(self, position: P) -> Mapping[Seat, int]:
        """How well every seat stands now; only comparisons of a seat with itself mean anything."""

    def closing(self, position: P) -> str | None:
        """Text of the action that the end of a mail stands for; None where it stands for none."""

    def resignation(self, position: P, seat: Seat) -> str | None:
        """Text of the declaration by which a seat gives up while the others play on.

        None where a resignation ends the match.
        """

    def read(self, text: str) -> tuple[Reading, ...]:
        """Lines of a text, parted into actions and prose; raises InvalidAction."""

    def mentioned(self, line: str) -> tuple[str, ...]:
        """Words inside a line of prose that look like actions, as written."""

    def parse(self, position: P, text: str, seat: Seat) -> A:
        """Action that a text means for a seat; InvalidAction, IllegalAction, AmbiguousAction."""

    def format(self, position: P, action: A) -> str:
        """Canonical text of an action."""

    def format_pass(self) -> str:
        """How a turn passed by the engine is printed."""

    def squares(self, position: P) -> dict[str, Any]:
        """Answer of the engine protocol to `board`: what stands where."""

    def diagram(self, position: P, seat: Seat) -> Diagram:
        """The board turned so that the seat sits at the bottom."""

    def paths(self, text: str) -> tuple[tuple[str, ...], ...]:
        """Squares of a canonical action: ways of pieces, start first, or one where one was placed.

        Empty for what moves nothing.
        """

    def rules(self, language: str) -> str:
        """The rules in a player's words, Markdown; in English where the language has none."""


AnyGame = Game[Any, Any]


@runtime_checkable
class PositionText(Protocol[P]):
    """What a game has beside that if its positions have texts, as FEN is one of chess.

    It need not: they only spare a replay, and no position is known by its text alone.
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
