"""The director's decisions."""

from __future__ import annotations

from pbem.service.direct import orders
from pbem.service.direct.announcing import CLUB, Recipients
from pbem.service.direct.decide import SHELL
from pbem.service.direct.pausing import pause, resume
from pbem.service.work import reading, writing
from tests.years.naive_time import DAY, HOUR
from tests.years.years import Years, number


def the_director_pauses(years: Years) -> None:
    """Pause a match, for days or indefinitely, or resume it."""
    match = years.some_match()
    if match is None:
        return
    table, now = years.tables[match], years.now
    if "director" in table.paused or any(start <= now < end for start, end in table.breaks):
        years.decides(lambda work: orders.resumption(match, ""))
        table.paused.discard("director")
        table.ends_breaks(now)
        return
    days = years.chance.randrange(0, 9)
    years.notes(f"match {match}, days: {days}")
    years.decides(lambda work: orders.pausing(match, f"{days}d" if days else ""))
    if days:
        table.breaks.append((now, now + days * DAY))
    else:
        table.paused.add("director")


def the_director_pauses_all(years: Years) -> None:
    """Pause the whole club, for days or indefinitely, or resume it."""
    whom, breaks, now = Recipients(CLUB), years.club_breaks, years.now
    days = years.chance.randrange(0, 9)
    with writing(years.house.club) as work:
        paused = any(each.end is None or each.end > work.now for each in work.pauses.of(0))
        if paused:
            resume(work, whom, "", SHELL)
        else:
            pause(work, whom, f"{days}d" if days else "", SHELL)
    years.house.works()
    years.passes()
    years.notes("it goes on" if paused else f"days: {days}")
    breaks[:] = [(start, min(end, now)) for start, end in breaks] if paused else breaks
    if days and not paused:
        breaks.append((now, now + days * DAY))
    for table in years.tables.values():
        if paused:
            table.paused.discard("club")
        elif not days:
            table.paused.add("club")


def the_director_gives_time(years: Years) -> None:
    """Give time to the player to move."""
    match = years.some_match()
    if match is None or years.tables[match].agreement.opening is None:
        return
    hours = years.chance.randrange(1, 90)
    years.decides(lambda work: orders.extension(match, f"{hours}h", ""))
    years.tables[match].extends(hours * HOUR)


def the_director_replaces(years: Years) -> None:
    """Replace a player."""
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
    """Undo one or two turns, which are then replayed."""
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
    (the_director_pauses_all, 1),
    (the_director_gives_time, 2),
    (the_director_replaces, 1),
    (the_director_takes_back, 1),
)
