"""Invited: read the answer to an invitation, whether a stranger or a member gives it.

A stranger who accepts, or plays a first move, becomes a member: the token in the invitation proves
their address, as an answer to `join` does. Nothing else counts as an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain

from pbem.archive.site.values import NoteKind
from pbem.commands import FoundCommand, command_words
from pbem.commands.api import CommandContext, CommandResult, Section
from pbem.commands.api.offering import NotOffered
from pbem.commands.join import newcomer, require_open
from pbem.games.api import ActionError
from pbem.games.lenient_text import plain
from pbem.games.phrases import Phrase
from pbem.games.replay import counts_of
from pbem.inbox.proof.sender import AnySender
from pbem.inbox.requests import Requests, carry_out, is_signed, names_of, read_requests
from pbem.mail.addresses.addressing import carries_token
from pbem.mail.message.message import Message
from pbem.mail.outgoing.kinds import Invitation, InvitationDeclined
from pbem.mail.outgoing.kinds.refusals import NotSigned, Refusal, RefusedError
from pbem.mail.reply.reply_text import Fresh
from pbem.mail.topic import QuestionTopic
from pbem.matches.event import BEGUN
from pbem.matches.match import Match, Player
from pbem.matches.offer_terms import OfferError
from pbem.matches.player_actions import Change
from pbem.matches.words import phrase
from pbem.ports.process import StorageError
from pbem.service.club import AS_THE_CLUB, Joining, Public
from pbem.service.members import joining
from pbem.service.members.inviting import NOBODY, Invited, keys_of, read_again
from pbem.service.members.joining import Newcomer
from pbem.service.members.names import name_from
from pbem.service.offers.people import require_few_matches, require_no_ban, require_together
from pbem.service.play.change import apply, tell
from pbem.service.play.notices import News
from pbem.service.play.start import open_match
from pbem.service.play.talk import keep
from pbem.service.post.post import answered_by, post
from pbem.service.questions import InvitationQuestion, PendingQuestion, all_waiting
from pbem.service.reliability import unmet_by
from pbem.service.work import ConcurrentChange, Work

ANSWERS = {"accept", "decline", "join"}
NEVER = "never"


@dataclass(frozen=True)
class InvitationUnclear(Refusal):
    """An answer to an invitation that is none of those it asks for."""

    reason: Phrase | str = ""
    """Why the first move cannot be played. Empty if there is none."""
    text: str = ""
    """The move."""


@dataclass(frozen=True)
class InvitationOver(Refusal):
    """The invitation is no longer open."""

    member: bool
    by_director: bool
    """Whether joining needs more than an email."""


@dataclass(frozen=True)
class _Answer:
    """A proven email that answers an open invitation."""

    work: Work
    sender: AnySender
    message: Message
    came_at: datetime
    invited: Invited
    pending: PendingQuestion[InvitationQuestion]
    requests: Requests

    @property
    def note(self) -> tuple[str, ...]:
        """The text besides the answer, without a signature."""
        names = names_of(self.sender, self.message)
        lines = self.requests.note
        return () if all(is_signed(each, names) for each in lines) else lines

    @property
    def moves(self) -> Requests:
        """The first turn, if they wrote one."""
        items = (item for item in self.requests.items if not isinstance(item, FoundCommand))
        return replace(self.requests, items=tuple(items), note=())

    def settle(self, work: Work) -> None:
        """Close the invitation. Raises ConcurrentChange if somebody else did."""
        try:
            work.questions.settle(self.pending.question.id)
        except StorageError as error:
            raise ConcurrentChange from error


def is_about_invitation(work: Work, sender: AnySender, message: Message) -> bool:
    """Return whether an email with a good token answers an invitation, open or not."""
    if not isinstance(sender.topic, QuestionTopic) or not (sender.proven or sender.unsigned):
        return False
    if _pending(work, sender.topic) is not None:
        return True
    named = (*message.in_reply_to, *reversed(message.references))
    posted = work.outbox.by_message_id(next(filter(carries_token, named), ""))
    return posted is not None and posted.mail.kind == Invitation.name()


def invited(
    work: Work,
    sender: AnySender,
    message: Message,
    came_at: datetime,
    fresh: Fresh,
) -> tuple[Requests, CommandResult] | None:
    """Return what the answer to an invitation asks for and does, None if an email is none.

    Raises RefusedError if it is unclear, or the invitation is over.
    """
    if not is_about_invitation(work, sender, message):
        return None
    topic, is_member = sender.topic, isinstance(sender.who, Player)
    assert isinstance(topic, QuestionTopic)
    if sender.unsigned:
        raise RefusedError(NotSigned())
    pending = _pending(work, topic)
    if pending is None:
        _require_open(work, fresh, is_member=is_member)
        return None
    found = _found(work, pending)
    try:
        requests = read_requests(fresh.fresh, found.game, certain=fresh.certain)
    except ActionError as error:
        raise RefusedError(InvitationUnclear(error.reason, error.text)) from error
    answer = _Answer(work, sender, message, came_at, found, pending, requests)
    words = _words(requests)
    if any(_is_never(line) for line in requests.note):
        return _without_note(requests), _never(answer)
    if words - ANSWERS or not requests.items or (is_member and "join" in words):
        if is_member:
            return None
        raise RefusedError(InvitationUnclear())
    done = _decline(answer) if "decline" in words else _accept(answer)
    return _without_note(requests), done


def _found(work: Work, pending: PendingQuestion[InvitationQuestion]) -> Invited:
    """Return the invitation. Raises RefusedError if its game is not installed."""
    try:
        return read_again(work, pending.asked, str(pending.question.holder))
    except OfferError as error:
        raise RefusedError(InvitationUnclear(error.reason)) from error


def _pending(work: Work, topic: QuestionTopic) -> PendingQuestion[InvitationQuestion] | None:
    waiting = all_waiting(work, InvitationQuestion)
    return next((each for each in waiting if each.question.topic == topic), None)


def _without_note(requests: Requests) -> Requests:
    """Return requests without their note, which the match or the other player's email shows."""
    return replace(requests, note=())


def _require_open(work: Work, fresh: Fresh, *, is_member: bool) -> None:
    """Raise RefusedError if somebody answers an old invitation. Members may write anything else."""
    words = set[str]()
    with suppress(ActionError, RefusedError):
        words = _words(read_requests(fresh.fresh, None))
    if words & {"accept", "decline"} if is_member else words != {"join"}:
        by_director = work.club.policy.joining is not Joining.OPEN
        raise RefusedError(InvitationOver(is_member, by_director))


def _words(requests: Requests) -> set[str]:
    return {item.command.word for item in requests.items if isinstance(item, FoundCommand)}


def _is_never(line: str) -> bool:
    return plain(line).strip("\"'`.! ").casefold() == NEVER


def _never(answer: _Answer) -> CommandResult:
    """Keep an address out for ever. The invitation stays until it expires, so nobody notices."""

    def keep_out(work: Work) -> None:
        work.invited.note(keys_of(work, answer.invited)[0], never=True)

    return CommandResult(sections=(Section("kept_out", {}),), effects=(keep_out,))


def _decline(answer: _Answer) -> CommandResult:
    invited = answer.invited
    reasons = (
        item.arguments[1]
        for item in answer.requests.items
        if isinstance(item, FoundCommand) and len(item.arguments) > 1
    )
    note = tuple(chain(reasons, answer.note))

    def decline(work: Work) -> None:
        answer.settle(work)
        mail = InvitationDeclined(invited.address, invited.game.info, note)
        post(work, mail, work.players.get(invited.by.id))

    section = Section("invitation_answered", {"by": invited.by.name})
    return CommandResult(sections=(section,), effects=(decline,))


def _accept(answer: _Answer) -> CommandResult:
    who = answer.sender.who
    try:
        answer.invited.terms.require_offered()
    except OfferError as error:
        raise RefusedError(InvitationUnclear(error.reason)) from error
    joins = None if isinstance(who, Player) else _newcomer(answer, who.address)
    if isinstance(who, Player):
        try:
            require_no_ban(answer.work, who)
            require_few_matches(answer.work, who)
            require_together(answer.work, who, [answer.invited.by.id])
            needs = unmet_by(answer.work, who, answer.invited.needs, answer.invited.terms.game_key)
            if needs is not None:
                called = phrase("needs.invitation")
                raise OfferError(phrase("needs.unmet", offer=called, needs=needs))
        except OfferError as error:
            raise RefusedError(NotOffered(error.reason, ())) from error
    if answer.moves.items:
        you = who if isinstance(who, Player) else Player(NOBODY, "", (who.address,))
        _played(answer, answer.work, answer.invited.start(answer.work, you), you)

    def start(work: Work) -> None:
        answer.settle(work)
        work.invited.drop(keys_of(work, answer.invited))
        _start(answer, work, joins)

    return CommandResult(effects=(start,))


def _newcomer(answer: _Answer, address: str) -> Newcomer:
    """Return the new member, with the name they ask for or a free one. Raises RefusedError."""
    work = answer.work
    asked = CommandContext(work, answer.sender.who, None, answer.sender.proof)
    require_open(asked)
    if work.club.policy.joining is not Joining.OPEN:
        raise RefusedError(InvitationOver(member=False, by_director=True))
    for item in answer.requests.items:
        if isinstance(item, FoundCommand) and item.command.word == "join":
            return newcomer(asked, address, item.arguments[0])
    name = name_from(work, address, command_words(), answer.pending.asked.name)
    return Newcomer(address, name, "UTC")


def _start(answer: _Answer, work: Work, joins: Newcomer | None) -> None:
    """Start the match, with the first turn if they wrote it, and email both players."""
    invited, who = answer.invited, answer.sender.who
    sections: Sequence[Section] = ()
    if joins is not None:
        player = joining.join(work, joins)
        sections = (Section("joined", {"member": player.name, "address": work.club.address}),)
    else:
        assert isinstance(who, Player)
        player = work.players.get(who.id)
    public = Public.NEVER if invited.terms.private else AS_THE_CLUB
    people = [
        player if each.id == player.id else work.players.get(each.id)
        for each in invited.in_order(player)
    ]
    match = before = open_match(work, invited.game, people, invited.terms.options, public)
    done = CommandResult(match)
    if answer.moves.items:
        done = _played(answer, work, match, player)
        assert done.match is not None
        match = apply(work, before, Change(done.match, done.events), answer.came_at)
    if answer.note:
        keep(work, match, player, "\n".join(answer.note), NoteKind.NOTE)
    news = News(
        match=match,
        before=before,
        events=(BEGUN, *done.events),
        author=player,
        answered=answered_by(answer.message),
        sections=tuple(sections),
        taken=tuple(each.text for each in done.played),
        counts=counts_of(match.game, before.position, done.played),
        note=answer.note,
    )
    tell(work, news)


def _played(answer: _Answer, work: Work, match: Match, player: Player) -> CommandResult:
    """Return the match after the first turn. Raises RefusedError if it cannot be played."""
    if match.player_to_act != player.id:
        raise RefusedError(InvitationUnclear(text=answer.moves.told[0]))
    asked = CommandContext(work, player, match, None, counts_from=answer.came_at)
    try:
        return carry_out(asked, answer.moves)
    except ActionError as error:
        raise RefusedError(InvitationUnclear(error.reason, error.text)) from error
