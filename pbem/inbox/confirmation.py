"""Confirmation: park an unproven, unclear or previewed change until its player confirms it.

The question goes to a player's address on file, or to the address that a stranger wrote from. The
email is carried out only if they reply `confirm` to it, only once, and on the position at that time
(docs/contracts.md, "Parked emails"). Nothing else counts in an answer to a question: the reply "No,
that was not me" must not carry out the change.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pbem.games.lenient_text import plain
from pbem.inbox.proof.rate_limits import concerned
from pbem.inbox.proof.sender import AnySender, is_trusted
from pbem.inbox.requests import Requests, fresh_of, is_signed
from pbem.mail.addresses.addressing import carries_token, token_of_message_id
from pbem.mail.message.message import Message, read_message
from pbem.mail.outgoing.kinds import Confirm, Grant, Question, Section, Sure, Unclear
from pbem.mail.outgoing.kinds.refusals import (
    NothingToConfirm,
    NotYourMatch,
    RefusedError,
    WhichConfirmed,
)
from pbem.mail.reply.extent import extent_of
from pbem.mail.reply.reply_text import Fresh
from pbem.mail.stranger import Stranger
from pbem.mail.topic import MatchTopic, QuestionTopic, match_of
from pbem.matches.match import MatchSummary, Player
from pbem.ports.inbound import CONFIRMED, Attribution, InboundState
from pbem.ports.outbox import PostedMail
from pbem.ports.people import OpenQuestion
from pbem.service.members.absences import answered_of, thread_of, witness_by
from pbem.service.people import asked_at, has_directors_address, is_director, trusted
from pbem.service.post.post import Answered, post, view_of
from pbem.service.questions import (
    CHANGES,
    Change,
    PendingQuestion,
    SureChange,
    UnclearChange,
    UnprovenChange,
    ask,
    waiting,
)
from pbem.service.work import ConcurrentChange, Work

LINES_SHOWN = 20


def is_confirmation(fresh: str, names: Collection[str] = ()) -> bool:
    """Return whether a fresh text is just `confirm`, perhaps signed with one of the names."""
    said, *below = [line for line in plain(fresh).splitlines() if line.strip()] or [""]
    confirms = said.strip().strip("\"'`.! ").casefold() == "confirm"
    return confirms and all(is_signed(line, names) for line in below)


def park(
    work: Work,
    change: Change,
    who: Player | Stranger,
    match: MatchSummary | None,
    message: Message,
    requests: Requests,
    sections: Sequence[Section] = (),
) -> None:
    """Park a change and email its player a question that shows everything it would do."""
    days, lines = work.club.policy.parked_days, change.text.strip().splitlines()
    reader = _where_asked(work, who, requests) if isinstance(who, Player) else None
    of_match = match if not requests.needs_own_question else None
    question = QUESTIONS[type(change)](
        view_of(work, work.whole(of_match), reader) if of_match and reader else None,
        lines=lines[:LINES_SHOWN],
        left_out=max(0, len(lines) - LINES_SHOWN),
        requests=requests.told,
        days=days,
        grants=_grants(work, who, requests),
        sections=[each._replace(data={**each.data, "asking": True}) for each in sections],
    )
    about = concerned(reader, match) if reader else None
    asked = ask(work, change, reader.id if reader else who.address, days, about=about)
    answered, topic = Answered(message.message_id), None if of_match else asked.topic
    asked_by = post(work, question, reader or who.address, answered, topic=topic)
    work.questions.asked(asked.id, asked_by)


def _where_asked(work: Work, player: Player, requests: Requests) -> Player:
    """Return the player with only the address to ask, preferring one that may decide.

    The address must accept email. If the player has the director's address, decisions of directors
    are asked about there.
    """
    address = asked_at(player, work.now)
    if requests.needs_director or requests.needs_newest:
        works = (each for each in trusted(player, work.now) if each not in player.failed)
        address = next((a for a in works if has_directors_address(work.club, a)), address)
    return player if address is None else replace(player, addresses=(address,))


def _grants(work: Work, who: Player | Stranger, requests: Requests) -> tuple[Grant, ...]:
    """Return the rights that a change would give to someone."""
    if isinstance(who, Player):
        directs = is_director(work.club, who)
        return tuple(Grant(each, who.name, directs) for each in requests.shared_with)
    directs = has_directors_address(work.club, who.address)
    return tuple(Grant(each, "", directs) for each in requests.joining if directs)


QUESTIONS: Mapping[type[Change], type[Question]] = {
    UnprovenChange: Confirm,
    UnclearChange: Unclear,
    SureChange: Sure,
}
"""Kind of question for each kind of change. Only `confirm` answers it."""
_KINDS = tuple(kind.name() for kind in QUESTIONS.values())


def answers_question(
    work: Work, message: Message, sender: AnySender, fresh: Fresh, to_them: PostedMail | None
) -> bool:
    """Return whether an email answers one of our questions, whether settled or not.

    The Message-ID in its header decides, even if that email went to someone else. If the client
    gives none, the email that it quotes most decides.
    """
    answered, posted = _answered(message), to_them
    if posted is None or posted.mail.message_id != answered:
        posted = work.outbox.by_message_id(answered) if answered else None
    if posted is not None:
        return posted.mail.kind in _KINDS
    about = None if sender.topic is None else sender.topic.key
    quoted = (
        (extent_of(witness_by((each.mail.letter,)), fresh.quoted), each.mail.kind in _KINDS)
        for each in thread_of(work, sender.holder, about)
    )
    most, asks = max(quoted, default=(0, False))
    return most > 0 and asks


def is_open(work: Work, sender: AnySender, message: Message) -> bool:
    """Return whether the question that an email answers still waits for `confirm`."""
    return bool(_meant(work, sender, message))


@dataclass(frozen=True)
class Confirmed:
    """A change that its player has confirmed."""

    pending: PendingQuestion[Change]
    sender: AnySender
    """The sender, with a proof as of now."""
    text: str
    """Fresh text of the parked email, as read when it was parked.

    Reading it again might give another text. Later emails, such as the question itself, could match
    its quotes, and older ones may be gone.
    """
    came_at: datetime
    """When the parked email was received."""
    answered: PostedMail | None
    """Our email to the sender that the parked email answers."""
    trusted: bool
    """Whether the player confirmed it from an address that may decide."""


def confirmed(work: Work, sender: AnySender, message: Message, written_from: str) -> Confirmed:
    """Return the change that a proven `confirm` is about.

    Raises RefusedError if nothing waits or if several changes could be meant, and ConcurrentChange
    if another worker settled it first.
    """
    meant = _meant(work, sender, message)
    if len(meant) != 1:
        raise RefusedError(WhichConfirmed() if meant else NothingToConfirm())
    (pending,) = meant
    trusted = is_trusted(work, sender, written_from)
    sender = _in_its_match(work, sender, pending.question)
    mail = work.inbound.lock(pending.asked.inbound_id)
    if mail.state is not InboundState.PARKED:
        raise ConcurrentChange
    parked = read_message(mail.raw)
    answered = answered_of(work, parked, sender.holder)
    text = pending.asked.text or fresh_of(work, parked, sender, answered).fresh
    return Confirmed(pending, sender.renewed(), text, mail.received_at, answered, trusted)


def _in_its_match(work: Work, sender: AnySender, question: OpenQuestion) -> AnySender:
    """Return the sender with the match of a question that has its own token.

    Raises RefusedError if they do not play in that match.
    """
    number = match_of(question.about)
    if number is None or sender.match is not None or not isinstance(sender.who, Player):
        return sender
    match = work.matches.lock(number)
    if sender.who.id not in match.players:
        raise RefusedError(NotYourMatch(number))
    topic = MatchTopic(number, match.token_turn, match.seat_for(sender.who.id))
    return replace(sender, match=match, topic=topic)


def _meant(work: Work, sender: AnySender, message: Message) -> list[PendingQuestion[Change]]:
    """Return the waiting changes that a `confirm` from the sender could mean."""
    if sender.topic is None:
        return []
    if isinstance(sender.topic, QuestionTopic):
        pending = waiting(work, CHANGES, sender.holder)
        return [each for each in pending if each.question.topic == sender.topic]
    answered = _answered(message)
    pending = waiting(work, CHANGES, sender.holder, sender.topic.key)
    meant = [
        each
        for each in pending
        if answered in ("", each.question.asked_by) and not _has_own_token(each.question)
    ]
    return meant[-1:] if _are_same(meant) else meant


def _are_same(pending: Sequence[PendingQuestion[Change]]) -> bool:
    """Return whether a player wrote the same twice, such as `resign`, and was asked each time."""
    return len({each.asked.text for each in pending}) == 1 and all(
        isinstance(each.asked, SureChange) for each in pending
    )


def _has_own_token(question: OpenQuestion) -> bool:
    """Return whether only the question's own token confirms it."""
    token = token_of_message_id(question.asked_by)
    return token is not None and token.topic == question.topic


def settle(work: Work, confirmed: Confirmed) -> None:
    """Close a confirmed question and its email. Raises StorageError if it is already settled."""
    question, inbound_id = confirmed.pending.question, confirmed.pending.asked.inbound_id
    work.questions.settle(question.id)
    who = confirmed.sender.who
    player = who.id if isinstance(who, Player) else None
    whose = Attribution(player, question.about, proven=True)
    work.inbound.close(inbound_id, InboundState.DONE, CONFIRMED, whose)


def _answered(message: Message) -> str:
    """Return the Message-ID of our email that is answered, empty if the client gives none.

    Only one, since References names the whole thread with all its older questions.
    """
    named = (*message.in_reply_to, *reversed(message.references))
    return next((each for each in named if carries_token(each)), "")
