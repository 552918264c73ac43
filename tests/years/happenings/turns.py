"""Matches begin, and turns are played."""

from __future__ import annotations

from tests.years.agreements import AGREEMENTS
from tests.years.naive_table import NaiveTable
from tests.years.naive_time import DAY, MINUTE
from tests.years.years import UP, Years, number

GAMES = (("lanko-68", 2), ("lanko-68", 3), ("lancelot", 3), ("lanrick-1881", 2))
MOST = 2
"""Matches that are played at the same time."""


def a_match_begins(years: Years) -> None:
    """If there is room for one."""
    if len(years.playing()) >= MOST:
        return
    game, count = years.chance.choice(GAMES)
    people = years.chance.sample(years.people, count)
    agreement = years.chance.choice(AGREEMENTS)
    match = years.house.match(game, *people, time=agreement.text).id
    years.notes(f"match {match}: {game} {agreement.text}, {[number(each) for each in people]}")
    years.tables[match] = NaiveTable(agreement, years.now, years.someone)
    years.begins(match)


def somebody_moves(years: Years) -> None:
    """A turn is played; its mail is read at once, in some minutes, or after days."""
    match = years.some_match()
    if match is None or not years.knows(match):
        return
    years.plays(match)
    delay = years.chance.choice(("none", "minutes", "mailbox away"))
    years.notes(f"match {match}, delay: {delay}")
    if delay == "minutes":
        years.clock.is_at(years.now + years.chance.randrange(1, UP))
    elif delay == "mailbox away":
        until = years.now + years.chance.randrange(MINUTE, 4 * DAY)
        years.goes_on(until, mailbox_away=True)
    years.works()
    years.sweeps()


HAPPENINGS = ((a_match_begins, 4), (somebody_moves, 12))
