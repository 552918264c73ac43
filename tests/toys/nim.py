"""A toy game: one heap of seven, take one to three, who takes the last one wins."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pbem.games.api import GameInfo, IllegalAction, InvalidAction, Options, Outcome, Reading, Seat
from pbem.games.diagram import Cell, Diagram, Token
from pbem.games.phrases import Phrases
from pbem.games.text import plain, undressed, without_bullet
from pbem.games.words import phrase as common

phrase = Phrases("tests.toys.nim_words")

HEAP = 7
TAKE = re.compile(r"take ([0-9])\.?", re.IGNORECASE)
SEATS = ("first", "second")


class Take(NamedTuple):
    """How many a seat takes."""

    seat: Seat
    number: int
    declaration: bool = False


@dataclass(frozen=True)
class Heap:
    """What is left, and who is to take."""

    left: int = HEAP
    turn: int = 1
    passed: tuple[Seat, ...] = ()

    @property
    def seat(self) -> Seat:
        """Seat to act."""
        return SEATS[(self.turn - 1) % 2]


class Nim:
    """Satisfies `pbem.games.api.Game`."""

    info = GameInfo(
        key="nim",
        title="Nim",
        rules_version=1,
        seats=SEATS,
        holders={2: (("first",), ("second",))},
        sides={2: (("first",), ("second",))},
        terminations={"last-one": phrase("last-one")},
    )

    def initial(self, players: int, options: Options) -> Heap:
        self.info.seats_of(players)
        self.info.with_defaults(options)
        return Heap()

    def to_act(self, position: Heap) -> Seat | None:
        return position.seat if position.left else None

    def legal_actions(self, position: Heap) -> Iterable[Take]:
        return [Take(position.seat, n) for n in range(1, min(3, position.left) + 1)]

    def play(self, position: Heap, action: Take) -> Heap:
        if action not in self.legal_actions(position):
            raise IllegalAction(str(action.number), phrase("how-many"))
        return Heap(position.left - action.number, position.turn + 1)

    def outcome(self, position: Heap) -> Outcome | None:
        if position.left:
            return None
        winner = SEATS[position.turn % 2]
        return Outcome((winner,), "last-one", {seat: int(seat == winner) for seat in SEATS})

    def forfeit(self, position: Heap, seats: Sequence[Seat]) -> Mapping[Seat, int]:
        return {seat: int(seat not in seats) for seat in SEATS}

    def standing(self, position: Heap) -> Mapping[Seat, int]:
        return dict.fromkeys(SEATS, 0)

    def closing(self, position: Heap) -> str | None:
        return None

    def resignation(self, position: Heap, seat: Seat) -> str | None:
        return None

    def read(self, text: str) -> tuple[Reading, ...]:
        lines = text.splitlines()
        found = [TAKE.fullmatch(undressed(line)) for line in lines]
        return tuple(
            Reading(line, bool(take), (take[0],) if take else ())
            for line, take in zip(lines, found, strict=True)
        )

    def mentioned(self, line: str) -> tuple[str, ...]:
        return tuple(take[0] for take in re.finditer(r"\btake [0-9]\b", plain(line), re.IGNORECASE))

    def parse(self, position: Heap, text: str, seat: Seat) -> Take:
        match = TAKE.fullmatch(without_bullet(plain(text)).strip())
        if not match:
            raise InvalidAction(text, phrase("no-action"))
        if not position.left:
            raise IllegalAction(text, common("match-over"))
        if seat != position.seat:
            raise IllegalAction(text, common("not-your-turn", to_act=position.seat, seat=seat))
        action = Take(seat, int(match[1]))
        if action not in self.legal_actions(position):
            raise IllegalAction(text, phrase("too-many"), ["take 1"])
        return action

    def format(self, position: Heap, action: Take) -> str:
        return f"take {action.number}"

    def format_pass(self) -> str:
        return "--"

    def squares(self, position: Heap) -> dict[str, object]:
        return {"squares": {"heap": str(position.left)}}

    def diagram(self, position: Heap, seat: Seat) -> Diagram:
        heap = Cell("heap", str(position.left), name="heap", tokens=(Token("pawn", "white"),))
        return Diagram(1, 1, {(0, 0): heap}, (phrase("heap"),))

    def paths(self, text: str) -> tuple[tuple[str, ...], ...]:
        return (("heap",),)

    def rules(self, language: str) -> str:
        return "# Nim\n\nTake one to three. Whoever takes the last one wins.\n"


NIM = Nim()
