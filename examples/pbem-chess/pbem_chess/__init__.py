"""Chess and Chess960 for pbem, on python-chess (FIDE Laws of Chess)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pbem.games.api import Family, Game, GameInfo, Option, OptionError, Options, Outcome, Seat
from pbem.games.diagram import Diagram
from pbem.games.phrases import page
from pbem_chess import notation, position_text, rules, view
from pbem_chess.engine import bots
from pbem_chess.notation import SEAT_NAMES, SEAT_TITLES
from pbem_chess.pgn import PGN
from pbem_chess.pieces import PIECES
from pbem_chess.position import SEATS, USUAL, ChessAction, ChessPosition, path_of, start
from pbem_chess.words import phrase

STARTS = 960
_SEED = re.compile(r"seed:([!-~]{1,60})")


@dataclass(frozen=True)
class StartOption(Option):
    """The starting position: its number, or a published seed from which everyone can compute it."""

    def read(self, text: str) -> int:
        """Return the number of `off`, a number or `seed:WORD`. Raises OptionError.

        The number of a seed is its SHA-256 modulo 960.
        """
        value = text.strip()
        if value.casefold() == "off":
            return USUAL
        if seed := _SEED.fullmatch(value):
            return int(hashlib.sha256(seed[1].encode()).hexdigest(), 16) % STARTS
        if value.isascii() and value.isdigit() and len(value) <= 3 and int(value) < STARTS:
            return int(value)
        raise OptionError(phrase("option.wrong", option=self.key, text=repr(text)))

    def format(self, value: int) -> str:
        """Return the text that `read` turns into this value."""
        return "off" if value == USUAL else str(value)


class Chess(Game[ChessPosition, ChessAction]):
    """Chess, from the usual position or one of the 960."""

    info = GameInfo(
        key="chess",
        title="Chess",
        rules_version=1,
        seats=SEATS,
        holders={2: (("white",), ("black",))},
        sides={2: (("white",), ("black",))},
        terminations={
            "checkmate": phrase("ending.checkmate"),
            "stalemate": phrase("ending.stalemate"),
            "insufficient": phrase("ending.insufficient"),
            "threefold": phrase("ending.threefold"),
            "fifty": phrase("ending.fifty"),
            "fivefold": phrase("ending.fivefold"),
            "seventyfive": phrase("ending.seventyfive"),
        },
        options=(StartOption("chess960", USUAL, phrase("option.chess960")),),
        summary=phrase("summary"),
        score=phrase("score"),
        seat_titles=SEAT_TITLES,
        seat_names=SEAT_NAMES,
    )

    def initial(self, players: int, options: Options) -> ChessPosition:
        """Return the starting position. Raises OptionError if there is none with that number."""
        self.info.seats_of(players)
        number = self.info.with_defaults(options)["chess960"]
        if not 0 <= number < STARTS:
            raise OptionError(phrase("option.wrong", option="chess960", text=repr(str(number))))
        return start(number)

    def to_act(self, position: ChessPosition) -> Seat | None:
        """Return the seat to move."""
        return position.seat if position.ending is None else None

    def legal_actions(self, position: ChessPosition) -> Iterable[ChessAction]:
        """Yield moves from a1 on, then claims."""
        return rules.legal_actions(position)

    def play(self, position: ChessPosition, action: ChessAction) -> ChessPosition:
        """Return the position after an action. Raises IllegalActionError."""
        return rules.play(position, action)

    def outcome(self, position: ChessPosition) -> Outcome | None:
        """Return a win by checkmate, or a draw."""
        return rules.outcome(position)

    def forfeit(self, position: ChessPosition, seats: Sequence[Seat]) -> Mapping[Seat, int]:
        """Return a point for the other seat."""
        return rules.scores(tuple(seat for seat in SEATS if seats and seat not in seats))

    def can_win(self, position: ChessPosition, seat: Seat) -> bool:
        """Return whether a seat has the pieces to give checkmate (FIDE 6.9)."""
        return rules.can_win(position, seat)

    def standing(self, position: ChessPosition) -> Mapping[Seat, int]:
        """Rate each seat by its pieces and where they stand."""
        return rules.standing(position)

    def actions_in(self, line: str) -> tuple[str, ...] | None:
        """Return the actions of a line that holds nothing else."""
        return notation.actions_in(line)

    def words_in(self, line: str) -> tuple[str, ...]:
        """Return words in prose that look like moves."""
        return notation.words_in(line)

    def meant(self, position: ChessPosition, text: str, seat: Seat) -> ChessAction:
        """Return the action that a text means for a seat."""
        return notation.meant(position, text, seat)

    def format(self, position: ChessPosition, action: ChessAction) -> str:
        """Return the short notation (SAN)."""
        return notation.format_action(position, action)

    def squares(self, position: ChessPosition) -> dict[str, object]:
        """Return the pieces by square and the position in FEN."""
        cells = view.diagram(position, "white").cells.values()
        pieces = {cell.name: cell.piece for cell in cells if cell.tokens}
        return {"squares": pieces, "fen": position.board.fen()}

    def diagram(self, position: ChessPosition, seat: Seat) -> Diagram:
        """Return the board with the seat's pieces at the bottom."""
        return view.diagram(position, seat)

    def paths(self, text: str) -> None:
        """Return None: short notation leaves out where a piece came from."""
        return

    def moved(self, position: ChessPosition, action: ChessAction) -> tuple[tuple[str, ...], ...]:
        """Return where the moving piece starts and ends."""
        return () if action.move is None else (path_of(position.board, action.move),)

    def rules(self, language: str) -> str:
        """Return the rules of chess for players."""
        return page(__name__, "RULES.md", language)

    def write_position(self, position: ChessPosition) -> str:
        """Return the text of a position."""
        return position_text.write(position)

    def read_position(self, players: int, options: Options, text: str) -> ChessPosition:
        """Return the position of a text. Raises ValueError or LookupError."""
        number = self.info.with_defaults(options)["chess960"]
        return position_text.read(text, chess960=number != USUAL)

    def require_possible(self, position: ChessPosition) -> None:
        """Raise ImpossiblePosition unless a match can reach the position."""
        position_text.require_possible(position)


CHESS = Chess()
FAMILY = Family(api=1, games=(CHESS,), pieces=PIECES, formats=(PGN,), bots=bots)
