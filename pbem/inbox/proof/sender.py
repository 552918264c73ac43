"""Sender: whose email it is, what it is about, and what it proves (docs/contracts.md)."""

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
from pbem.mail.topic import Dated, DirectorTopic, Holder, MatchTopic, Topic, midnight_of
from pbem.matches.match import MatchSummary, Player
from pbem.matches.succession import given_back
from pbem.ports.outbox import PostedMail
from pbem.ports.process import StorageError
from pbem.service.club import Club
from pbem.service.people import holders_of, is_director, new_until, trusted
from pbem.service.work import Work

WhoT = TypeVar("WhoT", bound=Player | Stranger)
WhoT_co = TypeVar("WhoT_co", bound=Player | Stranger, covariant=True)


@dataclass(frozen=True)
class Sender(Generic[WhoT_co]):
    """Whose mail it is by its From, what it is about as far as it tells, and its proof of that."""

    who: WhoT_co
    topic: Topic | None = None
    match: MatchSummary | None = None
    """The match that it is about, locked; a seat that a bot has kept for them is theirs again."""
    proof: Proof | None = None
    unsigned: bool = False
    """Whether a signature is all that its proof lacks."""
    outdated: bool = False
    """Whether it is signed as it should be, but perhaps a mail of old that was sent again."""

    @property
    def holder(self) -> Holder:
        """Who must be proven."""
        return self.who.id if isinstance(self.who, Player) else self.who.address.casefold()

    @property
    def bot(self) -> bool:
        """Whether it is a computer opponent."""
        return isinstance(self.who, Player) and bool(self.who.bot)

    @property
    def proven(self) -> bool:
        """Whether it is proven who sent it."""
        return self.proof is not None

    def renewed(self) -> Sender[WhoT_co]:
        """The same with a proof as of now: what they once sent, they have confirmed."""
        topic = self.topic
        if isinstance(topic, MatchTopic) and self.match is not None:
            topic = replace(topic, turn=self.match.token_turn)
        return self if topic is None else replace(self, proof=Proof(topic, latest=True))


AnySender = Sender[Player] | Sender[Stranger]


def identify(work: Work, message: Message, who: WhoT) -> Sender[WhoT]:
    """Topic and proof of a mail; raises Refused if it answers two at once."""
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
    newest_turn, exposure = work.exposures.worth(topic.key, holder)
    if not rule.wants_signature and is_exposed(work, message, topic, holder, exposure):
        return sender
    sent_to = holder if isinstance(holder, str) else ""
    latest = _is_newest(sender, topic, newest_turn)
    return replace(sender, proof=Proof(topic, latest, sent_to=sent_to))


def _is_newest(sender: Sender[WhoT], topic: Topic, newest_turn: int | None) -> bool:
    """Whether it answers the newest mail about its topic; bots get none, and look at the match."""
    if sender.bot and sender.match is not None:
        return topic.turn == sender.match.token_turn
    return topic.turn == newest_turn


def _rule_for(club: Club, who: Player | Stranger) -> ProofRule:
    """What proves a mail; no server signs that of a bot."""
    if isinstance(who, Stranger):
        return club.policy.proof
    if who.bot:
        return ProofRule.TOKEN
    return ProofRule(who.proof or club.policy.proof)


def _proven_topic(
    work: Work, tokens: Sequence[ReplyToken], who: Player | Stranger
) -> tuple[Topic | None, Holder]:
    """Topic of the good tokens, and for whom; the newest if they are of several turns.

    Raises Refused.
    """
    holders = holders_of(who)
    proven = [
        (token.topic, holder)
        for token in tokens
        for holder in holders
        if work.club.signer.proves(token, holder)
    ]
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
    """Whose mail it is if no token proves it: perhaps what its server has signed does."""
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
    """Match of an unproven mail: that of its token or subject, else the only one they play."""
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
    """Whether a player is in a match; one that a forged subject names is not locked for it."""
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
    """Whether a proof is good for what concerns a whole membership (`Need.RECENT`)."""
    return _is_since(work, sender, work.now - timedelta(days=RECENT_DAYS))


def is_after_addition(work: Work, sender: AnySender) -> bool:
    """Whether a proof was sent since a member added an address that is new (`Need.UNDOING`).

    Which of their addresses it was sent to does not matter: it takes such an address away.
    """
    who = sender.who
    if not isinstance(who, Player):
        return False
    added = [at for each, at in who.added.items() if new_until(who, each, work.now)]
    return not added or _is_since(work, sender, min(added))


def _is_since(work: Work, sender: AnySender, since: datetime) -> bool:
    """Whether a mail of ours that proves a sender was sent at a moment or later."""
    if sender.proof is None:
        return False
    if not sender.proof.token:  # by_signature has seen that it is newer than our newest mail
        return True
    topic = sender.proof.topic
    if isinstance(topic, Dated):
        return since < midnight_of(topic.turn) + timedelta(days=1)
    holder = sender.proof.sent_to or sender.holder
    queued = work.outbox.queued_at(topic.key, holder, topic.turn)
    return queued is not None and since <= queued


def is_newest(work: Work, sender: AnySender, answered: PostedMail | None) -> bool:
    """Return whether a proof is good for what moves a membership (`Need.MOVING`).

    It answers the newest email of all to them; for a director, an email to the director. Several
    emails can have one token. So where the client does not say which it answers, it is the first.
    """
    who, proof = sender.who, sender.proof
    if proof is None or not isinstance(who, Player):
        return False
    if is_director(work.club, who):
        return isinstance(proof.topic, DirectorTopic)
    if not proof.token:
        return True
    if answered is not None and answered.mail.topic == proof.topic.key:
        at = answered.queued_at
    else:
        holder = proof.sent_to or sender.holder
        sent = work.outbox.sent_to(proof.topic.key, holder, proof.turn)
        if not sent:
            return False
        at = min(sent.values())
    later = at + timedelta(microseconds=1)
    return not any(work.outbox.count(each, "", later) for each in who.addresses)


def is_trusted(work: Work, sender: AnySender, written_from: str) -> bool:
    """Return whether a proof may decide: an address that is new, or gone, never had it.

    A signature is trusted by the address it was made for.
    """
    who, proof = sender.who, sender.proof
    if proof is None or not isinstance(who, Player) or who.bot:
        return True
    if proof.token and not proof.sent_to:
        had = {*work.outbox.sent_to(proof.topic.key, who.id, proof.turn)}
    else:
        had = {proof.sent_to or written_from}
    may = {each.casefold() for each in trusted(who, work.now)}
    return may.issuperset(each.casefold() for each in had)


MOST_AHEAD = timedelta(minutes=5)
"""How far a clock may be ahead; until then the mail could be sent again as a new one."""


def vouched_for(club: Club, message: Message) -> Message | None:
    """A mail with no recipients but those its signature vouches for; None if it vouches for none.

    It must have been for the club: what was signed for somebody else says nothing here.
    """
    recipients = _recipients(message)
    named = any(is_club_address(each, club.addresses) for each in recipients)
    if not named or not is_read_as_signed(message):
        return None
    signed = is_signed(message, club.policy.trusted_hosts)
    return replace(message, recipients=recipients) if signed else None


def is_dated(work: Work, message: Message) -> bool:
    """Whether a mail tells when it was written, and not a time to come."""
    written = _written_at(message)
    return written is not None and written < work.now + MOST_AHEAD


def by_signature(work: Work, message: Message, topic: MatchTopic, holder: Holder) -> Proof | None:
    """What a signed mail without a token proves; None unless it is newer than our newest."""
    newest, written = work.outbox.latest(topic.key, holder), _written_at(message)
    if newest is None or written is None or not is_dated(work, message):
        return None
    return Proof(topic, latest=True, token=False) if newest.queued_at < written else None


def _recipients(message: Message) -> tuple[str, ...]:
    """Addresses of To and Cc: not names or comments there, and not what servers add on the way."""
    return plain_addresses(message.headers.written("to", "cc")) or ()


def _written_at(message: Message) -> datetime | None:
    """Moment in its Date; None if that is none."""
    try:
        written = parsedate_to_datetime(message.date_header)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return written if written.tzinfo else written.replace(tzinfo=UTC)
