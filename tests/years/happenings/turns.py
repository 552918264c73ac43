"""Matches start and turns are played."""

from __future__ import annotations

from pbem.games import game_of
from pbem.matches.clock import PauseReason
from pbem.matches.match import MatchOptions, PlayerId
from pbem.service.direct import orders
from pbem.service.members.choosing import choose
from pbem.service.play.start import start_match
from pbem.service.work import writing
from pbem.settings import zone
from tests.years.agreements import AGREEMENTS
from tests.years.naive_table import NaiveTable
from tests.years.naive_time import DAY, MINUTE
from tests.years.years import UP, Years, number

GAMES = (("lanko-68", 2), ("lanko-68", 3), ("lancelot", 3), ("lanrick-1881", 2))
FLAGS = ("director", "loss", "claim", "play-on")
MOST = 2
"""Number of matches played at the same time."""


def a_match_begins(years: Years) -> None:
    """Start a match if there is room for one."""
    if len(years.playing()) >= MOST:
        return
    game, count = years.chance.choice(GAMES)
    people = years.chance.sample(years.people, count)
    agreement = years.chance.choice(AGREEMENTS)
    flag = years.chance.choice(FLAGS)
    chosen = {} if flag == "director" else {"flag": flag}
    options = MatchOptions(0, True, {}, agreement.text, chosen=chosen)
    with writing(years.house.club) as work:
        players = [work.players.get(PlayerId(number(each))) for each in people]
        match = start_match(work, game_of(game), players, options).id
    years.house.works()
    years.notes(f"match {match}: {game} {agreement.text} {flag}, {[*map(number, people)]}")
    table = NaiveTable(agreement, years.now, years.someone, flag=flag)
    table.wide_breaks, table.holidays = years.club_breaks, years.holidays
    table.paused = {"club"} if PauseReason.CLUB in years.state(match).clock.pauses else set()
    years.tables[match] = table
    years.begins(match)


def somebody_moves(years: Years) -> None:
    """Play a turn. Its email is read at once, after minutes, or after days."""
    match = years.some_match()
    if match is None or not years.knows(match):
        return
    years.plays(match)
    delay = years.chance.choice(("none", "minutes", "mailbox away"))
    years.notes(f"match {match}, delay: {delay}")
    if delay == "minutes":
        years.clock.is_at(years.now + years.chance.randrange(1, UP))
    elif delay == "mailbox away" and not years.judged:
        _mailbox_is_away(years, match)
    years.works()
    years.sweeps(judges=True)


def the_mailbox_is_away(years: Years) -> None:
    """Lose the mailbox before someone moves. No flag is judged until their email has been read."""
    if years.judged:
        return
    match = years.some_match()
    flag_at = None if match is None else years.house.flag_at(match)
    until = _later(years)
    if flag_at is not None and years.chance.randrange(2):
        until = max(until, int(flag_at.timestamp()) + years.chance.randrange(1, DAY))
    years.goes_on(until, mailbox_away=True)
    if match is not None and years.knows(match):
        years.plays(match)
        years.goes_on(_later(years), mailbox_away=True)
    years.works()
    years.sweeps(judges=True)


def _mailbox_is_away(years: Years, match: int) -> None:
    """Lose the mailbox for a while. Changes to the clock meanwhile concern only the next turn."""
    years.goes_on(_later(years), mailbox_away=True)
    match years.chance.choice(("nothing", "outage", "pause", "zone")):
        case "outage":
            years.stands_still(years.now + years.chance.randrange(UP + 1, DAY))
            years.sweeps()
        case "pause" if "director" not in years.tables[match].paused:
            years.decides(lambda work: orders.pausing(match, ""), reads=False)
            years.goes_on(_later(years), mailbox_away=True)
            years.decides(lambda work: orders.resumption(match, ""), reads=False)
            years.tables[match].ends_breaks(years.now)
        case "zone" if not years.someone[years.waiting[match]].leaves.taken:
            player = years.waiting[match]
            with writing(years.house.club) as work:
                choose(work, PlayerId(player), zone.SETTING, "Asia/Kathmandu")
            years.passes()
            someone = years.someone[player]
            someone.rest = someone.rest._replace(zone="Asia/Kathmandu")
            someone.leaves.zone = someone.rest.zone
    years.goes_on(_later(years), mailbox_away=True)


def _later(years: Years) -> int:
    return years.now + years.chance.randrange(MINUTE, 2 * DAY)


HAPPENINGS = ((a_match_begins, 4), (somebody_moves, 12), (the_mailbox_is_away, 2))
