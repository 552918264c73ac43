"""Judge: turn an email into a judgement. Nothing changes here, but the match stays locked."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime

from pbem.commands import commands_for
from pbem.commands.api import CommandContext, CommandResult
from pbem.games.api import ActionError
from pbem.inbox.agreement import agreed
from pbem.inbox.confirmation import answers_question, confirmed, is_confirmation, is_open
from pbem.inbox.invited import invited, is_about_invitation
from pbem.inbox.judgement import (
    Accepted,
    Duplicate,
    FromStranger,
    Ignored,
    JudgedBlocks,
    Judgement,
    Kept,
    Limited,
    MailReading,
    Parked,
    RefusedMail,
)
from pbem.inbox.parts import Part, parts_of, together, without_own_heading
from pbem.inbox.plain_replies import to_director, to_member
from pbem.inbox.proof.rate_limits import (
    LAST_ANSWERS,
    RATE_SPAN,
    answers_left,
    answers_to,
    limit_passed,
    may_be_asked,
)
from pbem.inbox.proof.sender import (
    AnySender,
    Sender,
    identify,
    is_after_addition,
    is_newest,
    is_recent,
    is_trusted,
)
from pbem.inbox.requests import (
    Requests,
    carry_out,
    fresh_of,
    is_signed,
    names_of,
    read_requests,
    require_rules,
)
from pbem.inbox.suggestions import entries_meant, meant_commands, usages
from pbem.mail.addresses.addressing import tokens_in
from pbem.mail.message.message import read_message
from pbem.mail.outgoing.kinds import Watched, refusals
from pbem.mail.reply.reply_text import Fresh
from pbem.mail.screening.screening import Verdict, screen
from pbem.mail.stranger import Stranger as Unknown
from pbem.mail.topic import DigestTopic, DirectorTopic, OfferTopic, StopTopic
from pbem.matches.match import CommandError, Player
from pbem.ports.inbound import NOT_IN_VAIN, InboundMail, InboundState, RecordedMail
from pbem.service.members.absences import answered_of
from pbem.service.people import NEW_FOR, asked_at
from pbem.service.questions import SureChange, UnclearChange, UnprovenChange
from pbem.service.work import Work

MOST_LINES_OF_STRANGERS = 2000
"""Maximum number of lines searched for fresh text in an unproven email from a stranger."""


def judge(work: Work, mail: InboundMail, *, anew: bool = False) -> Judgement:
    """Return the judgement of an email. `anew` ignores earlier copies of it."""
    message = read_message(mail.raw)
    provenance = work.inbound.provenance(mail, work.now - RATE_SPAN)
    reading = MailReading(mail, message, screen(message, work.club.addresses), provenance)
    player = provenance.player
    if provenance.pruned:
        return Duplicate(reading)
    if reading.screening.silent and not _stops(work, reading, player):
        return Ignored(reading)
    if player is None:
        return _of_stranger(work, reading)
    copies = work.inbound.copies(mail) if provenance.copied and not anew else ()
    return _with_patience(work, _of_player(work, reading, player, copies))


def _stops(work: Work, reading: MailReading, player: Player | None) -> bool:
    """Return whether this is an automatic unsubscribe email with a good token of its player."""
    if player is None or reading.screening.verdict is not Verdict.AUTOMATIC:
        return False
    tokens = tokens_in(reading.message, work.club.addresses)
    return any(
        isinstance(each.topic, StopTopic) and work.club.signer.proves(each, player.id)
        for each in tokens
    )


def _of_stranger(work: Work, reading: MailReading) -> Judgement:
    """Judge an email from an unknown address. Strangers may use some commands."""
    who = Unknown(reading.mail.sender)
    sender = Sender(who)
    with suppress(refusals.RefusedError):
        sender = identify(work, reading.message, who)
    reading = replace(reading, sender=sender)
    if reading.message.excess or (not sender.proven and _is_long(reading.message.text)):
        return FromStranger(reading, who)
    reading, fresh = _with_fresh(work, reading, sender)
    if not _is_for_strangers(work, reading, sender, fresh):
        return FromStranger(reading, who)
    if sender.proven:  # without proof, the limit of the mailbox applies instead
        limit = limit_passed(work, reading.mail, sender, reading.provenance)
        if limit is not None:
            return Kept(reading, limit)
    return _with_patience(work, _read(work, reading, sender, fresh))


def _is_long(text: str) -> bool:
    """Return whether a text is too long for a stranger, who has little to quote."""
    return text.count("\n") > MOST_LINES_OF_STRANGERS


def _is_for_strangers(work: Work, reading: MailReading, sender: AnySender, fresh: Fresh) -> bool:
    """Return whether an email answers a question or has only commands for strangers.

    A director need not be a member, and may also send commands for directors.
    """
    if is_about_invitation(work, sender, reading.message):
        return True
    if sender.proven and (
        _confirms(reading, sender, fresh.fresh)
        or answers_question(work, reading.message, sender, fresh, reading.answered)
    ):
        return True
    try:
        requests = read_requests(fresh.fresh, None)
    except refusals.RefusedError:
        return False
    by_director = CommandContext(work, sender.who, None, sender.proof).by_director
    return requests.for_strangers or (by_director and requests.for_director)


def _confirms(reading: MailReading, sender: AnySender, fresh: str) -> bool:
    """Return whether a text is `confirm`, perhaps signed by the sender."""
    return is_confirmation(fresh, names_of(sender, reading.message))


def _with_patience(work: Work, judgement: Judgement) -> Judgement:
    """Keep an email that changes nothing if its sender got many answers to such emails today.

    The first kept email is answered in the morning. The last answers before the limit say how many
    are left.
    """
    if not isinstance(judgement, RefusedMail | Parked | Accepted | JudgedBlocks):
        return judgement
    if isinstance(judgement, Accepted | JudgedBlocks) and judgement.reason in NOT_IN_VAIN:
        return judgement
    reading, sender = judgement.reading, judgement.sender
    answers = answers_left(work, reading.mail, sender)
    if answers is None or answers.left > LAST_ANSWERS:
        return judgement
    if answers.left > 0:
        after = answers._replace(left=answers.left - 1)
        return replace(judgement, reading=replace(reading, answers_left=after))
    kept = Kept(reading, waits_for=answers_to(sender))
    if any(each.reason == kept.stored for each in work.inbound.kept_for(kept.stored)):
        return Limited(reading, f"{answers.most} answers in a day to emails that changed nothing")
    return kept


def _of_player(
    work: Work, reading: MailReading, player: Player, copies: Sequence[RecordedMail]
) -> Judgement:
    """Judge an email from a player, without the limit of `_with_patience`."""
    sender = Sender(player)
    try:
        sender = identify(work, reading.message, player)
    except refusals.RefusedError as refused:
        return RefusedMail(replace(reading, sender=sender), sender, refused.refusal)
    sender = _reached(sender, reading.mail.sender)
    reading = replace(reading, sender=sender)
    if _is_duplicate(reading.mail, sender, copies):
        return Duplicate(reading)
    limit = limit_passed(work, reading.mail, sender, reading.provenance)
    if limit is not None:
        return Kept(reading, limit)
    if reading.message.excess:
        return RefusedMail(reading, sender, refusals.TooLarge(reading.message.excess))
    reading, fresh = _with_fresh(work, reading, sender)
    if isinstance(sender.topic, DigestTopic):
        return _of_digest(work, reading, sender, fresh)
    if sender.match is not None:
        try:
            fresh = without_own_heading(sender.match, fresh)
        except refusals.RefusedError as refused:
            return RefusedMail(reading, sender, refused.refusal)
        reading = replace(reading, fresh=fresh)
    return _read(work, reading, sender, fresh)


def _of_digest(work: Work, reading: MailReading, sender: AnySender, fresh: Fresh) -> Judgement:
    """Judge an answer to a digest by its parts. One alone is as an email about its match."""

    def read(reading: MailReading, part: Part) -> Judgement:
        if part.refusal is not None:
            return RefusedMail(reading, part.sender, part.refusal)
        return _read(work, reading, part.sender, part.fresh)

    try:
        parts = parts_of(work, reading, sender, fresh)
    except refusals.RefusedError as refused:
        return RefusedMail(reading, sender, refused.refusal)
    if len(parts.parts) > 1 or parts.unread:
        return together(reading, sender, parts, read)
    (part,) = parts.parts
    return read(replace(reading, sender=part.sender, fresh=part.fresh), part)


def _with_fresh(work: Work, reading: MailReading, sender: AnySender) -> tuple[MailReading, Fresh]:
    """Add the fresh text, and our email that it answers, to a reading."""
    answered = answered_of(work, reading.message, sender.holder)
    fresh = fresh_of(work, reading.message, sender, answered)
    return replace(reading, answered=answered, fresh=fresh), fresh


def _reached(sender: Sender[Player], address: str) -> Sender[Player]:
    """Return the sender with the address of a proven email marked as working, despite bounces."""
    if not sender.proven:
        return sender
    failed = (each for each in sender.who.failed if each.casefold() != address.casefold())
    return replace(sender, who=replace(sender.who, failed=frozenset(failed)))


_READ = {InboundState.DONE, InboundState.REFUSED, InboundState.PARKED}


def _is_duplicate(
    mail: RecordedMail, sender: Sender[Player], copies: Sequence[RecordedMail]
) -> bool:
    """Return whether the same email was read before, with at least as good a proof.

    A copy that was not read, or proved nothing, does not count: somebody else may have sent it
    first.
    """
    return any(
        copy.message_id == mail.message_id
        and copy.state in _READ
        and (copy.proven or not sender.proven)
        for copy in copies
    )


def _read(work: Work, reading: MailReading, sender: AnySender, fresh: Fresh) -> Judgement:
    """Judge an email by its text, or by the text of the email that it confirms."""
    text = fresh.fresh
    try:
        came_at = reading.mail.received_at
        answer = invited(work, sender, reading.message, came_at, fresh)
        if answer is not None:
            return Accepted(replace(reading, done=answer[1]), sender, *answer)
        if sender.proven and _confirms(reading, sender, text):
            done = agreed(work, sender)
            if done is not None:
                nothing_else = Requests((), (), ())
                return Accepted(replace(reading, done=done), sender, nothing_else, done)
            change = confirmed(work, sender, reading.message, reading.mail.sender)
            sender, text = change.sender, change.text
            reading = replace(reading, sender=sender, confirmed=change)
        else:
            _require_no_answer(work, reading, sender, fresh)
        certain = fresh.certain or reading.confirmed is not None
        requests = _requests(sender, text, certain=certain)
        if requests.empty:
            done = _passed_on(work, reading, sender, requests)
            if done is None:
                require_rules(sender.match)
                raise refusals.RefusedError(_nothing_to_do(work, reading, sender, requests))
            return Accepted(replace(reading, done=done), sender, Requests((), (), ()), done)
        if all(is_signed(line, names_of(sender, reading.message)) for line in requests.note):
            requests = replace(requests, note=())
        reading = replace(reading, requests=requests)
        return _carried_out(work, reading, sender, fresh, requests)
    except refusals.RefusedError as refused:
        return RefusedMail(reading, sender, refused.refusal)


def _passed_on(
    work: Work, reading: MailReading, sender: AnySender, requests: Requests
) -> CommandResult | None:
    """Pass on an email without requests if it answers a director's or member's own words."""
    answered, note = reading.answered, requests.note
    return to_director(sender, answered, note) or to_member(
        work, sender, answered, note, reading.mail.sender
    )


def _require_no_answer(work: Work, reading: MailReading, sender: AnySender, fresh: Fresh) -> None:
    """Raise RefusedError if an email answers one of our questions with anything but `confirm`."""
    message, answered = reading.message, reading.answered
    if _confirms(reading, sender, fresh.fresh):
        return
    if answers_question(work, message, sender, fresh, answered):
        waiting = is_open(work, sender, message)
        raise refusals.RefusedError(refusals.ConfirmAlone(asked=True, waiting=waiting))


def _requests(sender: AnySender, text: str, *, certain: bool) -> Requests:
    """Return the requests of a text. Raises RefusedError if it cannot be read."""
    try:
        return read_requests(text, sender.match.game if sender.match else None, certain=certain)
    except ActionError as error:
        raise refusals.RefusedError(refusals.of_action(error)) from error


def _nothing_to_do(
    work: Work, reading: MailReading, sender: AnySender, requests: Requests
) -> refusals.Refusal:
    meant = _meant(work, sender, requests)
    if isinstance(sender.who, Player) and sender.match is None:
        subject = reading.message.subject
        entries = entries_meant(work, sender.who, requests.note, subject)
        meant = replace(meant, meant=[*entries, *meant.meant])
    answered = reading.answered
    if answered is not None and answered.mail.kind == Watched.name():
        return meant if meant.meant or meant.usages else refusals.OnlyWatching()
    if isinstance(sender.topic, OfferTopic) and not (meant.meant or meant.usages):
        return replace(meant, meant=("accept", "decline"))
    if requests.note and sender.match is None and not (meant.meant or meant.usages):
        return refusals.WhichMatch()  # perhaps a move, but the game is unknown
    confirms = any(is_confirmation(line) for line in requests.note)
    if confirms and sender.unsigned:
        return refusals.NotSigned()
    if confirms and sender.outdated:
        return refusals.OldMail()
    if confirms:
        return refusals.ConfirmAlone(asked=False, proven=sender.proven)
    return meant


def _meant(work: Work, sender: AnySender, requests: Requests) -> refusals.NoCommand:
    """Suggest what an email without a command may have meant."""
    asked, note = CommandContext(work, sender.who, None, sender.proof), requests.note
    given = commands_for(member=asked.by_member, director=asked.by_director)
    meant = meant_commands(note, given), usages(note, given)
    return refusals.NoCommand(note, requests.mentioned, *meant)


def _carried_out(
    work: Work, reading: MailReading, sender: AnySender, fresh: Fresh, requests: Requests
) -> Judgement:
    """Judge the requests of an email. Raises RefusedError if they cannot be carried out."""
    certain = reading.confirmed is not None
    if not certain and not _is_proven(work, reading, sender, requests):
        return _unproven(work, reading, sender, fresh, requests)
    done = _done(work, reading, sender, requests)
    if (requests.needs_trust or done.final) and not _is_trusted(work, reading, sender):
        return _unproven(work, reading, sender, fresh, requests, ends=True)
    if not certain and (done.asks or (done.final and not fresh.certain)):
        of = SureChange if done.asks else UnclearChange
        match = None if requests.of_club else sender.match
        change, reading = of(reading.mail.id, fresh.fresh), replace(reading, done=done)
        return Parked(reading, sender, match, change, requests)
    answered = reading.answered if reading.confirmed is None else reading.confirmed.answered
    passed_on = to_director(sender, answered, requests.note)
    if passed_on is not None:
        done, requests = done.then(passed_on), replace(requests, note=())
    return Accepted(replace(reading, done=done), sender, requests, done)


def _is_trusted(work: Work, reading: MailReading, sender: AnySender) -> bool:
    """Return whether an email, or its `confirm`, comes from an address that may decide."""
    if reading.confirmed is not None:
        return reading.confirmed.trusted
    return is_trusted(work, sender, reading.mail.sender)


def _is_proven(work: Work, reading: MailReading, sender: AnySender, requests: Requests) -> bool:
    """Return whether the proof of an email is good enough for its requests."""
    if requests.needs_trust and not _is_trusted(work, reading, sender):
        return False
    if requests.needs_newest and not is_newest(work, sender, reading.answered):
        return False
    if requests.needs_undoing and not is_after_addition(work, sender):
        return False
    if requests.needs_director:
        return sender.proof is not None and isinstance(sender.proof.topic, DirectorTopic)
    if requests.needs_recent:
        return is_recent(work, sender)
    return sender.proven or not requests.changes


def _unproven(
    work: Work,
    reading: MailReading,
    sender: AnySender,
    fresh: Fresh,
    requests: Requests,
    *,
    ends: bool = False,
) -> Judgement:
    """Judge a change that is not proven. Raises RefusedError if asking its player is pointless.

    `ends` says that it cannot be undone, so only a trusted address is asked.
    """
    match = None if requests.of_club else sender.match
    if isinstance(sender.who, Player) and (ends or requests.needs_trust):
        nobody = asked_at(sender.who, work.now) is None
        if sender.proven and (nobody or reading.confirmed is not None):
            raise refusals.RefusedError(refusals.AddressTooNew(NEW_FOR.days))
        if nobody:
            return Limited(reading, "not proven, and no older address of its player accepts mail")
    if match is None:
        _done(work, reading, sender, requests)  # ask nobody about a change that would be refused
    if sender.unsigned:
        raise refusals.RefusedError(refusals.NotSigned())
    if sender.outdated:
        raise refusals.RefusedError(refusals.OldMail())
    if isinstance(sender.who, Player) and not may_be_asked(work, sender.who, match):
        return Limited(reading, "not proven, and its player has been asked about others")
    change = UnprovenChange(reading.mail.id, fresh.fresh)
    return Parked(reading, sender, match, change, requests)


def _came_at(reading: MailReading) -> datetime:
    """Return when the email to carry out was received: the parked one, if this is its `confirm`."""
    return reading.mail.received_at if reading.confirmed is None else reading.confirmed.came_at


def _done(work: Work, reading: MailReading, sender: AnySender, requests: Requests) -> CommandResult:
    """Return the result of all requests. Raises RefusedError if one is not possible."""
    match = work.whole(sender.match) if sender.match else None
    try:
        asked = CommandContext(
            work,
            sender.who,
            match,
            sender.proof,
            came_at=_came_at(reading),
            counts_from=reading.mail.received_at,
        )
        return carry_out(asked, requests)
    except ActionError as error:
        raise refusals.RefusedError(refusals.of_action(error)) from error
    except CommandError as error:
        raise refusals.RefusedError(refusals.of_match(error)) from error
