"""Everything the rest of pbem knows about a game: the class to derive from, its values and errors.

A game is pure: it has no clock, no randomness and no memory. All that changes is a `Position`, and
a position is always the replay of canonical action texts from `Game.initial`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, final, runtime_checkable

from pbem.games.diagram import Diagram
from pbem.games.errors import (
    ActionError,
    AmbiguousActionError,
    IllegalActionError,
    InvalidActionError,
    OptionError,
)
from pbem.games.lenient_text import GOES_ON, LONGEST_LINE, plain, undressed, without_bullet
from pbem.games.phrases import Phrase
from pbem.games.pieces import PieceShape
from pbem.games.transcript import RecordFormat
from pbem.games.words import phrase

Seat = str
"""A place in turn order, by its name in the engine protocol, for example `S` or `white`."""

Options = Mapping[str, int]
"""Option values of a match by key. A switch is 0 or 1."""


class Outcome(NamedTuple):
    """Outcome of a match under the rules of its game."""

    winners: tuple[Seat, ...]
    """Seats that won, in turn order. Empty for a draw."""
    termination: str
    """Why it ended, as a key of `GameInfo.terminations`."""
    scores: Mapping[Seat, int]
    """Points by seat, in the game's own units."""


@dataclass(frozen=True)
class Option:
    """A setting that players can agree on for a match."""

    key: str
    default: int
    help: Phrase
    switch: bool = False
    """Whether the values are `on` and `off`. Otherwise they are whole numbers from 0."""

    def read(self, text: str) -> int:
        """Return the value of `on`, `off` or a whole number. Raises OptionError for other texts."""
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
        """Return the text that `read` turns into this value."""
        return ("on" if value else "off") if self.switch else str(value)


POINTS = phrase("score.points")


@dataclass(frozen=True)
class GameInfo:
    """Fixed facts about a game: its names, seats, options and ways to end."""

    key: str
    title: str
    rules_version: int
    seats: tuple[Seat, ...]
    """All seats, in turn order."""
    terminations: Mapping[str, Phrase]
    """Reasons why the rules can end a match, by key."""
    holders: Mapping[int, tuple[tuple[Seat, ...], ...]] = field(default_factory=dict)
    """Seats of each player in the order of entry, by number of players. By default a player for
    each seat."""
    sides: Mapping[int, tuple[tuple[Seat, ...], ...]] = field(default_factory=dict)
    """Seats that win and lose together, by number of players. By default those of a player."""
    summary: Phrase | str = ""
    """Aim of the game, in one sentence for newcomers."""
    agreements: frozenset[str] = frozenset()
    """Terminations that need the players' consent. The action behind them is more than a move."""
    options: tuple[Option, ...] = ()
    draw_offers: bool = True
    """Whether players may agree on a draw, unless the match options say otherwise."""
    stepwise: bool = False
    """Whether a turn may stay open after an action. Only then does `Game.closing` return a text."""
    seat_titles: Mapping[Seat, Phrase] = field(default_factory=dict)
    """Each seat with its side, as players see it, for example `N (White)`."""
    score: Phrase = POINTS
    """Unit of the scores, such as `knights defeated`."""
    seat_names: Mapping[Seat, Phrase] = field(default_factory=dict)
    """Seats as they appear in a sentence, for example `white`. Required if the name is a word."""

    def __post_init__(self) -> None:
        """Fill in the holders and sides that are left out."""
        if not self.holders:
            each = {len(self.seats): tuple((seat,) for seat in self.seats)}
            object.__setattr__(self, "holders", each)
        if not self.sides:
            object.__setattr__(self, "sides", self.holders)

    def name_of(self, seat: Seat) -> Phrase | str:
        """Return a seat as it appears inside a sentence."""
        return self.seat_names.get(seat, seat)

    def seats_of(self, players: int) -> tuple[Seat, ...]:
        """Return the seats used in a match of this many players, in turn order.

        Raises OptionError if the game cannot be played by that many.
        """
        if players not in self.holders:
            raise OptionError(self._wrong_number(players))
        taken = {seat for held in self.holders[players] for seat in held}
        return tuple(seat for seat in self.seats if seat in taken)

    def side_of(self, players: int, seat: Seat) -> tuple[Seat, ...]:
        """Return all seats that win and lose together with a seat, including that seat."""
        return next(side for side in self.sides[players] if seat in side)

    def with_defaults(self, options: Options) -> dict[str, int]:
        """Return the values of all the game's options. Raises OptionError for an unknown option."""
        known = {option.key: option.default for option in self.options}
        for key in options:
            if key not in known:
                raise OptionError(self._no_option(key, tuple(known)))
        return {**known, **options}

    def _wrong_number(self, players: int) -> Phrase:
        least, most = min(self.holders), max(self.holders)
        if least < most and len(self.holders) == most - least + 1:
            return phrase(
                "terms.players-range", game=self.title, least=least, most=most, players=players
            )
        counts = phrase("list.names", items=tuple(sorted(self.holders)))
        return phrase("terms.players", game=self.title, counts=counts, players=players)

    def _no_option(self, key: str, known: tuple[str, ...]) -> Phrase:
        names = phrase("list.names", items=known) if known else phrase("terms.no-options")
        return phrase("terms.no-option", game=self.title, key=repr(key), options=names)

    def read_options(self, texts: Mapping[str, str]) -> dict[str, int]:
        """Read options from texts by key and fill in defaults. Raises OptionError."""
        by_key = {option.key: option for option in self.options}
        read = {k: by_key[k].read(text) if k in by_key else 0 for k, text in texts.items()}
        return self.with_defaults(read)


class Action(Protocol):
    """The smallest thing a seat can do."""

    @property
    def seat(self) -> Seat:
        """The seat that does it."""

    @property
    def declaration(self) -> bool:
        """Whether a seat may do it when it is not to act."""


class GamePosition(Hashable, Protocol):
    """Everything the rules need to continue. Immutable."""

    @property
    def turn(self) -> int:
        """Number of the current turn, from 1. Turns that the engine passes count."""

    @property
    def passed(self) -> tuple[Seat, ...]:
        """Seats for which the engine has passed since the last action, in order."""


class Reading(NamedTuple):
    """A line that a person wrote, as a game reads it."""

    line: str
    counts: bool
    """Whether it holds actions to play. False for prose and for actions that don't count."""
    actions: tuple[str, ...] = ()
    """Texts of its actions, each for `Game.parse`."""
    goes_on: bool = False
    """Whether the line says that the turn continues. If so, the end of the email ends nothing."""


P = TypeVar("P", bound=GamePosition)
A = TypeVar("A", bound=Action)


class Game(ABC, Generic[P, A]):
    """The rules of a game.

    A subclass implements the abstract methods. It may also override `score`, `can_win`, `closing`,
    `resignation`, `format_pass` and `joined`. `read`, `read_list`, `mentioned` and `parse` belong
    to the API: they read leniently for every game and pass on text in plain characters. Besides its
    code, every game has a RULES.md, English words, counts of lines of play (tests/data/perft) and
    one match (tests/data/playthroughs). Texts of positions are optional (`PositionText`).
    """

    info: GameInfo

    @abstractmethod
    def initial(self, players: int, options: Options) -> P:
        """Return the position before the first action. Raises OptionError for unusable options."""

    @abstractmethod
    def to_act(self, position: P) -> Seat | None:
        """Return the seat to act, None after the end."""

    @abstractmethod
    def legal_actions(self, position: P) -> Iterable[A]:
        """Yield every action the seat to act may choose, each once, in a fixed order."""

    @abstractmethod
    def play(self, position: P, action: A) -> P:
        """Return the position after an action and forced passes. Raises IllegalActionError."""

    @abstractmethod
    def outcome(self, position: P) -> Outcome | None:
        """Return how the match ended under the rules, None if it is still being played."""

    def score(self, position: P) -> Mapping[Seat, int]:
        """Return the scores by seat as they are now, in the game's own units."""
        return self.forfeit(position, ())

    @abstractmethod
    def forfeit(self, position: P, seats: Sequence[Seat]) -> Mapping[Seat, int]:
        """Return the scores by seat if these seats lose now, by resignation or on time."""

    def can_win(self, position: P, seat: Seat) -> bool:
        """Return whether a seat could still win if everybody else helped it.

        If none of the opponents of a player who runs out of time can, the match is a draw.
        """
        return True

    @abstractmethod
    def standing(self, position: P) -> Mapping[Seat, int]:
        """Return a rating of the position for every seat. Compare it only with the same seat's."""

    def closing(self, position: P) -> str | None:
        """Return the text of the action that the end of an email stands for, None if none."""
        return None

    def resignation(self, position: P, seat: Seat) -> str | None:
        """Return the text of the declaration by which a seat gives up while the others continue.

        None if a resignation ends the match.
        """
        return None

    @abstractmethod
    def actions_in(self, line: str) -> tuple[str, ...] | None:
        """Return the actions of a line that holds nothing else, each for `meant`. None for prose.

        Raises InvalidActionError if the line is neither.
        """

    @abstractmethod
    def words_in(self, line: str) -> tuple[str, ...]:
        """Return the words in a line of prose that look like actions."""

    @abstractmethod
    def meant(self, position: P, text: str, seat: Seat) -> A:
        """Return the action that a text means.

        Raises InvalidActionError, IllegalActionError or AmbiguousActionError.
        """

    def joined(self, lines: Sequence[Reading]) -> Sequence[Reading]:
        """Return the lines after reading. Override if one line can change what another means."""
        return lines

    @final
    def read(self, text: str) -> tuple[Reading, ...]:
        """Split lines that a person wrote into actions and prose. Raises InvalidActionError."""
        return tuple(self.joined([self._read_line(line) for line in text.splitlines()]))

    def _read_line(self, line: str) -> Reading:
        bare = undressed(line)
        return Reading(line, False) if len(bare) > LONGEST_LINE else self._read_bare(line, bare)

    @final
    def read_list(self, text: str) -> Reading:
        """Read a text of one line, however long, that may be a list of actions.

        Raises InvalidActionError.
        """
        return self._read_bare(text, undressed(text))

    def _read_bare(self, line: str, bare: str) -> Reading:
        goes_on = self.info.stepwise and bare.endswith(GOES_ON)
        try:
            actions = self.actions_in(bare.rstrip("".join(GOES_ON)) if goes_on else bare)
        except InvalidActionError as error:
            error.text = bare
            raise
        counts = actions is not None and bool(actions or goes_on)
        return Reading(line, counts, actions or (), counts and goes_on)

    @final
    def mentioned(self, line: str) -> tuple[str, ...]:
        """Return the words in a line of prose that look like actions, as written."""
        return () if len(line) > LONGEST_LINE else self.words_in(plain(line))

    @final
    def parse(self, position: P, text: str, seat: Seat) -> A:
        """Return the action that a text means for a seat.

        Raises InvalidActionError, IllegalActionError or AmbiguousActionError, with the text as
        it was read.
        """
        written = without_bullet(plain(text)).strip()
        try:
            return self.meant(position, written, seat)
        except ActionError as error:
            error.text = written
            raise

    @abstractmethod
    def format(self, position: P, action: A) -> str:
        """Return the canonical text of an action."""

    def format_pass(self) -> str:
        """Return the text of a turn that the engine passes."""
        return "--"

    @abstractmethod
    def squares(self, position: P) -> dict[str, Any]:
        """Return the engine protocol's answer to `board`: the pieces by square."""

    @abstractmethod
    def diagram(self, position: P, seat: Seat) -> Diagram:
        """Return the board with the seat at the bottom."""

    @abstractmethod
    def paths(self, text: str) -> tuple[tuple[str, ...], ...] | None:
        """Return the squares of a canonical action, as the paths of pieces.

        A path starts where the piece started. It is a single square if a piece was placed, or
        removed. Empty if nothing moved. None if texts leave out squares, as in chess. Then `moved`
        finds them, and `diagram` has the trails.
        """

    def moved(self, position: P, action: A) -> tuple[tuple[str, ...], ...]:
        """Return the paths of an action in the position before it. Override if `paths` is None."""
        return self.paths(self.format(position, action)) or ()

    @abstractmethod
    def rules(self, language: str) -> str:
        """Return the rules for players, in Markdown. English if there is no translation."""


AnyGame = Game[Any, Any]

API_VERSIONS = (1,)
"""Versions of this API that families may be written for."""


@dataclass(frozen=True, kw_only=True)
class Family:
    """Games that one distribution provides: what an entry point of `pbem.games` names."""

    api: int
    """Version of this API that the family was written for, one of `API_VERSIONS`."""
    games: tuple[AnyGame, ...]
    """The games, each under its newest rules."""
    older: tuple[AnyGame, ...] = ()
    """The same games under former rules, for matches that started under them."""
    pieces: Mapping[str, PieceShape] = field(default_factory=dict)
    """Its own shapes of pieces, by the names that `PieceToken` has."""
    formats: tuple[RecordFormat, ...] = ()
    """Formats in which programs outside exchange matches of its games."""
    bots: Callable[[Mapping[str, object]], Mapping[str, Any]] | None = None
    """Function from the operator's settings, `[games.NAME]`, to bots that play its games.

    Bots are `pbem.matches.bots.Bot`, by names of small letters, digits and `_`. Raises ValueError
    with a sentence for the operator if they cannot be used.
    """


@runtime_checkable
class PositionText(Protocol[P]):
    """Optional protocol of games whose positions have texts, like FEN in chess.

    A text only saves a replay. It never identifies a position on its own.
    """

    def write_position(self, position: P) -> str:
        """Return all of a position as text, including counters but not the agreed terms."""

    def read_position(self, players: int, options: Options, text: str) -> P:
        """Return the position that a text describes, in a match that this many players started.

        Raises ValueError or LookupError if the text is not a position.
        """

    def require_possible(self, position: P) -> None:
        """Raise ImpossiblePosition unless a match can reach this position.

        Only texts written by people are checked. The club's own texts are not.
        """


@runtime_checkable
class CountedTurns(Protocol):
    """Optional protocol of games whose rules limit the length of a turn."""

    def counted(self, before: Any, action: Any) -> Phrase | None:
        """Return the length of the turn including this action, None if the action adds nothing."""


__all__ = [
    "API_VERSIONS",
    "Action",
    "ActionError",
    "AmbiguousActionError",
    "AnyGame",
    "CountedTurns",
    "Family",
    "Game",
    "GameInfo",
    "GamePosition",
    "IllegalActionError",
    "InvalidActionError",
    "Option",
    "OptionError",
    "Options",
    "Outcome",
    "PieceShape",
    "PositionText",
    "Reading",
    "RecordFormat",
    "Seat",
]
