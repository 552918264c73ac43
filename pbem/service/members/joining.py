"""Joining: how a stranger becomes a member, by their own email or with a director's consent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from pbem.games import offered
from pbem.mail.outgoing.kinds import DirectorJoining, JoinRefused, Welcome
from pbem.matches.announcement import OPEN
from pbem.matches.match import Player
from pbem.ports.process import StorageError
from pbem.service.offers.lists import tables_for_anybody
from pbem.service.post.post import post, tell_director
from pbem.service.questions import Application, PendingQuestion, all_waiting, ask, waiting
from pbem.service.work import ConcurrentChange, Work

MOST_APPLICATIONS = 10
"""Applications that the directors get in a day, so that nobody can flood them."""
APPLICATION_DAYS = 60
"""Days that a director has to decide."""
MOST_TEXT = 1000
"""Characters of a stranger's text that the directors get."""
MOST_TABLES = 10
"""Tables listed for a new member. `offers` lists all."""
MOST_DIGITS = 9
REFUSED_FOR = timedelta(days=30)
"""For this long after a refusal, the directors are not asked again."""


@dataclass(frozen=True)
class Newcomer:
    """A person who wants to become a member, with the name and zone they wrote."""

    address: str
    name: str
    zone: str


def join(work: Work, who: Newcomer) -> Player:
    """Make somebody a member. Raises ConcurrentChange if the name or the address is taken."""
    try:
        return work.players.add(who.name, [who.address], who.zone, work.now)
    except StorageError as error:
        raise ConcurrentChange from error


def welcome(work: Work, member: str) -> Welcome:
    """Return the welcome email for a new member."""
    infos, tables = [game.info for game in offered()], tables_for_anybody(work)
    bots = work.club.policy.bot_matches > 0
    entered = bool(work.competitions.announced(OPEN))
    return Welcome(member, infos, work.club.address, tables[:MOST_TABLES], bots, entered)


def apply(work: Work, who: Newcomer, note: Sequence[str] = ()) -> None:
    """Ask the directors whether somebody may join, with the beginning of what they wrote."""
    question = ask(work, Application(who.name, who.zone), who.address, APPLICATION_DAYS)
    text = "\n".join(note)[:MOST_TEXT]
    asks = DirectorJoining(who.name, who.address, question.id, APPLICATION_DAYS, text)
    tell_director(work, asks, question.topic)


def application_of(work: Work, address: str) -> PendingQuestion[Application] | None:
    """Return the application from an address, None if there is none."""
    return next(iter(waiting(work, (Application,), address)), None)


def application(work: Work, number: int) -> PendingQuestion[Application]:
    """Return the application with a number. Raises StorageError if there is none."""
    found = (each for each in applications(work) if each.question.id == number)
    pending = next(found, None)
    if pending is None:
        raise StorageError(f"nobody waits under the number {number}")
    return pending


def application_of_whom(work: Work, who: str) -> PendingQuestion[Application]:
    """Return the application with a number or of a name. Raises StorageError if there is none."""
    number = who.removeprefix("#")
    if number.isascii() and number.isdigit() and len(number) <= MOST_DIGITS:
        return application(work, int(number))
    for each in applications(work):
        if each.asked.name.casefold() == who.casefold():
            return each
    raise StorageError(f"nobody called {who} waits")


def applications(work: Work) -> list[PendingQuestion[Application]]:
    """Return all open applications, oldest first."""
    return all_waiting(work, Application)


def are_many(work: Work) -> bool:
    """Return whether the directors have been asked about enough people today."""
    since = work.now + timedelta(days=APPLICATION_DAYS - 1)
    lately = [each for each in applications(work) if each.question.expires_at > since]
    return len(lately) >= MOST_APPLICATIONS


def was_refused(work: Work, address: str) -> bool:
    """Return whether a director recently refused somebody."""
    return work.outbox.count(address, JoinRefused.name(), work.now - REFUSED_FOR) > 0


def approve(work: Work, pending: PendingQuestion[Application], name: str) -> Player:
    """Approve an application and welcome the new member. Raises ConcurrentChange."""
    player = join(work, Newcomer(_settled(work, pending), name, pending.asked.zone))
    post(work, welcome(work, player.name), player)
    return player


def refuse(work: Work, pending: PendingQuestion[Application], reason: str) -> None:
    """Refuse an application and tell the stranger why. Raises ConcurrentChange."""
    post(work, JoinRefused(pending.asked.name, reason), _settled(work, pending))


def _settled(work: Work, pending: PendingQuestion[Application]) -> str:
    """Settle an application. Return its address. Raises ConcurrentChange if already settled."""
    try:
        work.questions.settle(pending.question.id)
    except StorageError as error:
        raise ConcurrentChange from error
    return str(pending.question.holder)
