"""Opponents claim a match when time runs out, or wait."""

from __future__ import annotations

from tests.years.naive_time import DAY
from tests.years.years import Years

MOST_WAIT = 14 * DAY
"""Limit for each of several opponents. After that they can only claim."""


def somebody_claims(years: Years) -> None:
    """Claim the match, or give more time."""
    for match in years.playing():
        table = years.tables[match]
        if table.flag != "claim" or not table.is_over or table.paused - {"unreachable"}:
            continue
        claimant = _opponent(years, match)
        if claimant is None:
            continue
        days = years.chance.randrange(0, 8)
        line = f"wait {days} days" if days else "claim"
        years.notes(f"match {match}: player {claimant}: {line}")
        person = years.person(claimant)
        person.says(line, years.newest(person, match))
        years.house.works()
        years.passes()
        if days and _may_wait(years, match):
            table.extends(days * DAY)
            turn = years.house.state(match).turn
            table.waited[turn] = table.waited.get(turn, 0) + days * DAY
        elif not days:
            table.ends()
            years.begins(match)
        return


def _opponent(years: Years, match: int) -> int | None:
    """Return an opponent who can be reached."""
    found = [
        player
        for player in _opponents(years, match)
        if years.someone[player].reachable and years.has_mail(player, match)
    ]
    return years.chance.choice(found) if found else None


def _opponents(years: Years, match: int) -> list[int]:
    """Return the opponents who are still playing."""
    state = years.house.state(match)
    assert state.player_to_act is not None, "someone is out of time"
    late = state.side_of(state.player_to_act)
    others = (player for player in state.players if player not in late)
    return [player for player in others if years.plays_on(player, match)]


def _may_wait(years: Years, match: int) -> bool:
    """Return whether one of several opponents may still wait."""
    table, others = years.tables[match], len(_opponents(years, match))
    return others == 1 or table.waited.get(years.house.state(match).turn, 0) < MOST_WAIT * others


HAPPENINGS = ((somebody_claims, 3),)
