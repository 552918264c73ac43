"""Forget: a member leaves, and the club keeps nothing about them but what they played.

The database is erased in one transaction. What files hold is noted there and erased by jobs, which
continue after a crash. They rewrite records and pages of the reading room, remove emails from the
mailbox, and clean the files of the database (`wipe`).
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from pbem.log import get_logger
from pbem.mail.address import mailbox_of
from pbem.mail.outgoing.kinds import DirectorLeft, Farewell
from pbem.matches.announcement import OPEN
from pbem.matches.imported import without_name
from pbem.matches.match import Player, PlayerId
from pbem.matches.offer import Offer
from pbem.matches.player_actions import resign
from pbem.matches.record.to_match import people_of
from pbem.ports.process import StorageError
from pbem.ports.room import PageKind
from pbem.service.competitions.entering import is_entered, withdraw as leave_competition
from pbem.service.competitions.running import carry_out as carry_out_entry
from pbem.service.offers.answering import decline, leave, withdraw
from pbem.service.offers.change import OfferChange, carry_out
from pbem.service.play.change import give_up
from pbem.service.post.post import post, tell_director
from pbem.service.work import Work
from pbem.settings import page

log = get_logger(__name__)


class Leaving(NamedTuple):
    """Matches that a leaving member resigns, and those that the director decides."""

    given_up: list[int]
    """Matches that are resigned in their name."""
    undecided: list[int]
    """Matches that the director decides. In a pair, both have to resign."""


def leaving(work: Work, member: Player) -> Leaving:
    """Return what would happen if a member left now."""
    found = Leaving([], [])
    for match in map(work.whole, work.matches.of_player(member.id)):
        if not match.has_resigned(member.id):
            after = resign(match, member.id, work.now).match
            waits = after.result is None and not after.has_resigned(member.id)
            (found.undecided if waits else found.given_up).append(match.id)
    return found


@dataclass(frozen=True)
class Left:
    """Result of a member leaving."""

    player: Player
    """The player under the new name."""
    given_up: tuple[int, ...]
    """Matches that they lost by leaving, or that continue without them."""
    undecided: tuple[int, ...]
    """Matches in which nobody can act for them. In a pair, both have to resign."""
    competitions: tuple[int, ...] = ()
    """Numbers of the announced competitions in play from which they were withdrawn."""


def former_name(player: PlayerId) -> str:
    """Return the name of a former member."""
    return f"former member {player}"


def forget(work: Work, member: Player, reason: str = "") -> Left:
    """Erase a member. `reason` is the director's, if it is their decision.

    Raises StorageError if it is a bot or has already left.
    """
    if member.bot or member.former:
        raise StorageError(f"{member.name} is not a person who is a member")
    # Locked first, so that emails of moves made just now are stored before the search.
    running = [work.lock_match(match.id) for match in work.matches.of_player(member.id)]
    over = _over(work, member)
    competitions = withdraw_all(work, member)
    for address in member.addresses:
        work.invited.drop(work.club.signer.keys_of(mailbox_of(address)))
    _leave_imported(work, member)
    work.erasures.erase(member.id, former_name(member.id), _kept(member), work.now)
    player = work.players.get(member.id)
    _write_again(work, player)
    for match in running:
        if not (match.lacks_rules or match.has_resigned(player.id)):
            give_up(work, match, [player])
    left = replace(_left(work, player, over), competitions=competitions)
    _say_goodbye(work, member, left, reason)
    log.info("member forgotten", player=player.id, matches=len(running))
    return left


def _kept(member: Player) -> Mapping[str, str]:
    """Return settings to keep: members hidden in the reading room stay without a number there."""
    hidden = page.SETTING.of(member) == page.HIDDEN
    return {page.SETTING.key: page.HIDDEN} if hidden else {}


def _write_again(work: Work, player: Player) -> None:
    """Queue the records and pages that name a player for rewriting, and the erasure of files."""
    work.matches.archive_again(player.id)
    for kind in (PageKind.PERSON, PageKind.FEED):
        work.stale.mark(kind, [player.id])
    for job in ("publish", "pages", "erase"):
        work.jobs.enqueue(job)


def _leave_imported(work: Work, member: Player) -> None:
    """Replace a member's names in the records of other clubs, as far as they are rated."""
    rated = [each for each in work.imported.rated_names() if each.member == member.id]
    for club, name, _ in rated:
        for match in map(work.imported.get, work.imported.of_club(club)):
            if match is not None and name in people_of(match.record).values():
                record = without_name(match.record, name, former_name)
                work.imported.put(match._replace(record=record))
    work.imported.unrate(member.id)


def _over(work: Work, member: Player) -> frozenset[int]:
    """Return their matches that have ended."""
    played = work.matches.of_player(member.id, playing=False)
    return frozenset(match.id for match in played if match.result is not None)


def _left(work: Work, player: Player, over: Container[int]) -> Left:
    """Return the other matches, including those of competitions that have started since."""
    given_up, undecided = list[int](), list[int]()
    for match in work.matches.of_player(player.id, playing=False):
        if match.id not in over:
            waits = match.result is None and not work.whole(match).has_resigned(player.id)
            (undecided if waits else given_up).append(match.id)
    return Left(player, tuple(given_up), tuple(undecided))


def _say_goodbye(work: Work, member: Player, left: Left, reason: str) -> None:
    """Send the farewell. Nothing of it is kept once it has gone."""
    mail = Farewell(left.player.name, left.given_up, reason)
    if member.reachable:
        post(work, mail, member.address)
    which = (left.given_up, left.undecided, left.competitions)
    tell_director(work, DirectorLeft(left.player.name, *which))


def withdraw_all(work: Work, member: Player) -> tuple[int, ...]:
    """Withdraw a member's offers and entries, leave tables, decline challenges, remove all blocks.

    In competitions that have started, they take part until the end of the round. Return the numbers
    of these.
    """
    played = list[int]()
    for each in work.offers.of_player(member.id):
        offer = work.offers.lock(each.number)
        if offer.stands and member.id in offer.players:  # another process may have handled it
            carry_out(work, _out_of(work, member, offer))
    for entered in work.competitions.announced(OPEN):
        competition = work.competitions.lock(entered.id)
        if is_entered(competition, member.id):
            change = leave_competition(work, member.id, competition)
            if member.id in change.after.players:
                played.append(competition.number)
            carry_out_entry(work, change)
    for other in work.blocks.around(member.id):
        work.blocks.remove(member.id, other)
        work.blocks.remove(other, member.id)
    return tuple(played)


def _out_of(work: Work, member: Player, offer: Offer) -> OfferChange:
    if offer.owner == member.id:
        return withdraw(work, member, offer)
    return leave(work, member, offer) if offer.open else decline(work, member, offer)
