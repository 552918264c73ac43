"""Running out of time with any number of players: the record is right, and somebody wins."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings, strategies as st

from pbem.matches.clock import Clock
from pbem.matches.event import FlagFell
from pbem.matches.history import Kind
from pbem.matches.player_actions import Change
from pbem.matches.record import from_json, from_text, to_json, to_text, verify
from pbem.matches.time_control import FLAG
from pbem.matches.time_controls.days import Days
from pbem.matches.time_over import (
    ClaimError,
    can_claim,
    claim,
    grace_for,
    lose_on_time,
    opponents,
    wait,
)
from tests.matches.json_schema import errors
from tests.matches.playing import Contest, started
from tests.matches.test_record_json import schema
from tests.support.examples import examples

DAY = timedelta(days=1)


class Late(Contest):
    """A match in which the player to move sometimes runs out of time."""

    def falls(self) -> int:
        """Let the player to move run out of time, and return them."""
        player, at = self.match.player_to_act, self.later()
        assert player is not None
        clock = Clock(Days(1)).start(player, at - DAY).see_to(FLAG)
        fell = FlagFell(player, self.match.turn, self.match.seats_of(player)[0])
        self._went_on(Change(replace(self.match, clock=clock), (fell,)), at)
        return player

    def comes(self, change: Change) -> None:
        self._went_on(change, self.now)


def claimable(key: str, players: int) -> Late:
    return Late(started(key, players, chosen={"flag": "claim"}))


PLAYED = (
    *(("lanko-68", players) for players in (2, 3, 4)),
    *((key, 2) for key in ("lanrick-1881", "lanrick-1893")),
    *(("lancelot", players) for players in (2, 3, 4, 5)),
)


@pytest.mark.parametrize(("key", "players"), PLAYED)
@settings(max_examples=examples(5), deadline=None)
@given(seed=st.integers(0, 10**6), turns=st.integers(0, 12))
def test_record_of_a_match_with_late_players_is_right(
    key: str, players: int, seed: int, turns: int
) -> None:
    """A late player has not won. With three to five, all others play on until one is left."""
    match, whim = claimable(key, players), random.Random(seed)
    gone: set[int] = set()
    for _ in range(turns):
        if match.match.result is None:
            match.moves(whim.choice(match.legal()))
    while match.match.result is None:
        late = match.falls()
        others = opponents(match.match, late)
        assert gone.isdisjoint({late, *others})
        by = whim.choice(others)
        if whim.random() < 0.5:
            match.comes(wait(match.match, by, 3 * DAY, match.later()))
            late = match.falls()
        if whim.random() < 0.5:
            match.comes(claim(match.match, by, match.later()))
        else:
            match.comes(lose_on_time(match.match, late, match.later()))
        gone.add(late)
    record = match.record()
    assert verify(record) == []
    assert from_text(to_text(record)) == from_json(to_json(record)) == record
    assert errors(schema(), json.loads(to_json(record))) == []
    winners = {match.match.seats[seat] for seat in match.match.result.winners}
    assert gone.isdisjoint(winners)
    lost = [entry for entry in record.entries if entry.kind is Kind.LOST_ON_TIME]
    assert len(lost) == len(gone)
    if gone and key == "lancelot":
        assert len(gone) == players - 1


@pytest.mark.parametrize(("key", "players"), PLAYED)
def test_all_players_of_other_sides_can_claim(key: str, players: int) -> None:
    match = claimable(key, players)
    nobody = [each for each in match.match.players if can_claim(match.match, each, match.later())]
    assert not nobody, "nobody is late"
    late = match.falls()
    side = match.match.side_of(late)
    claiming = {each for each in match.match.players if can_claim(match.match, each, match.later())}
    assert claiming == set(match.match.players) - set(side)
    assert grace_for(match.match, late) == (2 * DAY if len(side) > 1 else timedelta())


def test_granted_time_is_limited_and_counts_from_now() -> None:
    match = claimable("lancelot", 3)
    late = match.falls()
    (by, _), at = opponents(match.match, late), match.later()
    with pytest.raises(ClaimError, match="at most 14 days"):
        wait(match.match, by, 15 * DAY, at)
    match.comes(wait(match.match, by, 14 * DAY, at))
    assert match.match.clock.flag_at == at + 14 * DAY
    assert not can_claim(match.match, by, at)
