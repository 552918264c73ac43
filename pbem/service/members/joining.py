"""Joining: how a stranger becomes a member, by their own mail or with a director's consent."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from pbem.games import GAMES
from pbem.mail.outgoing.kinds import DirectorJoining, JoinRefused, Welcome
from pbem.matches.match import Player
from pbem.ports.process import StorageError
from pbem.service.post.post import post, tell_director
from pbem.service.questions import Application, PendingQuestion, all_waiting, ask, waiting
from pbem.service.tables.lists import tables_for_anybody
from pbem.service.work import ConcurrentChange, Work

MOST_APPLICATIONS = 10
"""Of which the directors hear in a day; nobody floods them in the names of many."""
APPLICATION_DAYS = 60
"""How long a director may think about it."""
MOST_TABLES = 10
"""Of which a new member is told; `offers` tells of all."""
REFUSED_FOR = timedelta(days=30)
"""Who was refused is not asked about again for so long."""


@dataclass(frozen=True)
class Newcomer:
    """Who would like to become a member, as they wrote it."""

    address: str
    name: str
    zone: str


def join(work: Work, who: Newcomer) -> Player:
    """Make somebody a member. Raises ConcurrentChange if the name or the address is taken."""
    try:
        return work.players.add(who.name, [who.address], who.zone)
    except StorageError as error:
        raise ConcurrentChange from error


def welcome(work: Work, member: str) -> Welcome:
    """What a new member is told."""
    games, tables = [game.info for game in GAMES], tables_for_anybody(work)
    return Welcome(member, games, work.club.address, tables[:MOST_TABLES])


def apply(work: Work, who: Newcomer) -> None:
    """Asks the directors whether somebody may join."""
    question = ask(work, Application(who.name, who.zone), who.address, APPLICATION_DAYS)
    asks = DirectorJoining(who.name, who.address, question.id, APPLICATION_DAYS)
    tell_director(work, asks, question.topic)


def application_of(work: Work, address: str) -> PendingQuestion[Application] | None:
    """What waits for a director's consent to somebody."""
    return next(iter(waiting(work, (Application,), address)), None)


def application(work: Work, number: int) -> PendingQuestion[Application]:
    """What waits by the number of its question; raises StorageError."""
    found = (each for each in applications(work) if each.question.id == number)
    pending = next(found, None)
    if pending is None:
        raise StorageError(f"nobody waits under the number {number}")
    return pending


def applications(work: Work) -> list[PendingQuestion[Application]]:
    """Everybody who waits, oldest first."""
    return all_waiting(work, Application)


def are_many(work: Work) -> bool:
    """Whether the directors have been asked about enough people today."""
    since = work.now + timedelta(days=APPLICATION_DAYS - 1)
    lately = [each for each in applications(work) if each.question.expires_at > since]
    return len(lately) >= MOST_APPLICATIONS


def was_refused(work: Work, address: str) -> bool:
    """Whether a director has refused somebody not long ago."""
    return work.outbox.count(address, JoinRefused.name(), work.now - REFUSED_FOR) > 0


def approve(work: Work, pending: PendingQuestion[Application], name: str) -> Player:
    """Lets somebody in, who is welcomed; raises ConcurrentChange."""
    player = join(work, Newcomer(_settled(work, pending), name, pending.asked.zone))
    post(work, welcome(work, player.name), player)
    return player


def refuse(work: Work, pending: PendingQuestion[Application], reason: str) -> None:
    """Does not let somebody in, who is told why; raises ConcurrentChange."""
    post(work, JoinRefused(pending.asked.name, reason), _settled(work, pending))


def _settled(work: Work, pending: PendingQuestion[Application]) -> str:
    """Address of who has waited, and does so no more; raises ConcurrentChange if another did it."""
    try:
        work.questions.settle(pending.question.id)
    except StorageError as error:
        raise ConcurrentChange from error
    return str(pending.question.holder)
