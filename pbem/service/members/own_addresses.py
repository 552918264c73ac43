"""Addresses: add, remove and reorder a member's addresses, and notify them.

A new address counts once its reader agrees, and decides nothing for 14 days (`new_until` in
`people.py`). All other addresses get an email about each change, so that its owner notices a thief.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum
from unicodedata import normalize

from pbem.log import get_logger
from pbem.mail.address import is_address, mailbox_of
from pbem.mail.addresses.addressing import is_club_address
from pbem.mail.outgoing.kinds import (
    AddressesChanged,
    AddressQuestion,
    DirectorAddress,
    DirectorReached,
    WaitingMatch,
)
from pbem.mail.topic import MembershipTopic, day_of, match_key
from pbem.matches.clock import PauseReason
from pbem.matches.event import ReachedAgain
from pbem.matches.match import MatchSummary, Player
from pbem.ports.process import StorageError
from pbem.service.clocks.schedule import change_of_player, counted
from pbem.service.club import Club
from pbem.service.members.names import remember
from pbem.service.people import NEW_FOR, is_director, new_until, trusted
from pbem.service.play.bots import is_bots
from pbem.service.play.notices import News, tell_players
from pbem.service.post.post import post, send_again, tell_director
from pbem.service.questions import NewAddress, all_waiting, ask
from pbem.service.takeovers.change import allows_substitutes
from pbem.service.work import Work

DAYS = 7
"""Days that an address has to answer, and before it can be asked again."""
MOST_ASKED = 3
"""Addresses that can be asked for one member at a time, so that nobody makes the club write to a
list.
"""
MOST_ADDRESSES = 5
OFFICES = frozenset(
    ("postmaster", "mailer-daemon", "hostmaster", "webmaster", "abuse", "security", "root")
)
"""Mailboxes of a domain's offices (RFC 2142), which are nobody's own."""


class Why(StrEnum):
    """Why an address is not changed."""

    NO_ADDRESS = "it is not a person's email address"
    OWN = "it is already one of their addresses"
    KNOWN = "somebody else in the club uses it"
    ASKED = "it got a question within the last week"
    MANY = "they have too many addresses"
    UNCONFIRMED = "they have too many addresses that they have not confirmed yet"
    NOT_OWN = "it is not one of their addresses"
    LAST = "it is the last that accepts email. Add another one first"
    CLUBS = "it belongs to the club, to its director or to a computer opponent"
    NOT_NEW = "it is not new"


class AddressError(StorageError):
    """Raised if an address cannot be added, removed or put first."""

    def __init__(self, address: str, why: Why) -> None:
        super().__init__(f"{address} stays as it is: {why}")
        self.address = address
        self.why = why


def require_new(work: Work, member: Player, address: str) -> None:
    """Raise AddressError unless the club can ask an address to accept a member's email."""
    if not is_address(address) or is_club_address(address, work.club.addresses):
        raise AddressError(address, Why.NO_ADDRESS)
    require_free(work, address, member)
    since = work.now - timedelta(days=DAYS)
    if work.outbox.count(address, AddressQuestion.name(), since):
        raise AddressError(address, Why.ASKED)
    if len(member.addresses) >= MOST_ADDRESSES:
        raise AddressError(address, Why.MANY)
    if len(asked_for(work, member)) >= MOST_ASKED:
        raise AddressError(address, Why.UNCONFIRMED)


def require_free(work: Work, address: str, member: Player | None = None) -> None:
    """Raise AddressError if an address belongs to somebody, or no member can add it."""
    holder = work.players.at(address)
    if holder is not None:
        is_own = member is not None and holder.id == member.id
        raise AddressError(address, Why.OWN if is_own else Why.KNOWN)
    if is_clubs(work.club, address):
        raise AddressError(address, Why.CLUBS)


def is_clubs(club: Club, address: str) -> bool:
    """Return whether an address is like the director's, a bot's, or of an office of its domain."""
    local, _, host = _mailbox(address)
    if local in OFFICES or (local, host) == _mailbox(club.director)[::2]:
        return True
    return is_club_address(address, club.addresses) or is_bots(club, address)


def _mailbox(address: str) -> tuple[str, str, str]:
    """Return the parts of an address without its plus part, case-folded."""
    local, at, host = normalize("NFKC", address).casefold().rpartition("@")
    return local.partition("+")[0], at, host.rstrip(".")


def ask_at(work: Work, member: Player, address: str) -> None:
    """Ask at an address whether a member's email may go there."""
    about = MembershipTopic(member.id).key
    question = ask(work, NewAddress(member.id, address), address, DAYS, about=about)
    directs = is_director(work.club, member)
    if work.invited.said_never(work.club.signer.keys_of(mailbox_of(address))):
        return  # the member must not learn that
    mail = AddressQuestion(member.name, address, DAYS, directs, NEW_FOR.days)
    work.questions.asked(question.id, post(work, mail, address, topic=question.topic))


def asked_for(work: Work, member: Player) -> list[str]:
    """Return the addresses that were asked for a member and have not answered."""
    asked = (each.asked for each in all_waiting(work, NewAddress))
    return [each.address for each in asked if each.player == member.id]


def add(work: Work, member: Player, address: str, *, by_mail: bool = False) -> Player:
    """Add an address to a member. Raises StorageError if somebody has it.

    An address added by email is new for a while. One added by the operator is not.
    """
    added_at = work.now if by_mail else None
    after = change_addresses(work, member, [*member.addresses, address], added_at)
    until = new_until(after, address, work.now)
    _tell(work, member, after, AddressesChanged("added", address, until=until), answered=False)
    return after


def without(member: Player, address: str) -> list[str]:
    """Return the other addresses. Raises AddressError if not theirs or the last that works."""
    own = own_address(member, address)
    others = [each for each in member.addresses if each != own]
    works = own not in member.failed
    if not others or (works and member.failed.issuperset(others)):
        raise AddressError(own, Why.LAST)
    return others


def require_undoable(member: Player, address: str, now: datetime) -> str:
    """Return a new address as stored. Raises AddressError if it is not theirs or not new."""
    own = own_address(member, address)
    if new_until(member, own, now) is None:
        raise AddressError(own, Why.NOT_NEW)
    return own


def undo(work: Work, member: Player, address: str, *, answered: bool = False) -> Player:
    """Remove a new address again. Raises AddressError.

    The others need not accept email for that, since a thief may have forged their bounces.
    """
    own = require_undoable(member, address, work.now)
    after = change_addresses(work, member, [each for each in member.addresses if each != own])
    _tell(work, member, after, AddressesChanged("removed", own), answered=answered)
    return after


def needs_older(member: Player, now: datetime, *, removed: str = "", first: str = "") -> bool:
    """Return whether an older address must agree, since a new one would take its place."""
    new = {each for each in member.addresses if new_until(member, each, now)}
    return bool(new) and (first in new or (removed != "" and removed not in new))


def remove(work: Work, member: Player, address: str, *, answered: bool = False) -> Player:
    """Remove an address. Raises AddressError."""
    own = own_address(member, address)
    after = change_addresses(work, member, without(member, own))
    _tell(work, member, after, AddressesChanged("removed", own), answered=answered)
    return after


def put_first(work: Work, member: Player, address: str, *, answered: bool = False) -> Player:
    """Put an address first, so that email goes there. Raises AddressError if it is not theirs."""
    own = own_address(member, address)
    others = [each for each in member.addresses if each != own]
    after = change_addresses(work, member, [own, *others])
    _tell(work, member, after, AddressesChanged("first", own), answered=answered)
    return after


def own_address(member: Player, address: str) -> str:
    """Return a member's address as stored. Raises AddressError if it is not theirs."""
    same = (each for each in member.addresses if each.casefold() == address.casefold())
    found = next(same, None)
    if found is None:
        raise AddressError(address, Why.NOT_OWN)
    return found


def _tell(
    work: Work, before: Player, after: Player, mail: AddressesChanged, *, answered: bool
) -> None:
    """Notify every old and new address, except the one that gets the answer.

    An added address is reported even to addresses that seem to fail, since a thief may have forged
    that. The new one gets no token of the membership. None of them gets one by which directors
    decide.
    """
    failed = frozenset() if mail.until else before.failed | after.failed
    topic = MembershipTopic(after.id, day_of(work.now))
    for each in dict.fromkeys((*before.addresses, *after.addresses)):
        if each in failed or (answered and each == after.address):
            continue
        theirs, agreed = each in after.addresses, mail.what == "added" and each == mail.address
        told = replace(mail, member=after.name, theirs=theirs, agreed=agreed)
        if each in trusted(after, work.now):
            reader = replace(after, addresses=(each,), failed=frozenset())
            post(work, told, reader, topic=topic)
        else:
            post(work, told, each)


log = get_logger(__name__)


def address_fails(work: Work, player: Player, address: str, why: str) -> Player:
    """Record that an address fails and tell the director. Return the player after that."""
    work.players.address_failed(address, work.now, why)
    after = work.players.get(player.id)
    log.warning("address accepts no mail", player=player.id, why=why, others=after.reachable)
    stopped = () if after.reachable else waiting_matches(_stop(work, after))
    tell_director(work, DirectorAddress(after, address, why, stopped))
    return after


def waiting_matches(matches: Iterable[MatchSummary]) -> Sequence[WaitingMatch]:
    """Return matches that wait for a player, and whether substitutes may take over there."""
    return [WaitingMatch(each.id, allows_substitutes(each)) for each in matches]


def address_works(work: Work, player: Player, address: str, answered: int | None = None) -> bool:
    """Record that an address works, after a proven email from it. Return whether it had failed.

    `answered` is the match that the email answers, whose turn is not sent again.
    """
    failed = address.casefold() in {each.casefold() for each in player.failed}
    if failed:
        accept(work, player, address, answered)
    return failed


def accept(work: Work, player: Player, address: str, answered: int | None = None) -> None:
    """Record that an address accepts email again. Raises StorageError if nobody has it."""
    work.players.address_works(address, work.now)
    _go_on_if_reached(work, player, work.players.get(player.id), answered)


def change_addresses(
    work: Work, player: Player, addresses: Sequence[str], added_at: datetime | None = None
) -> Player:
    """Replace a player's addresses. Raises StorageError if one is taken.

    `added_at` is when the player added the new ones by email, None if the operator did.
    """
    after = work.players.set_addresses(player.id, addresses, added_at)
    remember(work, player, after)
    if player.reachable and not after.reachable:
        _stop(work, after)
    _go_on_if_reached(work, player, after, None)
    return after


def _stop(work: Work, player: Player) -> list[MatchSummary]:
    """Pause a player's clocks. Return the matches in which it is their turn."""
    at = counted(work, work.now)
    return change_of_player(
        work, player.id, lambda match: match.clock.pause(PauseReason.UNREACHABLE, at)
    )


def _go_on_if_reached(work: Work, before: Player, after: Player, answered: int | None) -> None:
    """Resume a player's clocks once they are reachable again, and send what they missed."""
    if before.reachable or not after.reachable:
        return
    at = counted(work, work.now)
    asked = change_of_player(
        work, after.id, lambda match: match.clock.resume(PauseReason.UNREACHABLE, at)
    )
    _send_what_was_missed(work, after, answered)
    tell_director(work, DirectorReached(after, [match.id for match in asked]))


def _send_what_was_missed(work: Work, player: Player, answered: int | None) -> None:
    """Send their current turns, and the newest email of other matches if it did not arrive."""
    for match in work.matches.of_player(player.id, playing=False):
        latest = work.outbox.latest(match_key(match.id), player.id)
        if match.player_to_act == player.id:
            if match.id != answered:
                tell_players(work, News(work.whole(match), (ReachedAgain(player.id),)))
        elif latest is not None and latest.failed:
            send_again(work, latest.mail, player)
