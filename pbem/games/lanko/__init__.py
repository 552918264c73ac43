"""Lanko-88, Lanko-68 and Lanko-103 (rulebook, Lanko)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pbem.games.api import Family, Game, GameInfo, Option, Options, Outcome, Reading, Seat
from pbem.games.diagram import Diagram
from pbem.games.lanko import (
    notation,
    position_text,
    rules,
    score,
    view,
)
from pbem.games.lanko.board import SEATS, load_board
from pbem.games.lanko.pieces import PIECES
from pbem.games.lanko.position import Action, LankoPosition, LankoTerms
from pbem.games.lanko.words import phrase
from pbem.games.phrases import page

PAIRS = (("S", "N"), ("W", "E"))

OPTIONS = (
    Option("repetition", 1, phrase("option.repetition"), True),
    Option("quiet_limit", 200, phrase("option.quiet-limit")),
)


SEAT_TITLES = {
    "S": phrase("title.S"),
    "N": phrase("title.N"),
    "W": phrase("title.W"),
    "E": phrase("title.E"),
}

SUMMARIES = {
    "lanko-88": phrase("summary.lanko-88"),
    "lanko-68": phrase("summary.lanko-68"),
    "lanko-103": phrase("summary.lanko-103"),
}


class Lanko(Game[LankoPosition, Action]):
    """Lanko on one of its three boards."""

    def __init__(self, key: str, title: str) -> None:
        home = phrase("home.middle") if key != "lanko-103" else phrase("home.ends")
        self.info = GameInfo(
            key=key,
            title=title,
            rules_version=1,
            seats=SEATS,
            holders={
                2: (("S", "N"), ("W", "E")),
                3: (("S",), ("W", "E"), ("N",)),
                4: (("S",), ("W",), ("N",), ("E",)),
            },
            sides={2: PAIRS, 3: PAIRS, 4: PAIRS},
            agreements=frozenset({"agreed"}),
            terminations={
                "middle-full": phrase("ending.middle-full", home=home),
                "no-entry": phrase("ending.no-entry"),
                "annihilated": phrase("ending.annihilated", home=home),
                "agreed": phrase("ending.agreed"),
                "shuttle": phrase("ending.shuttle"),
                "repetition": phrase("ending.repetition"),
                "quiet": phrase("ending.quiet"),
            },
            options=OPTIONS,
            summary=SUMMARIES[key],
            score=phrase("score"),
            draw_offers=False,
            seat_titles=SEAT_TITLES,
        )

    def initial(self, players: int, options: Options) -> LankoPosition:
        """Return the opening: all pieces in their own arms, S to act."""
        terms = self._terms(players, options)
        cells = terms.board.opening
        return LankoPosition(
            terms, cells, middle="", seat="S", seen=("S" + cells,) if terms.repetition else ()
        )

    def _terms(self, players: int, options: Options) -> LankoTerms:
        self.info.seats_of(players)
        values = self.info.with_defaults(options)
        return LankoTerms(
            board=load_board(self.info.key),
            holders=self.info.holders[players],
            repetition=bool(values["repetition"]),
            quiet_limit=values["quiet_limit"],
        )

    def to_act(self, position: LankoPosition) -> Seat | None:
        """Return the seat whose turn it is."""
        return None if position.ending is not None else position.seat

    def legal_actions(self, position: LankoPosition) -> Iterable[Action]:
        """Return captures if there are any, otherwise steps and jumps, by start in board order."""
        return position.legal

    def play(self, position: LankoPosition, action: Action) -> LankoPosition:
        """Return the position after a move or a declaration. Raises IllegalActionError."""
        return rules.play(position, action)

    def outcome(self, position: LankoPosition) -> Outcome | None:
        """Return the result by endings a to f."""
        return score.outcome(position)

    def score(self, position: LankoPosition) -> Mapping[Seat, int]:
        """Return each side's points minus the other side's."""
        return score.scores(score.balance(position))

    def forfeit(self, position: LankoPosition, seats: Sequence[Seat]) -> Mapping[Seat, int]:
        """Return the balance if the side of these seats gives up."""
        return score.forfeit(position, seats)

    def standing(self, position: LankoPosition) -> Mapping[Seat, int]:
        """Rate each seat by balance of points, then by how near its castles are to home."""
        return score.standing(position)

    def actions_in(self, line: str) -> tuple[str, ...] | None:
        """Return the actions of a line that holds nothing else."""
        return notation.actions_in(line)

    def joined(self, lines: Sequence[Reading]) -> Sequence[Reading]:
        """Join each declaration to its move."""
        return notation.joined(lines)

    def words_in(self, line: str) -> tuple[str, ...]:
        """Return words in prose that look like actions."""
        return notation.words_in(line)

    def meant(self, position: LankoPosition, text: str, seat: Seat) -> Action:
        """Return the action that a text means for a seat."""
        return notation.meant(position, text, seat)

    def format(self, position: LankoPosition, action: Action) -> str:
        """Return the canonical text."""
        return notation.format_action(position.terms.board, action)

    def format_pass(self) -> str:
        """Return the text of a lost turn."""
        return notation.PASS

    def squares(self, position: LankoPosition) -> dict[str, object]:
        """Return pieces by label. `X` holds its castles as one string."""
        board = position.terms.board
        pieces = {
            label: piece
            for label, piece in zip(board.labels, position.cells, strict=True)
            if piece != "."
        }
        if position.middle:
            pieces["X"] = position.middle
        return {"squares": pieces}

    def paths(self, text: str) -> tuple[tuple[str, ...], ...]:
        """Return the path of the piece."""
        return notation.paths(text)

    def diagram(self, position: LankoPosition, seat: Seat) -> Diagram:
        """Return the board with the seat's own arm at the bottom."""
        return view.diagram(position, seat)

    def rules(self, language: str) -> str:
        """Return the rules of Lanko for players."""
        return page(__name__, "RULES.md", language)

    def write_position(self, position: LankoPosition) -> str:
        """Return the text of a position."""
        return position_text.write(position)

    def read_position(self, players: int, options: Options, text: str) -> LankoPosition:
        """Return the position of a text. Raises ValueError or LookupError."""
        return position_text.read(self._terms(players, options), text)

    def require_possible(self, position: LankoPosition) -> None:
        """Raise ImpossiblePosition unless a match can reach the position."""
        position_text.require_possible(position)


LANKO_88 = Lanko("lanko-88", "Lanko-88")
LANKO_68 = Lanko("lanko-68", "Lanko-68")
LANKO_103 = Lanko("lanko-103", "Lanko-103")

FAMILY = Family(api=1, games=(LANKO_88, LANKO_68, LANKO_103), pieces=PIECES)
