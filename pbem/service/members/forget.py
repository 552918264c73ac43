"""Forget: a member leaves, and nothing is known of them any more but what they played.

What the database knows goes in one transaction; what files hold of it is noted there, and goes by
jobs, which go on after a sudden end: records and pages of the reading room are written again, the
mails are taken out of the mailbox, and the files of the database are cleaned (`wipe`).
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass

from pbem.log import get_logger
from pbem.mail.outgoing.kinds import DirectorLeft, Farewell
from pbem.matches.match import Player, PlayerId
from pbem.matches.offer import Offer
from pbem.ports.process import StorageError
from pbem.ports.room import PageKind
from pbem.service.play.change import give_up
from pbem.service.post.post import post, tell_director
from pbem.service.tables.answering import decline, leave, withdraw
from pbem.service.tables.change import OfferChange, carry_out
from pbem.service.work import Work
from pbem.settings import page

log = get_logger(__name__)


@dataclass(frozen=True)
class Left:
    """What came of it."""

    player: Player
    """As they are called from now on."""
    given_up: tuple[int, ...]
    """Matches that they have lost by it, or in which the others play on."""
    undecided: tuple[int, ...]
    """Matches in which nobody can act for them: in a pair, both have to resign."""


def former_name(player: PlayerId) -> str:
    """What somebody is called who has left."""
    return f"former member {player}"


def forget(work: Work, member: Player, reason: str = "") -> Left:
    """A member leaves; with a reason, if it is the director who wishes it.

    Raises StorageError for a bot, and for who has left already.
    """
    if member.bot or member.former:
        raise StorageError(f"{member.name} is no person who is a member")
    # Locked first: who plays in them just now has written their mails before these are searched.
    running = [work.lock_match(match.id) for match in work.matches.of_player(member.id)]
    over = _over(work, member)
    withdraw_all(work, member)
    work.erasures.erase(member.id, former_name(member.id), _kept(member), work.now)
    player = work.players.get(member.id)
    _write_again(work, player)
    for match in running:
        if not match.has_resigned(player.id):
            give_up(work, match, [player])
    left = _left(work, player, over)
    _say_goodbye(work, member, left, reason)
    log.info("member forgotten", player=player.id, matches=len(running))
    return left


def _kept(member: Player) -> Mapping[str, str]:
    """Who was hidden in the reading room stays so: there they are not known by a number either."""
    hidden = page.SETTING.of(member) == page.HIDDEN
    return {page.SETTING.key: page.HIDDEN} if hidden else {}


def _write_again(work: Work, player: Player) -> None:
    """Records and pages that name them are to be written again, and the traces wiped."""
    work.matches.archive_again(player.id)
    for kind in (PageKind.PERSON, PageKind.FEED):
        work.stale.mark(kind, [player.id])
    for job in ("publish", "pages", "erase"):
        work.jobs.enqueue(job)


def _over(work: Work, member: Player) -> frozenset[int]:
    """Their matches that have ended."""
    played = work.matches.of_player(member.id, playing=False)
    return frozenset(match.id for match in played if match.result is not None)


def _left(work: Work, player: Player, over: Container[int]) -> Left:
    """What has become of the others, those of competitions that have begun since among them."""
    given_up, undecided = list[int](), list[int]()
    for match in work.matches.of_player(player.id, playing=False):
        if match.id not in over:
            waits = match.result is None and not work.whole(match).has_resigned(player.id)
            (undecided if waits else given_up).append(match.id)
    return Left(player, tuple(given_up), tuple(undecided))


def _say_goodbye(work: Work, member: Player, left: Left, reason: str) -> None:
    """The last mail to them; nothing is kept of it once it has gone."""
    mail = Farewell(left.player.name, left.given_up, reason)
    if member.reachable:
        post(work, mail, member.address)
    tell_director(work, DirectorLeft(left.player.name, left.given_up, left.undecided))


def withdraw_all(work: Work, member: Player) -> None:
    """Takes back their challenges and tables, gives their seats back, and declines the rest.

    Nobody blocks them any more, either.
    """
    for each in work.offers.of_player(member.id):
        offer = work.offers.lock(each.number)
        if offer.stands and member.id in offer.players:  # as somebody else may have seen to
            carry_out(work, _out_of(work, member, offer))
    for other in work.blocks.around(member.id):
        work.blocks.remove(member.id, other)
        work.blocks.remove(other, member.id)


def _out_of(work: Work, member: Player, offer: Offer) -> OfferChange:
    if offer.owner == member.id:
        return withdraw(work, member, offer)
    return leave(work, member, offer) if offer.open else decline(work, member, offer)
