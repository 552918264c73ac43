"""Sender: find the sender and topic of an email, and what it proves (docs/contracts.md)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Generic, TypeVar

from pbem.commands.api import RECENT_DAYS
from pbem.inbox.proof.exposure import is_exposed
from pbem.mail.address import plain_addresses
from pbem.mail.addresses.addressing import ReplyToken, is_club_address, tokens_in
from pbem.mail.message.message import Message
from pbem.mail.outgoing.kinds.refusals import NotYourMatch, RefusedError, TwoMatches
from pbem.mail.proof.authentication import (
    Proof,
    ProofRule,
    is_all_signed,
    is_read_as_signed,
    is_signed,
)
from pbem.mail.stranger import Stranger
from pbem.mail.topic import (
    Dated,
    DigestTopic,
    DirectorTopic,
    Holder,
    MatchTopic,
    Topic,
    midnight_of,
)
from pbem.matches.match import MatchSummary, Player
from pbem.matches.seat_changes import given_back
from pbem.ports.keeping import Worth
from pbem.ports.outbox import PostedMail
from pbem.ports.process import StorageError
from pbem.service.club import Club
from pbem.service.people import holders_of, is_director, new_until, trusted
from pbem.service.work import Work

WhoT = TypeVar("WhoT", bound=Player | Stranger)
WhoT_co = TypeVar("WhoT_co", bound=Player | Stranger, covariant=True)


@dataclass(frozen=True)
class Sender(Generic[WhoT_co]):
    """The sender of an email by its From, its topic if it has one, and its proof."""

    who: WhoT_co
    topic: Topic | None = None
    match: MatchSummary | None = None
    """The match it is about, locked. A seat that a bot keeps for the sender counts as theirs."""
    proof: Proof | None = None
    unsigned: bool = False
    """Whether the proof lacks only a signature."""
    outdated: bool = False
    """Whether the signature is good, but the email may be an old one sent again."""

    @property
    def holder(self) -> Holder:
        """The holder that must be proven."""
        return self.who.id if isinstance(self.who, Player) else self.who.address.casefold()

    @property
    def bot(self) -> bool:
        """Whether the sender is a bot."""
        return isinstance(self.who, Player) and bool(self.who.bot)

    @property
    def proven(self) -> bool:
        """Whether the sender is proven."""
        return self.proof is not None

    def in_match(self, match: MatchSummary, turn: int, *, latest: bool) -> Sender[WhoT_co]:
        """Return the sender as the author of a part of an answer to a digest, about one match.

        The digest's token proves it as answer to the turn that the digest showed. `latest` says
        that no later email about the match was sent to them.
        """
        if not isinstance(self.topic, DigestTopic) or not isinstance(self.holder, int):
            raise ValueError("only an answer to a digest has parts")
        topic, proof = MatchTopic(match.id, turn, match.seat_for(self.holder)), self.proof
        if proof is not None:
            proof = proof._replace(topic=topic, latest=latest, digest=self.topic)
        return replace(self, topic=topic, match=match, proof=proof)

    def renewed(self) -> Sender[WhoT_co]:
        """Return the sender with a proof as of now, as they have confirmed their earlier email."""
        topic = self.topic
        if isinstance(topic, MatchTopic) and self.match is not None:
            topic = replace(topic, turn=self.match.token_turn)
        return self if topic is None else replace(self, proof=Proof(topic, latest=True))


AnySender = Sender[Player] | Sender[Stranger]


def identify(work: Work, message: Message, who: WhoT) -> Sender[WhoT]:
    """Find the topic and proof of an email. Raises RefusedError if it answers two topics."""
    sender, rule = Sender(who), _rule_for(work.club, who)
    vouched = vouched_for(work.club, message) if rule.wants_signature else message
    tokens = tokens_in(vouched or message, work.club.addresses)
    topic, holder = _proven_topic(work, tokens, who)
    match = _locked(work, topic) if isinstance(topic, MatchTopic) else None
    if topic is None or (match is None and isinstance(topic, MatchTopic)):
        return _without_token(work, message, sender, tokens, None if rule.wants_token else vouched)
    if match is not None and isinstance(who, Player):
        match = given_back(match, who.id)
        if who.id not in match.players:
            raise RefusedError(NotYourMatch(match.id))
    sender = replace(sender, topic=topic, match=match)
    if vouched is None:
        return replace(sender, unsigned=True)
    if rule.wants_signature and not is_dated(work, vouched):
        return replace(sender, outdated=True)
    worth = work.exposures.worth(topic.key, holder)
    if not rule.wants_signature and is_exposed(work, message, topic, holder, worth.exposure):
        return sender
    sent_to = holder if isinstance(holder, str) else ""
    latest = _is_newest(work, sender, topic, worth)
    return replace(sender, proof=Proof(topic, latest, sent_to=sent_to))


def _is_newest(work: Work, sender: Sender[WhoT], topic: Topic, worth: Worth) -> bool:
    """Return whether an email answers the newest one on its topic, and no digest shows more.

    Bots get no emails. They look at the match.
    """
    match, holder = sender.match, sender.holder
    if match is None or not isinstance(holder, int):
        return topic.turn == worth.newest_turn
    if sender.bot:
        return topic.turn == match.token_turn
    if topic.turn != worth.newest_turn or not worth.has_digests:
        return topic.turn == worth.newest_turn
    digests = work.digests.showing(holder, match.id)
    return all(each.turns[match.id] <= topic.turn for each in digests)


def _rule_for(club: Club, who: Player | Stranger) -> ProofRule:
    """Return the rule that proves an email. No server signs the emails of bots."""
    if isinstance(who, Stranger):
        return club.policy.proof
    if who.bot:
        return ProofRule.TOKEN
    return ProofRule(who.proof or club.policy.proof)


def _proven_topic(
    work: Work, tokens: Sequence[ReplyToken], who: Player | Stranger
) -> tuple[Topic | None, Holder]:
    """Return the topic of the good tokens, with their newest turn, and its holder.

    A thread may have several digests, of which the likeliest counts. Raises RefusedError if the
    tokens are for several other topics.
    """
    holders = holders_of(who)
    proven = [
        (token.topic, holder)
        for token in tokens
        for holder in holders
        if work.club.signer.proves(token, holder)
    ]
    if proven and all(isinstance(topic, DigestTopic) for topic, _ in proven):
        return proven[0]
    if len({topic.key for topic, _ in proven}) > 1:
        raise RefusedError(TwoMatches())
    return max(proven, key=lambda each: each[0].turn, default=(None, holders[0]))


def _without_token(
    work: Work,
    message: Message,
    sender: Sender[WhoT],
    tokens: Sequence[ReplyToken],
    signed: Message | None,
) -> Sender[WhoT]:
    """Return the sender of an email that no token proves. A signature may prove it."""
    match = _likely_match(work, message, sender.who, tokens)
    if match is None or not isinstance(sender.holder, int):
        return sender
    topic = MatchTopic(match.id, match.token_turn, match.seat_for(sender.holder))
    sender = replace(sender, topic=topic, match=match)
    if signed is None or not is_all_signed(signed):
        return sender
    proof = by_signature(work, signed, topic, sender.holder)
    return replace(sender, proof=proof, outdated=proof is None)


def _likely_match(
    work: Work, message: Message, who: Player | Stranger, tokens: Sequence[ReplyToken]
) -> MatchSummary | None:
    """Guess the match of an unproven email: from a token, the subject, or the only match played."""
    if isinstance(who, Stranger):
        return None
    named = [token.topic for token in tokens if isinstance(token.topic, MatchTopic)]
    numbers = [topic.match for topic in named] + [
        int(number) for number in re.findall(r"\[[^\[\]]{1,40} (\d{1,9})\]", message.subject)
    ]
    playing = [match.id for match in work.matches.of_player(who.id)]
    for match_id in numbers or playing[: 1 if len(playing) == 1 else 0]:
        if _plays(work, who, match_id):
            return given_back(work.matches.lock(match_id), who.id)
    return None


def _plays(work: Work, player: Player, match_id: int) -> bool:
    """Return whether a player is in a match, without locking one that a forged subject names."""
    try:
        return player.id in given_back(work.matches.get(match_id), player.id).players
    except StorageError:
        return False


def _locked(work: Work, topic: MatchTopic) -> MatchSummary | None:
    try:
        return work.matches.lock(topic.match)
    except StorageError:
        return None


def is_recent(work: Work, sender: AnySender) -> bool:
    """Return whether a proof is recent enough to affect the whole membership (`Need.RECENT`)."""
    return _is_since(work, sender, work.now - timedelta(days=RECENT_DAYS))


def is_after_addition(work: Work, sender: AnySender) -> bool:
    """Return whether a proof is newer than an address that is still new (`Need.UNDOING`).

    It may have been sent to any of the member's addresses, since the command removes such an
    address.
    """
    who = sender.who
    if not isinstance(who, Player):
        return False
    added = [at for each, at in who.added.items() if new_until(who, each, work.now)]
    return not added or _is_since(work, sender, min(added))


def _is_since(work: Work, sender: AnySender, since: datetime) -> bool:
    """Return whether our email that proves a sender was sent at or after a moment."""
    if sender.proof is None:
        return False
    if not sender.proof.token:  # by_signature made sure that it is newer than our newest email
        return True
    topic = sender.proof.token_topic
    if isinstance(topic, Dated):
        return since < midnight_of(topic.turn) + timedelta(days=1)
    holder = sender.proof.sent_to or sender.holder
    queued = work.outbox.queued_at(topic.key, holder, topic.turn)
    return queued is not None and since <= queued


def is_newest(work: Work, sender: AnySender, answered: PostedMail | None) -> bool:
    """Return whether a proof is good enough to move a membership (`Need.MOVING`).

    It must answer the newest of all our emails to them. For a director, it must answer an email to
    the director. Several emails can share a token. If the client does not say which one it answers,
    the first is assumed.
    """
    who, proof = sender.who, sender.proof
    if proof is None or not isinstance(who, Player):
        return False
    if is_director(work.club, who):
        return isinstance(proof.topic, DirectorTopic)
    if not proof.token:
        return True
    topic = proof.token_topic
    if answered is not None and answered.mail.topic == topic.key:
        at = answered.queued_at
    else:
        holder = proof.sent_to or sender.holder
        sent = work.outbox.sent_to(topic.key, holder, topic.turn)
        if not sent:
            return False
        at = min(sent.values())
    later = at + timedelta(microseconds=1)
    return not any(work.outbox.count(each, "", later) for each in who.addresses)


def is_trusted(work: Work, sender: AnySender, written_from: str) -> bool:
    """Return whether a proof may decide: it was never sent to an address that is new or removed.

    For a signature, the address that it was made for counts.
    """
    who, proof = sender.who, sender.proof
    if proof is None or not isinstance(who, Player) or who.bot:
        return True
    if proof.token and not proof.sent_to:
        topic = proof.token_topic
        had = {*work.outbox.sent_to(topic.key, who.id, topic.turn)}
    else:
        had = {proof.sent_to or written_from}
    may = {each.casefold() for each in trusted(who, work.now)}
    return may.issuperset(each.casefold() for each in had)


MOST_AHEAD = timedelta(minutes=5)
"""Tolerance for clocks that are ahead. An old email could pass as new within this span."""


def vouched_for(club: Club, message: Message) -> Message | None:
    """Return an email with only the recipients its signature covers, None if it has no valid one.

    It must be addressed to the club, since a signed email to somebody else proves nothing here.
    """
    recipients = _recipients(message)
    named = any(is_club_address(each, club.addresses) for each in recipients)
    if not named or not is_read_as_signed(message):
        return None
    signed = is_signed(message, club.policy.trusted_hosts)
    return replace(message, recipients=recipients) if signed else None


def is_dated(work: Work, message: Message) -> bool:
    """Return whether an email has a date that is not in the future."""
    written = _written_at(message)
    return written is not None and written < work.now + MOST_AHEAD


def by_signature(work: Work, message: Message, topic: MatchTopic, holder: Holder) -> Proof | None:
    """Return the proof in a signed email without a token, None if it is older than our newest."""
    newest, written = work.outbox.latest(topic.key, holder), _written_at(message)
    if newest is None or written is None or not is_dated(work, message):
        return None
    return Proof(topic, latest=True, token=False) if newest.queued_at < written else None


def _recipients(message: Message) -> tuple[str, ...]:
    """Return the addresses in To and Cc, without names, comments or fields that servers add."""
    return plain_addresses(message.headers.written("to", "cc")) or ()


def _written_at(message: Message) -> datetime | None:
    """Return the moment in the Date field, None if it has no valid one."""
    try:
        written = parsedate_to_datetime(message.date_header)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return written if written.tzinfo else written.replace(tzinfo=UTC)
