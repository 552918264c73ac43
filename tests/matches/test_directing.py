"""A director's decisions in any order: the record is right, and the same in both forms."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from pbem.games.api import ActionError
from pbem.matches import director_actions
from pbem.matches.clock import Clock
from pbem.matches.decision import Undone
from pbem.matches.director_actions import DecisionError
from pbem.matches.history import Kind
from pbem.matches.match import Player
from pbem.matches.player_actions import Change
from pbem.matches.record import RecordError, from_json, from_text, to_json, to_text, verify
from pbem.matches.reminders import LAST_DAY
from pbem.matches.time_control import FLAG
from pbem.matches.time_controls.days import Days
from tests.matches.json_schema import errors
from tests.matches.playing import NAMES, START, Contest, started
from tests.matches.test_record_json import schema
from tests.support.examples import examples

DAY = timedelta(days=1)
PEOPLE = [Player(number, name, (f"{name}@mail.example",)) for number, name in NAMES.items()]


class Directed(Contest):
    """A match under a director whose random decisions depend on a seed."""

    def __init__(self, key: str, players: int, seed: int) -> None:
        super().__init__(started(key, players))
        self.whim = random.Random(seed)

    def goes_on(self) -> None:
        """Play a turn, or let the director do something that leaves the match open."""
        decisions = (self.pause, self.resume, self.extend, self.substitute, self.undo, self.act)
        if self.whim.random() < 0.6:
            self.moves(self.whim.choice(self.legal()))
            return
        with suppress(DecisionError, ActionError):
            self.decided(self.whim.choice(decisions)())

    def ends(self) -> None:
        """Let the director end the match in one of the possible ways."""
        reason, at = "Enough", self.later()
        playing = [each for each in self.match.players if not self.match.has_resigned(each)]
        player = self.whim.choice(playing)
        side = [seat for each in self.match.side_of(player) for seat in self.match.seats_of(each)]
        ways: list[Callable[[], Change]] = [
            lambda: director_actions.cancel(self.match, reason, at),
            lambda: director_actions.declare_void(self.match, reason, at),
            lambda: director_actions.adjudge(self.match, side, reason, at),
            lambda: director_actions.adjudge(self.match, (), reason, at),
            lambda: director_actions.forfeit(self.match, player, reason, at),
        ]
        self.decided(self.whim.choice(ways)())

    def reopens(self) -> None:
        """Let the director reopen the match, unless it ended by the rules or was cancelled."""
        with suppress(DecisionError):
            self.decided(director_actions.reopen(self.match, "", self.later()))

    def decided(self, change: Change) -> None:
        self._went_on(change, self.now)
        for event in change.events:
            if isinstance(event, Undone):
                self.actions = [
                    each._replace(undone=1) if each.turn >= event.to else each
                    for each in self.actions
                ]

    def pause(self) -> Change:
        return director_actions.pause(self.match, "", self.later())

    def resume(self) -> Change:
        return director_actions.resume(self.match, "", self.later())

    def extend(self) -> Change:
        return director_actions.extend(
            self.match, self.whim.choice((DAY, DAY / 24 * 5)), "", self.later()
        )

    def substitute(self) -> Change:
        leaver = self.whim.choice(self.match.players)
        self.later()
        return director_actions.substitute(
            self.match, PEOPLE[leaver - 1], self.whim.choice(PEOPLE), "Away"
        )

    def undo(self) -> Change:
        stand = [each for each in self.actions if not each.undone]
        to = self.whim.randint(1, self.match.turn)
        return director_actions.undo(self.match, stand, to, "A slip", self.later())

    def act(self) -> Change:
        assert self.match.to_act is not None
        text = self.whim.choice(self.legal())
        return director_actions.act(self.match, self.match.to_act, [text], "", self.later())


@pytest.mark.parametrize(
    ("key", "players"), (("lanko-68", 2), ("lanko-68", 3), ("lanrick-1893", 2), ("lancelot", 4))
)
@settings(max_examples=examples(15), deadline=None)
@given(seed=st.integers(0, 10**6), turns=st.integers(0, 25))
def test_record_is_right_after_any_decisions_of_a_director(
    key: str, players: int, seed: int, turns: int
) -> None:
    match = Directed(key, players, seed)
    for _ in range(turns):
        if match.match.result is not None:
            match.reopens()
        elif match.whim.random() < 0.1:
            match.ends()
        else:
            match.goes_on()
    if match.match.result is None:
        match.ends()
    record = match.record()
    assert verify(record) == []
    assert from_text(to_text(record)) == from_json(to_json(record)) == record
    assert errors(schema(), json.loads(to_json(record))) == []
    assert [each.undone > 0 for each in match.actions] == [
        number in record.taken_back for number in range(1, len(match.actions) + 1)
    ]


def test_record_of_a_reopened_match_must_say_how_it_ended_before() -> None:
    match = Directed("lanko-68", 2, 1)
    match.decided(director_actions.adjudge(match.match, ("N", "S"), "Enough", match.later()))
    match.reopens()
    record = match.record()
    assert [each.kind for each in record.entries] == [Kind.ADJUDGED, Kind.RESULT, Kind.REOPENED]
    decided, result, reopened = record.entries
    for entries in ((decided, result), (decided, reopened), (reopened,)):
        with pytest.raises(RecordError, match="reopened after a result"):
            replace(record, entries=entries, heads={})
    undecided = replace(record, entries=(result, reopened), heads={})
    [problem] = verify(undecided)
    assert problem.startswith("Before the match was reopened: The result says that the director")
    resigned = result._replace(text=result.text.replace("adjudication", "resignation"))
    with pytest.raises(RecordError, match="no match is reopened after resignation"):
        replace(record, entries=(decided, resigned, reopened), heads={})


def test_token_of_a_turn_taken_back_is_never_used_again() -> None:
    match = Directed("lanko-68", 2, 1)
    told = {match.match.token_turn}
    for _ in range(3):
        match.moves(match.legal()[0])
        match.moves(match.legal()[0])
        match.decided(director_actions.undo(match.match, _standing(match), 1, "", match.later()))
        assert match.match.token_turn not in told
        assert match.match.turn == 1
        told |= set(range(match.match.token_turn + 1))


def _standing(match: Directed) -> list[Any]:
    return [each for each in match.actions if not each.undone]


@pytest.mark.parametrize(
    ("hours", "left"),
    ((0, 8 * 24), (30, 8 * 24 - 30), (119, 8 * 24 - 119), (120, 72), (500, 72)),
)
def test_extension_adds_to_the_time_left(hours: int, left: int) -> None:
    at = START + timedelta(hours=hours)
    clock = Clock(Days(5)).start(1, START).extended(3 * DAY, at)
    assert clock.left(1, at) == timedelta(hours=left)
    assert clock.flag_at == at + timedelta(hours=left)
    after = clock.stop(at).start(2, at).stop(at).start(1, at)
    assert (after.left(1, at), after.used(1, at)) == (5 * DAY, timedelta(hours=hours))


def test_handled_deadline_falls_due_again_if_it_moves_to_the_future() -> None:
    at = START + 5 * DAY
    clock = Clock(Days(5)).start(1, START)
    for due in clock.dues:
        clock = clock.see_to(due.kind)
    assert clock.dues == ()
    kinds = [due.kind for due in clock.extended(3 * DAY, at).dues]
    assert kinds == [LAST_DAY, FLAG]
