"""Players agree on a pause. The club changes its holidays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from pbem.service.clocks.schedule import freshen
from tests.years.naive_time import DAY
from tests.years.years import Years


class Calendar:
    """The holidays of a club."""

    def __init__(self, days: frozenset[date]) -> None:
        self.days = days

    @property
    def key(self) -> str:
        """All of them."""
        return " ".join(sorted(map(str, self.days)))

    def within(self, first: date, last: date) -> Sequence[date]:
        """Return the holidays between two days, in order."""
        return sorted(day for day in self.days if first <= day <= last)


def all_agree_on_a_pause(years: Years) -> None:
    """Agree on a pause by email: one player asks and the others agree."""
    match = years.some_match()
    if match is None:
        return
    players = [each for each in years.state(match).players if years.plays_on(each, match)]
    reached = (years.someone[each].reachable and years.has_mail(each, match) for each in players)
    if not all(reached):
        return
    days = years.chance.randrange(1, 20)
    years.notes(f"match {match}: pause? {days} days")
    for nth, player in enumerate(years.chance.sample(players, len(players))):
        years.clock.is_at(years.now + 1)
        person = years.person(player)
        line = "pause" if nth else f"pause? {days} days"
        person.says(line, years.newest(person, match))
        years.house.works()
    years.passes()
    years.tables[match].breaks.append((years.now, years.now + days * DAY))


def the_club_has_other_holidays(years: Years) -> None:
    """Change the club's holidays, which apply once it has restarted."""
    today = years.clock.now().date()
    days = (today + timedelta(days=years.chance.randrange(-3, 90)) for _ in range(12))
    holidays = frozenset(days)
    years.house.club = replace(years.house.club, holidays=Calendar(holidays))
    freshen(years.house.club)
    years.passes()
    years.holidays = holidays
    for table in years.tables.values():
        table.holidays = holidays


HAPPENINGS = ((all_agree_on_a_pause, 2), (the_club_has_other_holidays, 1))
