"""Plans: answers that a player has written ahead to turns of others (docs/contracts.md, "Plans").

A plan is a tree, kept as its lines from the root to each leaf. The turns played since it was sent
lead down the tree. All here is pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple

from pbem.games.api import ActionError, AnyGame, GamePosition, Seat
from pbem.matches.match import (
    CommandError,
    Match,
    MatchSummary,
    OfferKind,
    PlayerId,
    RecordedAction,
)
from pbem.matches.match_offers import offer
from pbem.matches.player_actions import Change, play, resign

ANY, ANYTHING = ("any",), ("anything",)
"""One turn of another seat, and all turns until the author's, whatever they are."""
RESIGN, DRAW = ("resign",), ("draw",)
"""Answers that are not turns."""


class Step(NamedTuple):
    """A turn in a line: of another player, which must be played, or the author's answer."""

    own: bool
    texts: tuple[str, ...]
    """Canonical actions, or one of the words above."""
    men: int = 0
    """For an answer after `any` or `anything`: the men that its author must still have."""


PlanLine = tuple[Step, ...]
"""A line from the root of a plan to a leaf."""


class Ending(StrEnum):
    """Why a plan has ended. The words are stored."""

    PLAYED = "played"
    """The last answer was played."""
    CANCELLED = "cancelled"
    BY_HAND = "hand"
    """The author played a turn themselves."""
    LEFT = "left"
    """Somebody played a turn that is not in it."""
    ILLEGAL = "illegal"
    """The answer is not legal, or would mean something else."""
    CAPTURED = "captured"
    """A man of its author was captured that it did not foresee."""
    DRAW = "draw"
    """Somebody offered a draw."""
    ABANDON = "abandon"
    """Somebody offered to abandon the match."""
    HANDS = "hands"
    """A seat changed hands."""
    UNDONE = "undone"
    """Turns were taken back, or the director reopened the match."""
    TOO_LONG = "long"
    """Plans answered each other for too long."""
    OVER = "over"
    """The match ended."""


SILENT = frozenset({Ending.PLAYED, Ending.CANCELLED, Ending.BY_HAND, Ending.OVER})
"""Endings that their author knows of anyway."""


@dataclass(frozen=True)
class Plan:
    """The lines that a player sent in one email."""

    match_id: int
    player: PlayerId
    number: int
    """Counted from 1 for each player of a match, so that it says nothing about others' plans."""
    lines: tuple[PlanLine, ...]
    turn: int
    """The turn in which it was sent."""
    since: int
    """Number of actions recorded when it was sent. Earlier ones never count."""
    ended: Ending | None = None
    told: bool = False
    """Whether its author need not be told any more that it ended."""


class PastTurn(NamedTuple):
    """A turn that was played since a plan was sent."""

    own: bool
    texts: tuple[str, ...]


def turns_since(
    match: MatchSummary, player: PlayerId, actions: Iterable[RecordedAction]
) -> list[PastTurn]:
    """Return the turns that some actions of a match completed, as seen by a player.

    Declarations of other seats during a turn are left out.
    """
    turns = []
    for turn, some in groupby(actions, key=lambda each: each.turn):
        if turn >= match.turn and match.result is None:
            break
        played = list(some)
        seat = played[-1].seat
        texts = tuple(each.text for each in played if each.seat == seat)
        turns.append(PastTurn(match.held_by(seat, turn) == player, texts))
    return turns


class Branch(NamedTuple):
    """The rest of a line, and how exactly the turns played so far fit it."""

    rank: tuple[int, ...]
    """For each turn of others: 0 if the line names it, 1 for `any`, 2 for `anything`."""
    rest: PlanLine

    @property
    def answer(self) -> Step | None:
        """The answer if it is the author's turn now."""
        rest = self.rest[1:] if self.rest and self.rest[0].texts == ANYTHING else self.rest
        return rest[0] if rest and rest[0].own else None


def branches(lines: Iterable[PlanLine], turns: Sequence[PastTurn]) -> list[Branch]:
    """Return what is left of the lines that fit the turns played, the most exact first."""
    found = (_followed(line, turns) for line in lines)
    return sorted((each for each in found if each is not None), key=lambda each: each.rank)


def _followed(line: PlanLine, turns: Sequence[PastTurn]) -> Branch | None:
    rank: list[int] = []
    at = 0
    for turn in turns:
        if turn.own and at < len(line) and line[at].texts == ANYTHING:
            at += 1
        step = line[at] if at < len(line) else None
        if step is None or step.own != turn.own:
            return None
        if step.texts == ANYTHING:
            rank.append(2)
            continue
        if step.texts == ANY:
            rank.append(1)
        elif step.texts == turn.texts:
            rank.append(0)
        else:
            return None
        at += 1
    return Branch(tuple(rank), line[at:])


def answered(match: Match, player: PlayerId, step: Step, at: datetime) -> Change | Ending:
    """Return the match after an answer, or why it can't be played."""
    try:
        if step.texts == RESIGN:
            return resign(match, player, at)
        if step.texts == DRAW:
            return offer(match, OfferKind.DRAW, player, at)
        if step.men and men(match.game, match.position, match.seat_for(player)) < step.men:
            return Ending.CAPTURED
        change = play(match, player, step.texts, at)
    except (ActionError, CommandError):
        return Ending.ILLEGAL
    goes_on = change.match.turn == match.turn and change.match.result is None
    texts = tuple(each.text for event in change.events for each in getattr(event, "actions", ()))
    return Ending.ILLEGAL if goes_on or texts != step.texts else change


def men(game: AnyGame, position: GamePosition, seat: Seat) -> int:
    """Return the number of men of a seat's colour on the board."""
    diagram = game.diagram(position, seat)
    own = diagram.colours.get(seat)
    return sum(token.colour == own for cell in diagram.cells.values() for token in cell.tokens)


def contradiction(
    lines: Iterable[PlanLine], others: Iterable[PlanLine]
) -> tuple[PlanLine, PlanLine] | None:
    """Return the first two lines that answer the same turns differently, None if there are none."""
    others = list(others)
    return next(((a, b) for a in lines for b in others if _contradict(a, b)), None)


def _contradict(one: PlanLine, other: PlanLine) -> bool:
    for a, b in zip(one, other, strict=False):
        if (a.own, a.texts) != (b.own, b.texts):
            return a.own and b.own
    return False


def leaves(lines: Iterable[PlanLine]) -> list[PlanLine]:
    """Return the lines without those that are the beginning of another, each once."""
    bare = {_texts(line): line for line in lines}
    return [
        line
        for texts, line in bare.items()
        if not any(len(other) > len(texts) and other[: len(texts)] == texts for other in bare)
    ]


def _texts(line: PlanLine) -> tuple[tuple[bool, tuple[str, ...]], ...]:
    return tuple((step.own, step.texts) for step in line)


def written(line: Sequence[Step]) -> str:
    """Return a line as its author may write it: `if [31-N] then [35-25]; if any then resign`."""
    return "; ".join(_segments(line))


def _segments(line: Sequence[Step]) -> Iterator[str]:
    turns: list[str] = []
    for step in line:
        text = " ".join(step.texts)
        if step.own:
            yield f"if {', '.join(turns)} then {text}" if turns else f"then {text}"
            turns = []
        else:
            turns.append(text)
