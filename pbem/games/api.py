"""What the rest of pbem knows of a game: the protocol, its value types and its three errors.

A game is pure: it has no clock, no randomness and no memory. Whatever changes is a `Position`, and
a position is always the replay of canonical action texts from `Game.initial`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeVar

from pbem.games.diagram import Diagram

Seat = str
"""A place in turn order, by its name in the engine protocol, e.g. `S` or `white`."""

Options = Mapping[str, int]
"""Option values of a match by key; a switch is 0 or 1."""


class ActionError(Exception):
    """A text that could not be played: what was read, why not, and the nearest legal readings."""

    kind = "illegal"
    ends_nothing = False
    """Whether the text only ends a turn, and there is none to be ended.

    A mail may hold it after actions that have ended the turn by themselves.
    """

    def __init__(self, text: str, reason: str, candidates: Sequence[str] = ()) -> None:
        super().__init__(f"{text}: {reason}")
        self.text = text
        self.reason = reason
        self.candidates = tuple(candidates)


class InvalidAction(ActionError):
    """A text without the form of an action of the game, or one that names what does not exist."""

    kind = "invalid"


class IllegalAction(ActionError):
    """A well-formed action that the rules do not allow in the position."""

    kind = "illegal"


class AmbiguousAction(ActionError):
    """A text that fits several legal actions; `candidates` are their canonical texts."""

    kind = "ambiguous"


class OptionError(ValueError):
    """A match option that the game does not have, or a value it does not take."""


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
    help: str
    switch: bool = False
    """Whether it is `on` or `off`; otherwise a whole number, 0 or more."""

    def read(self, text: str) -> int:
        """Value of `on`, `off` or a whole number; raises OptionError for anything else."""
        value = text.strip().casefold()
        if self.switch:
            if value in ("on", "off"):
                return int(value == "on")
            raise OptionError(f"{self.key} is on or off, not {text!r}")
        if value.isascii() and value.isdigit() and len(value) <= 6:
            return int(value)
        if value == "off":
            return 0
        raise OptionError(f"{self.key} is a whole number, not {text!r}")

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
    terminations: Mapping[str, str]
    """Why a match of this game can end by its rules: key to a player's words."""
    agreements: frozenset[str] = frozenset()
    """Those of them that take the players' consent: what ends a match so is more than a move."""
    options: tuple[Option, ...] = ()
    draw_offers: bool = True
    """Whether players may agree a draw unless the match options say otherwise."""
    seat_titles: Mapping[Seat, str] = field(default_factory=dict)
    """Seat with its side for the eyes of a player, e.g. `N (White)`."""

    def seats_of(self, players: int) -> tuple[Seat, ...]:
        """Seats taken in a match of so many players, in turn order; OptionError if it can't be."""
        if players not in self.holders:
            counts = ", ".join(map(str, sorted(self.holders)))
            raise OptionError(f"{self.title} is for {counts} players, not {players}")
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
                names = ", ".join(known) or "none"
                raise OptionError(f"{self.title} has no option {key!r}; its options are: {names}")
        return {**known, **options}

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

    def rules(self) -> str:
        """The rules in a player's words, Markdown."""


AnyGame = Game[Any, Any]
