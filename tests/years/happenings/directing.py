"""What the director decides."""

from __future__ import annotations

from pbem.matches.clock import PauseReason
from pbem.service.direct import orders
from pbem.service.work import reading
from tests.years.naive_time import HOUR
from tests.years.years import Years, number


def the_director_pauses(years: Years) -> None:
    """A match, or lets it go on."""
    match = years.some_match()
    if match is None:
        return
    paused = years.tables[match].paused
    if PauseReason.DIRECTOR in years.state(match).clock.pauses:
        years.decides(lambda work: orders.resumption(match, ""))
        paused.discard("director")
    else:
        years.decides(lambda work: orders.pausing(match, ""))
        paused.add("director")


def the_director_gives_time(years: Years) -> None:
    """To whoever is to act."""
    match = years.some_match()
    if match is None or years.tables[match].agreement.opening is None:
        return
    hours = years.chance.randrange(1, 90)
    years.decides(lambda work: orders.extension(match, f"{hours}h", ""))
    years.tables[match].extends(hours * HOUR)


def the_director_replaces(years: Years) -> None:
    """Somebody goes on for a player."""
    match = years.some_match()
    if match is None:
        return
    players = years.state(match).players
    bench = [each for each in years.people if number(each) not in players]
    if not bench:
        return
    old, new = years.person(years.chance.choice(players)), years.chance.choice(bench)
    years.decides(lambda work: orders.substitution(work, match, old.name, new.name, ""))
    years.tables[match].hands_over(number(old), number(new))


def the_director_takes_back(years: Years) -> None:
    """A turn or two, which are played again."""
    match = years.some_match()
    if match is None:
        return
    with reading(years.house.club) as work:
        turns = [each.turn for each in work.matches.recorded(match)]
    if not turns:
        return
    to = years.chance.choice(turns[-3:])
    years.decides(lambda work: orders.undoing(match, to, ""))
    years.tables[match].drops()
    years.begins(match)


HAPPENINGS = (
    (the_director_pauses, 3),
    (the_director_gives_time, 2),
    (the_director_replaces, 1),
    (the_director_takes_back, 1),
)
