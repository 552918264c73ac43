"""Lancelot for two to five players (rulebook, Lancelot)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pbem.games.api import Family, Game, GameInfo, Option, Options, Outcome, Reading, Seat
from pbem.games.diagram import Diagram
from pbem.games.lancelot import (
    notation,
    position_text,
    rules,
    score,
    view,
)
from pbem.games.lancelot.board import SEAT_NAMES, SEAT_TITLES, SEATS, board_for, name_of
from pbem.games.lancelot.pieces import PIECES
from pbem.games.lancelot.position import Action, LancelotPosition, LancelotTerms
from pbem.games.lancelot.words import phrase
from pbem.games.phrases import page

TARGETS = {2: 7, 3: 8, 4: 9, 5: 10}
PLAYERS = tuple(TARGETS)


class Lancelot(Game[LancelotPosition, Action]):
    """Lancelot, the game of placing knights."""

    info = GameInfo(
        key="lancelot",
        title="Lancelot",
        rules_version=2,
        seats=SEATS,
        holders={n: tuple((seat,) for seat in SEATS[:n]) for n in PLAYERS},
        sides={n: tuple((seat,) for seat in SEATS[:n]) for n in PLAYERS},
        terminations={
            "target": phrase("ending.target"),
            "exhausted": phrase("ending.exhausted"),
        },
        options=(
            Option("diagonals", 0, phrase("option.diagonals"), True),
            Option("excalibur", 0, phrase("option.excalibur"), True),
            Option("target", 0, phrase("option.target")),
        ),
        summary=phrase("summary"),
        score=phrase("score"),
        seat_titles=SEAT_TITLES,
        seat_names=SEAT_NAMES,
    )

    def __init__(self, rules_version: int = info.rules_version) -> None:
        """Choose the rules. In version 1 the king's force must place a knight."""
        self.info = replace(self.info, rules_version=rules_version)

    def initial(self, players: int, options: Options) -> LancelotPosition:
        """Return an empty area. With Excalibur, the last seat places it first."""
        terms, none = self._terms(players, options), (0,) * players
        return LancelotPosition(terms, none, none, none, players - 1 if terms.excalibur else 0)

    def _terms(self, players: int, options: Options) -> LancelotTerms:
        seats = self.info.seats_of(players)
        values = self.info.with_defaults(options)
        return LancelotTerms(
            board=board_for(players, bool(values["diagonals"])),
            seats=seats,
            target=values["target"] or TARGETS[players],
            excalibur=bool(values["excalibur"]),
            sword_alone=self.info.rules_version > 1,
        )

    def to_act(self, position: LancelotPosition) -> Seat | None:
        """Return the seat whose turn it is."""
        return None if position.ending is not None else position.seat

    def legal_actions(self, position: LancelotPosition) -> Iterable[Action]:
        """Yield placements from A1 on, then Excalibur alone from A1 on, then both."""
        return rules.legal_actions(position)

    def play(self, position: LancelotPosition, action: Action) -> LancelotPosition:
        """Return the position after an action. Raises IllegalActionError."""
        return rules.play(position, action)

    def outcome(self, position: LancelotPosition) -> Outcome | None:
        """Return the winners and the knights defeated."""
        return score.outcome(position)

    def forfeit(self, position: LancelotPosition, seats: Sequence[Seat]) -> Mapping[Seat, int]:
        """Return the knights defeated so far."""
        return dict(zip(position.terms.seats, position.defeated, strict=True))

    def standing(self, position: LancelotPosition) -> Mapping[Seat, int]:
        """Rate each seat by knights defeated, then by lines one short of a defeat."""
        return score.standing(position)

    def resignation(self, position: LancelotPosition, seat: Seat) -> str | None:
        """Return the text for giving up. With three or more players, the seat then only passes."""
        return notation.RESIGN if len(position.terms.seats) > 2 else None

    def actions_in(self, line: str) -> tuple[str, ...] | None:
        """Return the actions of a line that holds nothing else."""
        return notation.actions_in(line)

    def joined(self, lines: Sequence[Reading]) -> Sequence[Reading]:
        """Join the halves of an action that are on two lines."""
        return notation.joined(lines)

    def words_in(self, line: str) -> tuple[str, ...]:
        """Return words in prose that look like actions."""
        return notation.words_in(line)

    def meant(self, position: LancelotPosition, text: str, seat: Seat) -> Action:
        """Return the action that a text means for a seat."""
        return notation.meant(position, text, seat)

    def format(self, position: LancelotPosition, action: Action) -> str:
        """Return the canonical text."""
        return notation.format_action(action)

    def squares(self, position: LancelotPosition) -> dict[str, object]:
        """Return knights and Excalibur by square, and the knights that each seat has defeated."""
        pieces = {name_of(square): letter for square, letter in view.pieces_of(position).items()}
        defeated = dict(zip(position.terms.seats, position.defeated, strict=True))
        return {"squares": pieces, "defeated": defeated}

    def paths(self, text: str) -> tuple[tuple[str, ...], ...]:
        """Return the squares on which something was placed."""
        return notation.paths(text)

    def diagram(self, position: LancelotPosition, seat: Seat) -> Diagram:
        """Return the area in play."""
        return view.diagram(position)

    def rules(self, language: str) -> str:
        """Return the rules of Lancelot for players."""
        return page(__name__, "RULES.md", language)

    def write_position(self, position: LancelotPosition) -> str:
        """Return the text of a position."""
        return position_text.write(position)

    def read_position(self, players: int, options: Options, text: str) -> LancelotPosition:
        """Return the position of a text. Raises ValueError or LookupError."""
        return position_text.read(self._terms(players, options), text)

    def require_possible(self, position: LancelotPosition) -> None:
        """Raise ImpossiblePosition unless a match can reach the position."""
        position_text.require_possible(position)


LANCELOT = Lancelot()
LANCELOT_1 = Lancelot(rules_version=1)

FAMILY = Family(api=1, games=(LANCELOT,), older=(LANCELOT_1,), pieces=PIECES)
