"""Own addresses: what a member changes of them, and who hears of it.

A new one counts when whoever reads it has said so. Each change is told at all the others, so that a
thief who got hold of one is noticed at the rest.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from enum import StrEnum

from pbem.mail.address import is_address
from pbem.mail.addresses.addressing import is_club_address
from pbem.mail.outgoing.kinds import AddressesChanged, AddressQuestion
from pbem.mail.topic import MembershipTopic
from pbem.matches.match import Player
from pbem.service.members.addresses import change_addresses
from pbem.service.ports import StorageError
from pbem.service.post.post import post
from pbem.service.questions import NewAddress, all_waiting, ask
from pbem.service.work import Work

DAYS = 7
"""How long an address that was asked may answer, and for how long it is not asked again."""
MOST_ASKED = 3
"""Addresses that may be asked for one member at a time: nobody has the club write to a list."""
MOST_ADDRESSES = 5


class Why(StrEnum):
    """Why an address is not changed."""

    NO_ADDRESS = "it is no e-mail address of a person"
    OWN = "it is one of theirs already"
    KNOWN = "somebody else in the club has it"
    ASKED = "it was asked about within a week"
    MANY = "too many are asked or known already"
    NOT_OWN = "it is none of theirs"
    LAST = "it is the last that accepts mail; add another one first"


class AddressError(StorageError):
    """An address cannot be added, removed or put first."""

    def __init__(self, address: str, why: Why) -> None:
        super().__init__(f"{address} stays as it is: {why}")
        self.address = address
        self.why = why


def require_new(work: Work, member: Player, address: str) -> None:
    """Raises AddressError unless an address can be asked whether a member's mail may go there."""
    if not is_address(address) or is_club_address(address, work.club.addresses):
        raise AddressError(address, Why.NO_ADDRESS)
    holder = work.players.at(address)
    if holder is not None:
        raise AddressError(address, Why.OWN if holder.id == member.id else Why.KNOWN)
    since = work.now - timedelta(days=DAYS)
    if work.outbox.count(address, AddressQuestion.name(), since):
        raise AddressError(address, Why.ASKED)
    if len(asked_for(work, member)) >= MOST_ASKED or len(member.addresses) >= MOST_ADDRESSES:
        raise AddressError(address, Why.MANY)


def ask_at(work: Work, member: Player, address: str) -> None:
    """Asks at an address whether a member's mail may go there."""
    about = MembershipTopic(member.id).key
    question = ask(work, NewAddress(member.id, address), address, DAYS, about=about)
    mail = AddressQuestion(member.name, address, DAYS)
    work.questions.asked(question.id, post(work, mail, address, topic=question.topic))


def asked_for(work: Work, member: Player) -> list[str]:
    """Addresses that were asked and have not answered."""
    asked = (each.asked for each in all_waiting(work, NewAddress))
    return [each.address for each in asked if each.player == member.id]


def add(work: Work, member: Player, address: str) -> Player:
    """The address counts from now on; raises StorageError if somebody has it."""
    after = change_addresses(work, member, [*member.addresses, address])
    _tell(work, member, after, AddressesChanged("added", address), answered=False)
    return after


def without(member: Player, address: str) -> list[str]:
    """Their addresses without one; raises AddressError if it is none, or the last that works."""
    own = own_address(member, address)
    others = [each for each in member.addresses if each != own]
    works = own not in member.failed
    if not others or (works and member.failed.issuperset(others)):
        raise AddressError(own, Why.LAST)
    return others


def remove(work: Work, member: Player, address: str, *, answered: bool = False) -> Player:
    """The address counts no more; raises AddressError."""
    own = own_address(member, address)
    after = change_addresses(work, member, without(member, own))
    _tell(work, member, after, AddressesChanged("removed", own), answered=answered)
    return after


def put_first(work: Work, member: Player, address: str, *, answered: bool = False) -> Player:
    """Mail goes to this one before all others; raises AddressError if it is none of theirs."""
    own = own_address(member, address)
    others = [each for each in member.addresses if each != own]
    after = change_addresses(work, member, [own, *others])
    _tell(work, member, after, AddressesChanged("first", own), answered=answered)
    return after


def own_address(member: Player, address: str) -> str:
    """An address of theirs as it is stored; raises AddressError if it is none."""
    same = (each for each in member.addresses if each.casefold() == address.casefold())
    found = next(same, None)
    if found is None:
        raise AddressError(address, Why.NOT_OWN)
    return found


def _tell(
    work: Work, before: Player, after: Player, mail: AddressesChanged, *, answered: bool
) -> None:
    """Tells every address, old and new; not the one where the answer goes, if there is one."""
    for each in dict.fromkeys((*before.addresses, *after.addresses)):
        if each in before.failed | after.failed or (answered and each == after.address):
            continue
        theirs, agreed = each in after.addresses, mail.what == "added" and each == mail.address
        told = replace(mail, member=after.name, theirs=theirs, agreed=agreed)
        reader = replace(after, addresses=(each,), failed=frozenset())
        post(work, told, reader if theirs else each)
