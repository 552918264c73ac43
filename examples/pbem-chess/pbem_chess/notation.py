"""Chess notation: short (`Nf3`), long (`Ng1-f3`), UCI (`g1f3`), and what people make of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import chess

from pbem.games.api import (
    AmbiguousActionError,
    IllegalActionError,
    InvalidActionError,
    Seat,
)
from pbem.games.phrases import Phrase
from pbem.games.words import phrase as common
from pbem_chess.position import ChessAction, ChessPosition, castled, rook_of
from pbem_chess.rules import claim, legal_actions
from pbem_chess.words import phrase

CLAIM = "claim draw"
LONGEST = 80
"""Characters of an action. A longer text is none."""
MOST_CANDIDATES = 8

SEAT_NAMES = {"white": phrase("seat.white"), "black": phrase("seat.black")}
"""Seat names inside a sentence."""
SEAT_TITLES = {"white": phrase("title.white"), "black": phrase("title.black")}
"""Seat names on their own."""
_FIGURINES = str.maketrans("♔♕♖♗♘♙♚♛♜♝♞♟", "KQRBNPKQRBNP")
_NAMES = {"king": "K", "queen": "Q", "rook": "R", "bishop": "B", "knight": "N", "pawn": "P"}
_PIECE = rf"(?:{'|'.join(_NAMES)})\b|[KQRBNP]"
_PROMOTES = r"\s?[=/(]?\s?(?P<promotion>[QRBN]|queen|rook|bishop|knight)\)?(?![a-z0-9])"
_AFTER = r"(?:\s?(?:\(?e\.?\s?p\.?\)?(?![a-z])|\+{1,2}|\#|check(?:mate)?\b|mate\b|!{1,3}|!\?))*"
_MOVE = (
    rf"(?:(?P<piece>{_PIECE})\s?)?(?:(?P<file>[a-h])?(?P<rank>[1-8])?)"
    r"(?:\s?(?P<sign>-(?!>)|[-=]?>|to\b|on\b|x|:|\*|takes\b|captures\b)\s?)?"
    rf"(?P<to>[a-h][1-8])(?:{_PROMOTES})?{_AFTER}"
)
_CASTLING = (
    r"(?:[O0]\s?-\s?[O0](?P<long>\s?-\s?[O0])?"
    r"|(?P<side>(?:king|queen|short|long)(?:'?s)?[\s-]?(?:side)?)\s?castl(?:e|es|ing)"
    r"|castl(?:e|es|ing)(?:\s(?:on\s)?(?:the\s)?"
    r"(?P<where>(?:king|queen|short|long)(?:'?s)?[\s-]?(?:side)?))?)"
    rf"{_AFTER}"
)
_CLAIM = (
    r"(?:I\s)?claim(?:s|ing)?\s(?:a\s|the\s)?draw"
    r"(?:\s(?:by|under|because\sof)\s(?:the\s)?[a-z0-9-]+(?:\s[a-z0-9-]+){0,2})?"
)
_NUMBER = r"(?:\d{1,3}\s?[.):…])?[.…\s]{0,6}"
_CLAIMS = rf",?\s?(?:and\s|&\s)?(?P<claim>{_CLAIM})"
_END = r"\.?(?=[\s;,]|$)"


def _pattern(move: str) -> re.Pattern[str]:
    return re.compile(
        rf"{_NUMBER}(?:(?:{move}|{_CASTLING})(?:{_CLAIMS})?|(?P<alone>{_CLAIM})){_END}",
        re.IGNORECASE,
    )


_ACTION = _pattern(_MOVE)
_FILE_FIRST = _pattern(_MOVE.replace(_PIECE, "(?!)"))
"""The same without letters of pieces, so that a `b` is always a file."""
_NUMBER_ALONE = re.compile(r"\d{1,3}[.)…]+(?=\s|$)")
_MENTIONED = re.compile(
    r"(?<![\w-])(?:[KQRBN]?[a-h]?[1-8]?[x:-]?[a-h][1-8](?:=?[QRBN])?|O-O(?:-O)?|0-0(?:-0)?)"
    r"[+#]?(?![\w-])",
    re.IGNORECASE,
)


def actions_in(line: str) -> tuple[str, ...] | None:
    """Return the actions of a line that holds nothing else, None if it holds more."""
    found, at, text = list[str](), 0, line.translate(_FIGURINES)
    while at < len(text):
        if match := _ACTION.match(text, at):
            found.append(match[0])
            at = match.end()
        elif text[at] in " ;,":
            at += 1
        elif number := _NUMBER_ALONE.match(text, at):
            at = number.end()
        else:
            return None
    return tuple(found)


def words_in(line: str) -> tuple[str, ...]:
    """Return the words of a line of prose that look like moves."""
    return tuple(word[0] for word in _MENTIONED.finditer(line.translate(_FIGURINES)))


def format_action(position: ChessPosition, action: ChessAction) -> str:
    """Return the canonical text: short notation, and `claim draw` after it or alone."""
    texts = [] if action.move is None else [position.board.san(action.move)]
    return " ".join([*texts, CLAIM] if action.claims else texts)


def meant(position: ChessPosition, written: str, seat: Seat) -> ChessAction:
    """Return the action that a text means.

    Raises InvalidActionError, IllegalActionError or AmbiguousActionError.
    """
    text = written.translate(_FIGURINES)
    match = _ACTION.fullmatch(text) if len(text) <= LONGEST else None
    if not match:
        raise InvalidActionError(phrase("no-action"))
    if position.ending is not None:
        raise IllegalActionError(common("match-over"))
    if position.seat != seat:
        asked, asking = SEAT_NAMES[position.seat], SEAT_NAMES[seat]
        raise IllegalActionError(common("not-your-turn", to_act=asked, seat=asking))
    move = None if match["alone"] else _move(position, text, match)
    claims = bool(match["alone"] or match["claim"])
    if claims and not claim(position, move):
        alone = () if move is None else (position.board.san(move),)
        raise IllegalActionError(phrase("no-claim"), alone)
    return ChessAction(seat, move, claims)


def _move(position: ChessPosition, text: str, match: re.Match[str]) -> chess.Move:
    """Return the move of a text. Raises IllegalActionError or AmbiguousActionError."""
    board = position.board
    legal = list(board.legal_moves)
    readings = list(_readings(text, match))
    for same in _ranked(readings):
        found = [move for move in legal if any(fits(board, move) for fits in same)]
        if len(found) == 1:
            return found[0]
        if found:
            raise AmbiguousActionError(common("several-readings"), sorted(map(board.san, found)))
    raise IllegalActionError(_reason(board, readings), _near(position, match))


class _Reading(NamedTuple):
    """A way to read a text."""

    fits: Callable[[chess.Board, chess.Move], bool]
    exact: bool


def _ranked(readings: Iterable[_Reading]) -> Iterator[list[Callable[..., bool]]]:
    """Yield the readings in the very letters of the notation, then the others."""
    for exact in (True, False):
        if fits := [each.fits for each in readings if each.exact == exact]:
            yield fits


def _readings(text: str, match: re.Match[str]) -> Iterator[_Reading]:
    """Yield the ways to read a text: a `b` may be a file, or the bishop in a small letter."""
    if match["to"] is None:
        yield _Reading(_castles(match), exact=True)
        return
    small = match["to"][0].islower()
    other = _FILE_FIRST.fullmatch(text) if match["piece"] in ("b", "B") else None
    if other and not _is_own_file(other):
        yield _Reading(_Squares.of(other).fits, exact=match["piece"] == "b" and small)
    yield _Reading(_Squares.of(match).fits, exact=match["piece"] != "b" and (small or not other))


def _is_own_file(match: re.Match[str]) -> bool:
    """Return whether a text would be a pawn that captures on its own file."""
    return bool(match["file"]) and not match["rank"] and match["file"] == match["to"][0]


def _castles(match: re.Match[str]) -> Callable[[chess.Board, chess.Move], bool]:
    where = (match["side"] or match["where"] or "").casefold()
    if where or "-" in match[0]:
        long = bool(match["long"]) or where.startswith(("queen", "long"))
        return chess.Board.is_queenside_castling if long else chess.Board.is_kingside_castling
    return chess.Board.is_castling


class _Squares(NamedTuple):
    """What a text says of a move. None is left open."""

    piece: chess.PieceType | None
    file: int | None
    rank: int | None
    to: chess.Square
    takes: bool
    promotion: chess.PieceType | None

    @classmethod
    def of(cls, match: re.Match[str]) -> _Squares:
        """Return what a match of a pattern says."""
        piece, promotion = _type(match["piece"]), _type(match["promotion"])
        file, rank, sign = match["file"], match["rank"], (match["sign"] or "").casefold()
        if piece is None and not (file and rank):
            piece = chess.PAWN
        return cls(
            piece,
            "abcdefgh".index(file.lower()) if file else None,
            int(rank) - 1 if rank else None,
            chess.parse_square(match["to"].lower()),
            sign in ("x", ":", "*", "takes", "captures"),
            promotion,
        )

    def fits(self, board: chess.Board, move: chess.Move) -> bool:
        """Return whether a legal move may be meant."""
        start, castling = move.from_square, board.is_castling(move)
        if self.takes and not board.is_capture(move):
            return False
        return (
            self.piece in (None, board.piece_type_at(start))
            and self.file in (None, chess.square_file(start))
            and self.rank in (None, chess.square_rank(start))
            and self.promotion in (None, move.promotion)
            and (self._reaches(board, move) if castling else self.to == move.to_square)
        )

    def _reaches(self, board: chess.Board, move: chess.Move) -> bool:
        """Return whether castling is meant: it needs the king's square, and where it goes.

        In UCI that is its own square after castling, or in Chess960 that of the rook.
        """
        if self.file is None or self.rank is None:
            return False
        king, _ = castled(board, move)
        if self.to == king:
            return chess.square_distance(move.from_square, king) > 1
        return self.to == rook_of(board, move)


def _type(letter: str | None) -> chess.PieceType | None:
    if not letter:
        return None
    return chess.PIECE_SYMBOLS.index(_NAMES.get(letter.casefold(), letter).lower())


def _reason(board: chess.Board, readings: Iterable[_Reading]) -> Phrase:
    """Return why no legal move fits."""
    fits = [each.fits for each in readings]
    if any(each(board, move) for move in board.pseudo_legal_moves for each in fits):
        return phrase("in-check") if board.is_check() else phrase("into-check")
    return phrase("in-check") if board.is_check() else phrase("cannot-go")


def _near(position: ChessPosition, match: re.Match[str]) -> list[str]:
    """Return legal moves to the same square, then those of the same piece to squares nearby."""
    board, legal = position.board, [each for each in legal_actions(position) if not each.claims]
    moves = [each.move for each in legal if each.move is not None]
    if match["to"] is None:
        return [board.san(move) for move in moves if board.is_castling(move)]
    meant = _Squares.of(match)
    same = [move for move in moves if move.to_square == meant.to]
    others = [
        move
        for move in moves
        if move not in same and meant.piece == board.piece_type_at(move.from_square)
    ]
    same += sorted(others, key=lambda move: chess.square_distance(meant.to, move.to_square))
    return [board.san(move) for move in same[:MOST_CANDIDATES]]
