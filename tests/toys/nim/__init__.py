"""Nim, the tutorial game: one heap of seven. Take one to three. Whoever takes the last one wins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pbem.games.api import Family, Game, GameInfo, Options, Outcome, Seat
from pbem.games.diagram import Cell, Diagram, PieceToken
from pbem.games.phrases import page
from tests.toys.nim import notation, rules
from tests.toys.nim.notation import SEAT_NAMES
from tests.toys.nim.rules import SEATS, Heap, Take
from tests.toys.nim.words import phrase


class Nim(Game[Heap, Take]):
    """Everything the API asks of a game. Positions have no texts, which are optional."""

    info = GameInfo(
        key="nim",
        title="Nim",
        rules_version=1,
        seats=SEATS,
        holders={2: (("first",), ("second",))},
        sides={2: (("first",), ("second",))},
        terminations={"last-one": phrase("last-one")},
        seat_titles=SEAT_NAMES,
        seat_names=SEAT_NAMES,
    )

    def initial(self, players: int, options: Options) -> Heap:
        self.info.seats_of(players)
        self.info.with_defaults(options)
        return Heap()

    def to_act(self, position: Heap) -> Seat | None:
        return position.seat if position.left else None

    def legal_actions(self, position: Heap) -> Iterable[Take]:
        return rules.legal_actions(position)

    def play(self, position: Heap, action: Take) -> Heap:
        return rules.play(position, action)

    def outcome(self, position: Heap) -> Outcome | None:
        return rules.outcome(position)

    def forfeit(self, position: Heap, seats: Sequence[Seat]) -> Mapping[Seat, int]:
        return {seat: int(seat not in seats) for seat in SEATS}

    def standing(self, position: Heap) -> Mapping[Seat, int]:
        return dict.fromkeys(SEATS, 0)

    def actions_in(self, line: str) -> tuple[str, ...] | None:
        return notation.actions_in(line)

    def words_in(self, line: str) -> tuple[str, ...]:
        return notation.words_in(line)

    def meant(self, position: Heap, text: str, seat: Seat) -> Take:
        return notation.meant(position, text, seat)

    def format(self, position: Heap, action: Take) -> str:
        return notation.format_action(action)

    def squares(self, position: Heap) -> dict[str, object]:
        return {"squares": {"heap": str(position.left)}}

    def diagram(self, position: Heap, seat: Seat) -> Diagram:
        heap = Cell("heap", str(position.left), name="heap", tokens=(PieceToken("pawn", "white"),))
        return Diagram(1, 1, {(0, 0): heap}, (phrase("heap"),))

    def paths(self, text: str) -> tuple[tuple[str, ...], ...]:
        return (("heap",),)

    def rules(self, language: str) -> str:
        return page(__name__, "RULES.md", language)


NIM = Nim()
FAMILY = Family(api=1, games=(NIM,))
