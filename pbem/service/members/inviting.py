"""Inviting: a member asks the owner of an address to play, whoever that is.

The member never learns whether the club knows the address. Whatever it is, the same invitation is
stored, and the answer, the list and the expiry are the same. Only the email differs: a member gets
one worded for members. A mailbox gets one only once, and never after its owner said `never`. Nor
does a member who blocks the sender or is blocked by them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta

from pbem.games.api import AnyGame
from pbem.mail.address import is_address, mailbox_of
from pbem.mail.addresses.addressing import is_club_address
from pbem.mail.outgoing.kinds import Invitation
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.offer_view import InvitationView
from pbem.mail.outgoing.time_view import due
from pbem.mail.screening.robot_words import UNREAD_MAILBOXES
from pbem.mail.topic import MembershipTopic
from pbem.matches.match import Match, Player, new_match
from pbem.matches.offer_terms import Begins, OfferError, OfferTerms
from pbem.matches.reliability import NO_CONDITIONS, Conditions, read_conditions
from pbem.matches.words import phrase
from pbem.service.club import Joining
from pbem.service.members.names import name_from
from pbem.service.members.own_addresses import is_clubs
from pbem.service.offers.change import require_playable
from pbem.service.offers.making import require_room, require_terms
from pbem.service.offers.options import words_of, written
from pbem.service.offers.reading import Wanted, read_wanted
from pbem.service.post.allowance import of_mailbox, room_in
from pbem.service.post.post import post
from pbem.service.questions import InvitationQuestion, PendingQuestion, all_waiting, ask
from pbem.service.work import Work

DAYS = 14
"""Days that an invitation stays open."""
MOST = 3
"""Invitations that a member can send in a week."""
WEEK = timedelta(days=7)
NOBODY = 0
"""Number of a player who has none yet."""


@dataclass(frozen=True)
class Invited:
    """What a member asks the owner of an address to play."""

    by: Player
    address: str
    words: str
    """The game and its terms, as they can be read again."""
    terms: OfferTerms
    place: int
    """Place of the member in the order of entry."""
    needs: Conditions = NO_CONDITIONS
    """Conditions for a member who accepts. A new member meets them all."""

    @property
    def game(self) -> AnyGame:
        """The game."""
        return self.terms.game

    @property
    def mailbox(self) -> str:
        """The mailbox of the address."""
        return mailbox_of(self.address)

    def in_order(self, other: Player) -> Sequence[Player]:
        """Return both players in the order of entry."""
        return (self.by, other) if self.place == 0 else (other, self.by)

    def start(self, work: Work, other: Player) -> Match:
        """Return the match as it would start, without a number."""
        ids = [player.id for player in self.in_order(other)]
        return new_match(self.game, ids, self.terms.options, work.now)


def names_an_address(wanted: Wanted) -> bool:
    """Return whether a request names an address instead of a member."""
    return any("@" in name for name in wanted.names)


def invitation(work: Work, by: Player, wanted: Wanted) -> Invited:
    """Return the invitation that a member asks for. Raises OfferError.

    Nothing here may depend on what the club knows of the address.
    """
    if work.club.policy.joining is not Joining.OPEN:
        closed = work.club.policy.joining is Joining.CLOSED
        raise OfferError(
            phrase("offer.invite-closed") if closed else phrase("offer.invite-approval")
        )
    if len(wanted.names) != 1 or wanted.begins is not Begins.MATCH:
        raise OfferError(phrase("offer.invite-one"))
    require_terms(wanted, ("as", "ontime", "pace", "rating"))
    (address,) = wanted.names
    _require_person(work, by, address)
    require_room(work, by)
    invited = _read(work, by, wanted, address)
    invited.terms.require_offered()
    own = [each for each in all_waiting(work, InvitationQuestion) if each.asked.player == by.id]
    if invited.mailbox in (mailbox_of(str(each.question.holder)) for each in own):
        raise OfferError(phrase("offer.invited", address=address))
    lately = work.now + timedelta(days=DAYS) - WEEK
    if sum(each.question.expires_at > lately for each in own) >= MOST:
        raise OfferError(phrase("offer.most-invited", count=MOST))
    return invited


def _require_person(work: Work, by: Player, address: str) -> None:
    local = address.rpartition("@")[0].casefold()
    if not is_address(address):
        raise OfferError(phrase("offer.no-address", address=address))
    if mailbox_of(address) in map(mailbox_of, by.addresses):
        raise OfferError(phrase("offer.oneself"))
    unread = "".join(filter(str.isalnum, local)).startswith(UNREAD_MAILBOXES)
    of_club = is_club_address(address, work.club.addresses) or is_clubs(work.club, address)
    if unread or of_club:
        raise OfferError(phrase("offer.no-person", address=address))


def _read(work: Work, by: Player, wanted: Wanted, address: str) -> Invited:
    terms = wanted.terms_for(2)
    require_playable(work, terms)
    lots = work.club.signer.lots(f"invitation {by.id} {mailbox_of(address)}")
    wished = wanted.place(2)
    words = written([word for word in wanted.words if "@" not in word])
    place, needs = lots(2) if wished is None else wished, read_conditions(wanted.terms)
    return Invited(by, address, words, terms, place, needs)


def read_again(work: Work, asked: InvitationQuestion, address: str) -> Invited:
    """Return the invitation of a stored question. Raises OfferError if its game is missing."""
    wanted = read_wanted(words_of(asked.words))
    by = work.players.get(asked.player)
    return replace(_read(work, by, wanted, address), place=asked.place)


def invite(work: Work, invited: Invited, words: Collection[str]) -> InvitationView:
    """Store an invitation, and send it if its address may get it. `words` are those of commands."""
    work.inbound.take_turns(of_mailbox(invited.address))
    reader = _reader(work, invited)
    called = name_from(work, invited.address, words)
    asked = InvitationQuestion(invited.by.id, invited.words, invited.place, called)
    about = MembershipTopic(invited.by.id).key
    question = ask(work, asked, invited.address, DAYS, about=about)
    if reader is not None:
        work.invited.note(keys_of(work, invited)[0])
        mail = _mail(work, invited, reader, called)
        work.questions.asked(question.id, post(work, mail, reader, topic=question.topic))
    return _view(work, invited.by, PendingQuestion(question, asked))


def keys_of(work: Work, invited: Invited) -> tuple[str, ...]:
    """Return the keyed hashes of an invited mailbox."""
    return work.club.signer.keys_of(invited.mailbox)


def _reader(work: Work, invited: Invited) -> Player | str | None:
    """Return the member or the address that gets the email, None if nobody does."""
    # Also to a member only once: a second answer would show that they had not been a stranger.
    if work.invited.said_never(keys_of(work, invited)) is not None:
        return None
    for member in work.players.all():
        if not member.bot and invited.mailbox in map(mailbox_of, member.addresses):
            return None if member.id in work.blocks.around(invited.by.id) else member
    return invited.address if room_in(work, of_mailbox(invited.address)) else None


def _mail(work: Work, invited: Invited, reader: Player | str, called: str) -> Invitation:
    you = reader if isinstance(reader, Player) else Player(NOBODY, called, (invited.address,))
    words = work.club.club_renderer.words
    view = MatchView(
        match=invited.start(work, you),
        you=you,
        names={invited.by.id: invited.by.name, you.id: you.name},
        now=work.now,
        words=words,
    )
    _, rules, *_ = invited.game.rules(words.language).split("\n\n")
    until = due(work.now + timedelta(days=DAYS), you.time_zone, work.now)
    return Invitation(invited.by.name, view, rules, "" if you is reader else called, until)


def invitations_of(work: Work, player: Player) -> list[InvitationView]:
    """Return a member's open invitations, oldest first, without those whose game is missing."""
    own = (each for each in all_waiting(work, InvitationQuestion) if each.asked.player == player.id)
    views = list[InvitationView]()
    for each in own:
        with suppress(OfferError):
            views.append(_view(work, player, each))
    return views


def _view(
    work: Work, player: Player, pending: PendingQuestion[InvitationQuestion]
) -> InvitationView:
    invited = read_again(work, pending.asked, str(pending.question.holder))
    until = due(pending.question.expires_at, player.time_zone, work.now)
    return InvitationView(invited.address, invited.game.info, until)
