"""Reliability of members, from their stored turns, and who may take up something new."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta

from pbem.games.phrases import Phrase
from pbem.matches.competition import Competition
from pbem.matches.forecast import Paces
from pbem.matches.match import Player
from pbem.matches.ratings import RatingList
from pbem.matches.reliability import (
    NO_CONDITIONS,
    YEAR,
    BanRule,
    Conditions,
    Leaving,
    Reliability,
    reliability_of,
    unmet,
)
from pbem.matches.zones import day_at
from pbem.ports.room import Choices
from pbem.ports.storage import UnitOfWork
from pbem.service.work import Work


def reliability(uow: UnitOfWork, player: Player, now: datetime) -> Reliability:
    """Return how reliable a member was over the last year."""
    since = now - YEAR
    taken = uow.leaves.of(player.id, since)
    first, today = day_at(since, player.time_zone), day_at(now, player.time_zone)
    days = {day for leave in taken for day in leave.days if first < day <= today}
    turns = uow.matches.turns_of(player.id, since)
    return reliability_of(turns, uow.matches.left_by(player.id, since), len(days))


MOST_PACED = 64
"""Most players of a competition whose paces are read to forecast its end."""


def paces_of(uow: UnitOfWork, of: Competition, which: Choices, now: datetime) -> Paces | None:
    """Return how fast the players of a competition and its game are.

    None if they are too many, or it has no end to forecast. `which` says whose lengths count.
    """
    if len(of.players) > MOST_PACED or not of.has_end:
        return None
    found = {
        each: reliability_of(uow.matches.turns_of(each, now - YEAR), ()) for each in of.players
    }
    turn = {player: has.median for player, has in found.items() if not has.is_new}
    lengths = Counter[int]()
    for results in uow.shown.results(which, of.game_key):
        lengths.update(results.lengths)
    return Paces(turn, lengths)


def unmet_by(work: Work, player: Player, conditions: Conditions, game_key: str) -> Phrase | None:
    """Return the first condition of an offer that a member does not meet, with their own figure."""
    if conditions == NO_CONDITIONS:
        return None
    return unmet(conditions, reliability(work, player, work.now), rating_in(work, player, game_key))


def rating_in(uow: UnitOfWork, player: Player, game_key: str) -> int | None:
    """Return a member's rating in a game against people, as others see it. None if unrated."""
    rating = uow.ratings.of(RatingList(game_key), [player.id])[player.id]
    return rating.value if rating.matches else None


def banned_until(work: Work, player: Player) -> datetime | None:
    """Return until when a member may take up nothing new, because they lost on time."""
    policy = work.club.policy
    rule = BanRule(timedelta(days=policy.ban_days), timedelta(days=policy.second_ban_days))
    longest = max(rule.first, rule.again)
    if not longest:
        return None
    left = work.matches.left_by(player.id, work.now - 2 * (YEAR + longest))
    losses = [each.at for each in left if each.how is Leaving.TIME]
    ends = rule.ends_at(losses, player.unbanned_at)
    return ends if ends is not None and ends > work.now else None
