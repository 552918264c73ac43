"""Plans in play: end those that events have overtaken, and find the answer of the player to act."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from pbem.matches.decision import Reopened, Replaced, Undone
from pbem.matches.event import (
    ActionsPlayed,
    Event,
    Forced,
    OfferMade,
    Planned,
    PlaysOnWithout,
    Resigned,
    TakenBack,
)
from pbem.matches.match import Match, OfferKind, PlayerId, RecordedAction
from pbem.matches.plans import (
    DRAW,
    RESIGN,
    SILENT,
    Branch,
    Ending,
    Plan,
    Step,
    answered,
    branches,
    turns_since,
)
from pbem.matches.player_actions import Change, play, whose
from pbem.matches.seat_changes import GivenBack, HandedOn
from pbem.service.work import Work
from pbem.settings import forced

MOST_ANSWERS = 100
"""Answers in a row without an email from anybody. The rules end a match long before."""


TURNS_BACK, CHANGES_HANDS = (TakenBack, Undone, Reopened), (HandedOn, Replaced)
ENDS_ALL = (*TURNS_BACK, *CHANGES_HANDS)
"""Events that end all plans of a match."""


class Answer(NamedTuple):
    """A turn, resignation or draw that the club plays for the player to act."""

    player: PlayerId
    change: Change
    silent: bool = False
    """Whether the player needs no email about it."""


class Followed(NamedTuple):
    """Result of events for the plans of a match."""

    answer: Answer | None = None
    lapsed: Sequence[Plan] = ()
    """Ended plans whose authors do not know it yet."""


def follow(work: Work, match: Match, events: Sequence[Event], answers: int = 0) -> Followed:
    """End the plans of a locked match that no longer fit, and return the answer that is due.

    `answers` were played just before.
    """
    if match.lacks_rules and match.result is None:
        return Followed()
    stored = work.plans.in_match(match.id)
    lapsed = [plan for plan in stored if plan.ended is not None]
    active = [plan for plan in stored if plan.ended is None]
    answer = None
    if active:
        since = min(plan.since for plan in active)
        recorded = work.matches.recorded(match.id, from_number=since + 1)
        keeper = _Keeper(work, match, events, recorded, lapsed)
        going_on = [(plan, left) for plan in active if (left := keeper.left(plan))]
        if answers >= MOST_ANSWERS:
            for plan, _ in going_on:
                keeper.end(plan, Ending.TOO_LONG)
        else:
            answer = keeper.answer(going_on)
    # An email that brings a player back may hold the same action.
    is_back = any(isinstance(each, GivenBack) for each in events)
    if answer is None and answers < MOST_ANSWERS and not is_back:
        answer = _forced(work, match)
    return Followed(answer, lapsed)


class _Keeper(NamedTuple):
    """The plans of a match after some events."""

    work: Work
    match: Match
    events: Sequence[Event]
    recorded: Sequence[RecordedAction]
    """The actions since the oldest of the plans was sent."""
    lapsed: list[Plan]

    def end(self, plan: Plan, ending: Ending) -> None:
        silent = ending in SILENT
        self.work.plans.end(plan, ending, told=silent)
        if not silent:
            self.lapsed.append(replace(plan, ended=ending))

    def left(self, plan: Plan) -> list[Branch]:
        """Return what is left of a plan. If nothing is, end it."""
        actions = (each for each in self.recorded if each.number > plan.since)
        found = branches(plan.lines, turns_since(self.match, plan.player, actions))
        left = [branch for branch in found if branch.rest]
        ending = self._ending(plan, found, left)
        if ending is not None:
            self.end(plan, ending)
            return []
        return left

    def _ending(self, plan: Plan, found: Sequence[Branch], left: Sequence[Branch]) -> Ending | None:
        match, player = self.match, plan.player
        if match.result is not None:
            return Ending.OVER
        if any(isinstance(each, CHANGES_HANDS) for each in self.events):
            return Ending.HANDS
        if any(isinstance(each, TURNS_BACK) for each in self.events):
            return Ending.UNDONE
        if _by_hand(plan, match, self.events):
            return Ending.BY_HAND
        if found and not left:
            return Ending.PLAYED
        asked = match.player_to_act == player
        steps = [branch.answer for branch in left] if asked else []
        if self._is_offered(player, OfferKind.ABANDON):
            return Ending.ABANDON
        if self._is_offered(player, OfferKind.DRAW) and not (asked and any(map(_is_draw, steps))):
            return Ending.DRAW
        if not left or (asked and not any(steps)):
            return Ending.LEFT
        return None

    def _is_offered(self, player: PlayerId, kind: OfferKind) -> bool:
        made = (each for each in self.events if isinstance(each, OfferMade))
        return any(each.kind is kind and each.player != player for each in made)

    def answer(self, going_on: Sequence[tuple[Plan, list[Branch]]]) -> Answer | None:
        """Return the answer of the newest plan that has one. If it fails, the plan ends."""
        for plan, left in reversed(going_on):
            step = self._step(plan, left)
            if step is None:
                continue
            outcome = answered(self.match, plan.player, step, self.work.now)
            if isinstance(outcome, Ending):
                self.end(plan, outcome)
                return None  # no older plan answers instead of it
            if step.texts in (RESIGN, DRAW):  # the player may still be to act
                for each, _ in going_on:
                    if each.player == plan.player:
                        self.end(each, Ending.PLAYED)
            mark = Planned(*whose(self.match, plan.player), plan.number)
            return Answer(plan.player, outcome._replace(events=(mark, *outcome.events)))
        return None

    def _step(self, plan: Plan, left: Sequence[Branch]) -> Step | None:
        if plan.player != self.match.player_to_act:
            return None
        steps = (branch.answer for branch in left)
        offered = self._is_offered(plan.player, OfferKind.DRAW)
        return next((each for each in steps if each and (_is_draw(each) or not offered)), None)


def _is_draw(step: Step | None) -> bool:
    return step is not None and step.texts == DRAW


def _by_hand(plan: Plan, match: Match, events: Sequence[Event]) -> bool:
    """Return whether the author of an earlier plan has played or resigned themselves."""
    if any(isinstance(each, Planned | Forced) for each in events):
        return False
    return any(
        isinstance(each, Resigned | PlaysOnWithout)
        or (plan.since < match.actions and not all(one.declaration for one in each.actions))
        for each in _own(plan.player, events)
    )


def _own(
    player: PlayerId, events: Sequence[Event]
) -> Iterator[ActionsPlayed | Resigned | PlaysOnWithout]:
    for each in events:
        if isinstance(each, ActionsPlayed | Resigned | PlaysOnWithout) and each.player == player:
            yield each


def _forced(work: Work, match: Match) -> Answer | None:
    """Return the only legal action of a player who wishes it, unless they have an offer to answer.

    Playing it would decline the offer.
    """
    if match.player_to_act is None or match.player_to_act in match.resigned:
        return None
    if any(match.player_to_act in match.unanswered(offer) for offer in match.offers):
        return None
    player = work.players.get(match.player_to_act)
    if not forced.is_on(player):
        return None
    legal = list(islice(match.game.legal_actions(match.position), 2))
    if len(legal) != 1:
        return None
    text = match.game.format(match.position, legal[0])
    change = play(match, player.id, [text], work.now)
    mark = Forced(*whose(match, player.id))
    return Answer(player.id, change._replace(events=(mark, *change.events)), silent=True)
