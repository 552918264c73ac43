"""Line: turns in a row that nobody has played, read from a person's text.

The grammar is in docs/contracts.md, "Lines of turns". Where an email program broke a text into
lines means nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile
from typing import NamedTuple

from pbem.games.api import (
    ActionError,
    AnyGame,
    GamePosition,
    IllegalActionError,
    InvalidActionError,
    Seat,
)
from pbem.games.lenient_text import GOES_ON, plain
from pbem.games.replay import Played, play_one
from pbem.games.words import phrase

MOST_TURNS = 40
"""Turns in a line. An answer with links to one more still fits every email program."""
LONGEST = 2000
"""Characters of a line that are read."""


class LineTurn(NamedTuple):
    """The actions of one seat in a turn of a line."""

    number: int
    seat: Seat
    played: tuple[Played, ...]

    @property
    def text(self) -> str:
        """The canonical texts of its actions."""
        return " ".join(each.text for each in self.played)

    @property
    def position(self) -> GamePosition:
        """The position after it."""
        after: GamePosition = self.played[-1].position
        return after


@dataclass(frozen=True)
class Line:
    """Turns from a position, as far as they can be played."""

    game: AnyGame
    start: GamePosition
    played: tuple[Played, ...] = ()
    broken: ActionError | None = None
    """Why the next action cannot be played, with its text. None if all of them are."""
    cut: bool = False
    """Whether it was longer than a line may be."""

    @property
    def position(self) -> GamePosition:
        """The position after all its turns."""
        return self.played[-1].position if self.played else self.start

    @property
    def turns(self) -> tuple[LineTurn, ...]:
        """The turns of the line, without those that the engine passes."""
        of_turns = groupby(self.played, key=lambda each: (each.turn, each.seat))
        return tuple(LineTurn(*key, tuple(some)) for key, some in of_turns)

    @property
    def is_open(self) -> bool:
        """Whether its last turn can continue."""
        return bool(self.played) and self.game.closing(self.position) is not None

    @property
    def is_full(self) -> bool:
        """Whether no turn can be added."""
        return len(self.turns) >= MOST_TURNS and not self.is_open

    @property
    def text(self) -> str:
        """The canonical text, from which the same line is read."""
        return written(self.game, self.turns, goes_on=self.is_open)

    @property
    def text_before(self) -> str:
        """The canonical text without the last turn."""
        return written(self.game, self.turns[:-1])

    def text_with(self, action: str) -> str:
        """Return its text with one more action at its end, which may end with `...`."""
        bare = action.removesuffix(GOES_ON[0]).rstrip()
        goes_on = bare != action
        added = Played(0, "", bare, (), None)
        turns = (*self.turns, LineTurn(0, "", (added,)))
        if self.is_open:
            *before, last = self.turns
            turns = (*before, last._replace(played=(*last.played, added)))
        return written(self.game, turns, goes_on=goes_on)


def written(game: AnyGame, turns: Sequence[LineTurn], *, goes_on: bool = False) -> str:
    """Return turns as a line. `goes_on` says that the last one is not over.

    Turns have brackets if their actions could be taken for fewer without them.
    """
    end = f" {GOES_ON[0]}" if goes_on else ""
    bare = " ".join(turn.text for turn in turns)
    meant = [each.text.strip("[]") for turn in turns for each in turn.played]
    if meant == [text for part in _parts(game, (), bare) for text in part.actions]:
        return bare + end
    texts = [turn.text.strip("[]") for turn in turns]
    return " ".join(f"[{text}]" for text in (*texts[:-1], texts[-1] + end))


def read_line(game: AnyGame, seats: Sequence[Seat], start: GamePosition, text: str) -> Line:
    """Return the line that a text describes from a position, as far as it can be played.

    `seats` are those of the match. The end of the text ends an open turn, unless `...` is there.
    """
    reader = _Reader(game, seats, start)
    cut, broken = len(text) > LONGEST, None
    try:
        for part in _parts(game, seats, text[:LONGEST]):
            reader.plays(part)
        reader.ends()
    except _TooLongError:
        cut = True
    except ActionError as error:
        broken = error
    return Line(game, start, tuple(reader.played), broken, cut)


class _TooLongError(Exception):
    """A turn beyond the most that a line has."""


class _Reader:
    """Plays the parts of a line, one after the other."""

    def __init__(self, game: AnyGame, seats: Sequence[Seat], start: GamePosition) -> None:
        self._game = game
        self._seats = seats
        self._position = start
        self._turns: dict[tuple[int, Seat], None] = {}
        self._goes_on = False
        self.played: list[Played] = []

    def plays(self, part: _Part) -> None:
        """Play a part. Raises the ActionError of its first action that cannot be played."""
        if part.is_turn:
            self.ends()
        self._goes_on = part.goes_on
        seat = self._game.to_act(self._position) if part.is_turn else None
        for text in part.actions:
            self._plays(text, seat)
        if part.unread:
            self._plays(part.unread, seat, readable=False)
        if part.is_turn:
            self.ends()

    def ends(self) -> None:
        """End an open turn unless the text says that it continues."""
        if not self._goes_on:
            self._ends_turn()

    def _ends_turn(self) -> None:
        text = self._game.closing(self._position) if self.played else None
        if text is not None:
            self._adds(self._one(text))

    def _plays(self, text: str, whose: Seat | None, *, readable: bool = True) -> None:
        """Play an action of the seat to act. `whose` is the only seat that may, if given."""
        to_act = self._game.to_act(self._position)
        try:
            if not readable and not self._is_resignation(text):
                raise self._unread(text)
            self._adds(self._one(text, whose or to_act))
        except IllegalActionError as error:
            if error.ends_nothing and self.played:
                return
            if whose is None and self._ends_before(text):
                return
            if not self._declares(text):
                raise

    def _one(
        self, text: str, seat: Seat | None = None, position: GamePosition | None = None
    ) -> Played:
        at = self._position if position is None else position
        seat = seat or self._game.to_act(at) or self._game.info.seats[0]
        return play_one(self._game, at, seat, text)

    def _ends_before(self, text: str) -> bool:
        """Play an action of the next seat if the open turn can end before it."""
        end = self._game.closing(self._position) if self.played else None
        if end is None:
            return False
        closed = self._one(end)
        try:
            after = self._one(text, position=closed.position)
        except ActionError:
            return False
        self._adds(closed)
        self._adds(after)
        return True

    def _declares(self, text: str) -> bool:
        """Play a declaration of a seat that is not to act."""
        for seat in self._seats:
            try:
                declared = self._one(text, seat)
            except ActionError:
                continue
            if declared.declaration:
                self._adds(declared)
                return True
        return False

    def _adds(self, played: Played) -> None:
        self._turns[played.turn, played.seat] = None
        if len(self._turns) > MOST_TURNS:
            raise _TooLongError
        self.played.append(played)
        self._position = played.position

    def _is_resignation(self, text: str) -> bool:
        """Return whether a text is the resignation of the seat to act, as an action."""
        seat = self._game.to_act(self._position)
        said = self._game.resignation(self._position, seat) if seat else None
        return said is not None and said.casefold() == text.casefold()

    def _unread(self, text: str) -> ActionError:
        """Return the error of a text that holds no action."""
        seat = self._game.to_act(self._position) or self._game.info.seats[0]
        try:
            self._game.parse(self._position, text, seat)
        except InvalidActionError as error:
            return error
        except ActionError:
            pass
        return InvalidActionError(phrase("not-legal"), text=text)


class _Part(NamedTuple):
    """Adjacent actions of a line."""

    actions: tuple[str, ...]
    is_turn: bool = False
    """Whether they had brackets around them, and so are one whole turn."""
    goes_on: bool = False
    """Whether it says that the turn continues."""
    unread: str = ""
    """A text after them that holds no action."""


_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
_SEPARATORS = str.maketrans({"[": " ", "]": " ", ",": ";"})
_NUMBER = re.compile(r"\d{1,4}[.):]*")
_NOTHING = "-.,;:…"
MOST_WORDS = 24
"""Words read at once if not all can be. No action has as many."""


def _parts(game: AnyGame, seats: Sequence[Seat], text: str) -> Iterator[_Part]:
    """Yield the parts of a line: the text in each pair of brackets, and the texts between them."""
    said, at = " ".join(plain(text).split()), 0
    for found in _BRACKETS.finditer(said):
        yield from _without_brackets(game, seats, said[at : found.start()])
        if found[1].strip("- "):  # a pass has only hyphens
            yield _read(game, found[1])._replace(is_turn=True)
        at = found.end()
    yield from _without_brackets(game, seats, said[at:])


def holds_only_turns(game: AnyGame, text: str) -> bool:
    """Return whether a text holds actions and nothing else, legal or not."""
    parts = list(_parts(game, (), text))
    return bool(parts) and not any(part.unread for part in parts)


def _read(game: AnyGame, text: str) -> _Part:
    try:
        reading = game.read_list(text)
    except InvalidActionError:
        return _Part((), unread=text)
    if not reading.counts:
        return _Part((), unread=text)
    return _Part(reading.actions, goes_on=reading.goes_on)


def _without_brackets(game: AnyGame, seats: Sequence[Seat], text: str) -> Iterator[_Part]:
    """Yield the actions of a text, as many at once as can be read.

    Leaves out numbers of turns with their seats, as `history` shows them.
    """
    words = text.translate(_SEPARATORS).split()
    while words:
        ends = dict.fromkeys((len(words), *range(min(len(words), MOST_WORDS), 0, -1)))
        parts = ((end, _read(game, " ".join(words[:end]))) for end in ends)
        end, part = next(((end, part) for end, part in parts if not part.unread), (0, None))
        if part is not None:
            yield part
        elif left_out := _left_out(words, seats):
            end = left_out
        else:
            yield _Part((), unread=words[0])
            end = 1
        words = words[end:]


def _left_out(words: Sequence[str], seats: Iterable[Seat]) -> int:
    """Return the number of words at the start that are neither actions nor unreadable."""
    first, *others = words
    if not first.strip(_NOTHING):
        return sum(1 for _ in takewhile(lambda word: not word.strip(_NOTHING), words))
    if not _NUMBER.fullmatch(first):
        return 0
    if others and others[0].casefold() in (seat.casefold() for seat in seats):
        return 2
    return 0 if first.isdigit() else 1
