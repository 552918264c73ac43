"""SimpleGame: a game whose turns are one move each, and whose moves are texts.

It reads, checks and prints moves, and has a default for everything that not every game needs.
"""

from __future__ import annotations

import re
import sys
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, TypeVar

from pbem.games.api import (
    Game,
    GamePosition,
    IllegalActionError,
    InvalidActionError,
    Options,
    Seat,
)
from pbem.games.diagram import Cell, Diagram, PieceToken
from pbem.games.lenient_text import GOES, TAKES
from pbem.games.phrases import Phrase, page
from pbem.games.words import phrase

_SHAPE = re.compile(r"(\[[^]]*\])|(-)|( )|(?<![\\a-zA-Z])x(?![a-zA-Z])")
_BETWEEN = re.compile(rf"{GOES}|\s*-\s*|\s+")
_TAKES = rf"(?:{TAKES}|removes?)"
_BEFORE_X = re.compile(r"(?<!,),*(?:and)?x")
_X = rf"(?:\s*x\s*|[\s,]*(?:and\s+)?{_TAKES}\s*)"
_HYPHEN = rf"(?:{GOES}|\s*-\s*|\s*)"
_AND = r"(?:\s*[,;]\s*|\s+)"
MOST_CANDIDATES = 8


class Move(NamedTuple):
    """A move of a seat, by its canonical text."""

    seat: Seat
    text: str
    declaration: bool = False


P = TypeVar("P", bound=GamePosition)


class Piece(NamedTuple):
    """A piece on a board: its letter in text, and its looks in pictures."""

    letter: str
    token: PieceToken


def square_board(
    files: str,
    ranks: int,
    pieces: Mapping[str, Piece],
    legend: tuple[Phrase, ...],
    *,
    turned: bool = False,
    checkered: bool = False,
) -> Diagram:
    """Return a board of squares such as `a1`, which is at the bottom left, or top right if turned.

    `files` has a letter for each column. `pieces` are by square.
    """
    columns = files[::-1] if turned else files
    rows = range(1, ranks + 1) if turned else range(ranks, 0, -1)
    cells = {
        (x, y): _cell(f"{file}{rank}", pieces)
        for y, rank in enumerate(rows)
        for x, file in enumerate(columns)
    }
    return Diagram(
        len(files),
        ranks,
        cells,
        legend,
        column_names=tuple(columns),
        row_names=tuple(map(str, rows)),
        checkered=checkered,
    )


def _cell(name: str, pieces: Mapping[str, Piece]) -> Cell:
    piece = pieces.get(name)
    if piece is None:
        return Cell("", ".", name=name)
    return Cell("", piece.letter, name=name, tokens=(piece.token,))


class SimpleGame(Game[P, Move]):
    """Rules of a game in which seats take turns to make one move each.

    A subclass has `info`, `shape` and `example`, and defines `start`, `moves`, `after`, `outcome`
    and `diagram`. It may override all else. If turns do not go round all seats, override `to_act`.
    """

    shape: ClassVar[str]
    """Regular expression of all canonical texts, legal or not, such as `[a-h][1-8]-[a-h][1-8]`.

    A space in it may be left out. A hyphen may be left out, a space, an arrow or the word "to". An
    x that is not part of a word may be "takes", "captures" or "removes". Write `[-]` or `[x]` for a
    sign that must be there.
    """
    example: ClassVar[str]
    """A canonical text, shown to people who write something else."""
    square: ClassVar[str] = r"[a-z]\d+"
    """Regular expression of the names of squares in a canonical text."""
    rules_page: ClassVar[str] = "RULES.md"
    """File with the rules, beside the module of the game."""

    @abstractmethod
    def start(self, players: int, options: Options) -> P:
        """Return the position before the first move. The number and the options are possible."""

    @abstractmethod
    def moves(self, position: P) -> Iterable[str]:
        """Yield the canonical texts of all legal moves, each once, in a fixed order."""

    @abstractmethod
    def after(self, position: P, move: str) -> P:
        """Return the position after a legal move."""

    def initial(self, players: int, options: Options) -> P:
        self.info.seats_of(players)
        return self.start(players, self.info.with_defaults(options))

    def to_act(self, position: P) -> Seat | None:
        seats = self.info.seats
        return None if self.outcome(position) else seats[(position.turn - 1) % len(seats)]

    def legal_actions(self, position: P) -> Iterable[Move]:
        seat = self.to_act(position)
        return [Move(seat, text) for text in self.moves(position)] if seat else []

    def play(self, position: P, action: Move) -> P:
        if action not in self.legal_actions(position):
            raise IllegalActionError(phrase("not-allowed"))
        return self.after(position, action.text)

    def forfeit(self, position: P, seats: Sequence[Seat]) -> Mapping[Seat, int]:
        return {seat: int(seat not in seats) for seat in self.info.seats}

    def score(self, position: P) -> Mapping[Seat, int]:
        return dict.fromkeys(self.info.seats, 0)

    def standing(self, position: P) -> Mapping[Seat, int]:
        return dict.fromkeys(self.info.seats, 0)

    @cached_property
    def _written(self) -> str:
        """The shape as people may write it."""
        return _SHAPE.sub(_as_written, self.shape)

    @cached_property
    def _alone(self) -> re.Pattern[str]:
        return re.compile(self._written, re.IGNORECASE)

    @cached_property
    def _line(self) -> re.Pattern[str]:
        each = self._written
        return re.compile(rf"(?:{each})(?:{_AND}(?:{each}))*\.?", re.IGNORECASE)

    @cached_property
    def _in_prose(self) -> re.Pattern[str]:
        return re.compile(rf"(?<!\w)(?:{self._written})(?!\w)", re.IGNORECASE)

    def actions_in(self, line: str) -> tuple[str, ...] | None:
        """Return the moves of a line that holds nothing else, as written."""
        if not self._line.fullmatch(line):
            return None
        return tuple(found[0] for found in self._alone.finditer(line))

    def words_in(self, line: str) -> tuple[str, ...]:
        """Return what looks like a move in a line of prose."""
        return tuple(found[0] for found in self._in_prose.finditer(line))

    def meant(self, position: P, text: str, seat: Seat) -> Move:
        """Return the legal move that a text means. Spaces, hyphens and case make no difference."""
        if not self._alone.fullmatch(text.removesuffix(".")):
            raise InvalidActionError(self.no_move())
        to_act = self.to_act(position)
        if to_act is None:
            raise IllegalActionError(phrase("match-over"))
        if seat != to_act:
            asked, asking = self.info.name_of(to_act), self.info.name_of(seat)
            raise IllegalActionError(phrase("not-your-turn", to_act=asked, seat=asking))
        for move in self.moves(position):
            if _bare(move) == _bare(text):
                return Move(seat, move)
        raise IllegalActionError(self.not_legal(position, text), self._near(position, text))

    def no_move(self) -> Phrase:
        """Return why a text is not a move at all."""
        return phrase("no-move", example=self.example)

    def not_legal(self, position: P, text: str) -> Phrase:
        """Return why a text of the right shape, as written, is not a legal move."""
        return phrase("not-allowed")

    def _near(self, position: P, text: str) -> list[str]:
        """Return the legal moves that share a square with a text, or all, unless they are many."""
        moves, named = list(self.moves(position)), self._squares_in(text.casefold())
        near = [move for move in moves if named & self._squares_in(move)]
        return near[:MOST_CANDIDATES] or (moves if len(moves) <= MOST_CANDIDATES else [])

    def _squares_in(self, text: str) -> set[str]:
        return set(re.findall(self.square, text))

    def format(self, position: P, action: Move) -> str:
        return action.text

    def squares(self, position: P) -> dict[str, Any]:
        cells = self.diagram(position, self.info.seats[0]).cells.values()
        return {"squares": {cell.name: cell.piece for cell in cells if cell.piece.strip(" .")}}

    def paths(self, text: str) -> tuple[tuple[str, ...], ...]:
        path = tuple(re.findall(self.square, text))
        return (path,) if path else ()

    def rules(self, language: str) -> str:
        package = sys.modules[type(self).__module__].__package__
        return page(str(package), self.rules_page, language)


def _as_written(found: re.Match[str]) -> str:
    """Return what people may write for a sign in a shape."""
    return found[1] or (_HYPHEN if found[2] else r"\s*" if found[3] else _X)


def _bare(text: str) -> str:
    """Return what distinguishes a move from others, however it is written."""
    short = _BETWEEN.sub("", re.sub(_TAKES, "x", text.casefold()))
    return _BEFORE_X.sub("x", short).removesuffix(".")


__all__ = ["Move", "Piece", "SimpleGame", "square_board"]
