"""The others claim a match when a time is over, or wait."""

from __future__ import annotations

from tests.years.naive_time import DAY
from tests.years.years import Years


def somebody_claims(years: Years) -> None:
    """Or gives more time."""
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
        person.says(line, years.newest(person, match), quoting=False)
        years.house.works()
        years.passes()
        if days:
            table.extends(days * DAY)
        else:
            table.ends()
            years.begins(match)
        return


def _opponent(years: Years, match: int) -> int | None:
    """Somebody of another side who plays on and can be reached."""
    state = years.house.state(match)
    assert state.player_to_act is not None, "their time is over"
    late = state.side_of(state.player_to_act)
    found = [
        player
        for player in state.players
        if player not in late
        and years.someone[player].reachable
        and years.has_mail(player, match)
        and years.plays_on(player, match)
    ]
    return years.chance.choice(found) if found else None


HAPPENINGS = ((somebody_claims, 3),)
