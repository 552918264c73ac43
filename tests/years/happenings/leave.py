"""Members take leave, turn autoleave on or off, and come back."""

from __future__ import annotations

from datetime import date, timedelta

from pbem.service.work import reading
from tests.years.naive_table import Someone
from tests.years.years import Years

A_DAY = timedelta(days=1)


def somebody_takes_leave(years: Years) -> None:
    """Take leave by email, from now on or later, if days are left."""
    asked = _somebody(years)
    if asked is None:
        return
    match, someone = asked
    leaves = someone.leaves
    first = last = leaves.today(years.now)
    count = years.chance.randrange(1, 14)
    match years.chance.choice(("days", "until", "later")):
        case "days":
            last = first + A_DAY * (count - 1)
            line = f"leave {count} days"
        case "until":
            last = first + A_DAY * count
            line = f"leave until {last}"
        case _:
            first += A_DAY * years.chance.randrange(1, 60)
            last = first + A_DAY * count
            line = f"leave {first} {last}"
    _writes(years, someone, match, line)
    before = _stored(years, someone)
    years.house.works()
    years.passes()
    assert (before != _stored(years, someone)) == _takes(years, someone, first, last)


def _takes(years: Years, someone: Someone, first: date, last: date) -> bool:
    """Return whether the leave changes anything."""
    before = someone.leaves.merged()
    taken = years.takes_leave(someone.number, first, last, years.now)
    return taken and before != someone.leaves.merged()


def somebody_is_back(years: Years) -> None:
    """Come back before leave is over."""
    for someone in years.someone.values():
        mine = [match for match in years.playing() if years.has_mail(someone.number, match)]
        if mine and someone.reachable and someone.leaves.is_away(years.now):
            _writes(years, someone, mine[0], "back")
            years.house.works()
            years.passes()
            someone.leaves.back(years.now)
            return


def somebody_has_it_taken(years: Years) -> None:
    """Turn autoleave on or off."""
    asked = _somebody(years)
    if asked is None:
        return
    match, someone = asked
    _writes(years, someone, match, f"set autoleave {'off' if someone.leaves.auto else 'on'}")
    years.house.works()
    years.passes()
    someone.leaves.auto = not someone.leaves.auto


def _somebody(years: Years) -> tuple[int, Someone] | None:
    """Return a player of a match who can be reached."""
    match = years.some_match()
    if match is None:
        return None
    player = years.chance.choice(years.state(match).players)
    reached = years.someone[player].reachable and years.has_mail(player, match)
    return (match, years.someone[player]) if reached else None


def _writes(years: Years, someone: Someone, match: int, line: str) -> None:
    years.notes(f"player {someone.number}: {line}")
    person = years.person(someone.number)
    person.says(line, years.newest(person, match), quoting=False)


def _stored(years: Years, someone: Someone) -> object:
    """Return when they leave and return. Two adjoining leaves count as one."""
    since = years.clock.now() - 400 * A_DAY
    with reading(years.house.club) as work:
        leaves = work.leaves.of(work.players.get(someone.number).id, since)
    return {each.start for each in leaves} ^ {each.end for each in leaves}


HAPPENINGS = ((somebody_takes_leave, 2), (somebody_is_back, 2), (somebody_has_it_taken, 1))
