"""Process: take one recorded email from its bytes to the changes it makes, and log it.

All changes of an email share one transaction with its own row (docs/contracts.md,
"Outcomes of a received email"). Several waiting emails may share one (`pbem/inbox/pending.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, NamedTuple

from pbem.commands import FoundCommand
from pbem.inbox.act import act
from pbem.inbox.changes import with_clock_now
from pbem.inbox.judge import judge
from pbem.inbox.judgement import (
    Accepted,
    Duplicate,
    FromStranger,
    Ignored,
    JudgedBlocks,
    Judgement,
    Kept,
    Limited,
    Parked,
    RefusedMail,
    UnfitBlockError,
)
from pbem.inbox.proof.exposure import note_exposures
from pbem.inbox.proof.sender import AnySender
from pbem.inbox.strangers import cause_of, held_back
from pbem.log import get_logger, trace_of
from pbem.mail.message.message import shortened_to
from pbem.mail.message.size_limits import MAX_REQUESTS, OF_STRANGERS
from pbem.mail.outgoing.kinds import DirectorShunted
from pbem.mail.outgoing.kinds.refusals import NoCommand, RefusedError
from pbem.mail.topic import match_of
from pbem.matches.match import Match, Player
from pbem.matches.seat_changes import GivenBack
from pbem.ports.inbound import Attribution, InboundMail, InboundState
from pbem.ports.process import Meter, StorageUnavailable
from pbem.service.club import Club
from pbem.service.members.own_addresses import address_works
from pbem.service.post.post import tell_director
from pbem.service.questions import SureChange, UnclearChange, UnprovenChange
from pbem.service.takeovers.change import heard_from, is_waited_for, tell_of_return
from pbem.service.work import ConcurrentChange, Work, writing

SHUNTS_SPAN = timedelta(days=1)
MOST_SHUNTS_TOLD = 10
"""Maximum number of reports of shunted emails in that span. Anyone who finds such an email can send
it again and again.
"""


class Processed(NamedTuple):
    """The judgement of an email, and the matches that it changed."""

    judgement: Judgement
    matches: Sequence[Match]


def process(club: Club, inbound_id: int) -> None:
    """Process one email. Any error shunts it and is reported to the director.

    Raises StorageUnavailable if the database is down, and then the email waits.
    """
    try:
        processed = _process_or_again(club, inbound_id)
    except StorageUnavailable:
        raise
    except Exception as error:  # noqa: BLE001  no error may stop the other emails
        shunt(club, inbound_id, trace_of(error))
        return
    if processed is not None:
        make_known(club, processed)


def make_known(club: Club, processed: Processed) -> None:
    """Log, count and cache the result, once it is committed."""
    log_read(processed.judgement)
    count_read(club.meter, processed.judgement)
    for match in processed.matches:
        club.positions.remember(match)


def shunt(club: Club, inbound_id: int, trace: str) -> None:
    """Shunt an email: set it aside for a human, with the traceback."""
    with writing(club) as work:
        mail = work.inbound.lock(inbound_id)
        log_shunted(mail, trace)
        if mail.state is not InboundState.NEW:
            return
        work.inbound.close(inbound_id, InboundState.SHUNTED, trace)
        _tell_of_shunted(work, mail, trace.strip().splitlines()[-1])
    club.meter.read(InboundState.SHUNTED, "")


def _tell_of_shunted(work: Work, mail: InboundMail, error: str) -> None:
    """Report a shunted email to the director, up to a daily limit. The last report says so."""
    since = work.now - SHUNTS_SPAN
    left = MOST_SHUNTS_TOLD - work.outbox.count(work.club.director, DirectorShunted.name(), since)
    if left > 0:
        tell_director(work, DirectorShunted(mail.id, mail.sender, error, left == 1))


def _process_or_again(club: Club, inbound_id: int) -> Processed | None:
    """Process an email, once more if somebody changed the match meanwhile."""
    try:
        return _process(club, inbound_id)
    except ConcurrentChange:
        return _process(club, inbound_id)


def _process(club: Club, inbound_id: int) -> Processed | None:
    """Process an email. If its changes, or those of a block, turn out impossible, refuse them."""
    unfit: list[RefusedError] = []
    while True:
        try:
            with writing(club) as work:
                return process_in(work, inbound_id, unfit)
        except RefusedError as refused:
            if len(unfit) > MAX_REQUESTS:  # more than it has blocks
                raise
            unfit.append(refused)


def process_in(
    begun: Work, inbound_id: int, unfit: Sequence[RefusedError] = ()
) -> Processed | None:
    """Carry out the judgement of an email, None if somebody else already processed it.

    `unfit` are refusals of what turned out to be impossible before. Any error is passed on, and
    then the caller must roll back.
    """
    mail = begun.inbound.lock(inbound_id)
    if mail.state is not InboundState.NEW:
        return None
    work = replace(begun, received_at=mail.received_at, director_turns={})
    # A sender's limits must count their emails in order.
    work.inbound.take_turns(mail.sender)
    judgement = judged(work, mail)
    for each in unfit:
        judgement = _refused(judgement, each)
    work = replace(work, cause=cause_of(work, judgement.reading))
    judgement = held_back(work, judgement)
    _close(work, judgement)
    judgement = _note_sender(work, judgement)
    return Processed(_without_bytes(judgement), act(work, judgement))


def _refused(judgement: Judgement, unfit: RefusedError) -> Judgement:
    """Return a judgement that refuses an email, or only its block that is impossible."""
    if isinstance(judgement, JudgedBlocks) and isinstance(unfit, UnfitBlockError):
        return judgement.without(unfit.number, unfit.refusal)
    if isinstance(judgement, Accepted | JudgedBlocks):
        return RefusedMail(judgement.reading, judgement.sender, unfit.refusal)
    return judgement


def _without_bytes(judgement: Judgement) -> Judgement:
    """Drop the bytes of a processed email, since several large ones may wait for one commit."""
    reading = judgement.reading
    return replace(judgement, reading=replace(reading, mail=replace(reading.mail, raw=b"")))


def _close(work: Work, judgement: Judgement) -> None:
    """Store the state and sender of an email. A later error rolls this back.

    Only the beginning of a stranger's email is kept, as there may be many.
    """
    mail, kept = judgement.reading.mail, isinstance(judgement, Kept)
    reason = judgement.stored if isinstance(judgement, Kept) else judgement.reason
    work.inbound.close(mail.id, judgement.state, reason, _whose(judgement.reading.sender))
    of_stranger = judgement.reading.provenance.player is None
    if of_stranger and not kept and len(mail.raw) > OF_STRANGERS:
        work.inbound.shorten(mail.id, shortened_to(OF_STRANGERS, mail.raw))


def _whose(sender: AnySender | None) -> Attribution | None:
    if sender is None:
        return None
    player = sender.who.id if isinstance(sender.who, Player) else None
    return Attribution(player, sender.topic.key if sender.topic else None, sender.proven)


def _note_sender(work: Work, judgement: Judgement) -> Judgement:
    """Record what an email shows about its sender. Return the judgement updated by this."""
    reading, sender = judgement.reading, judgement.reading.sender
    if sender is not None and isinstance(sender.who, Player) and sender.proof is not None:
        match = sender.match
        on_time = match is not None and sender.proof.turn == match.token_turn
        answered = match.id if match is not None and on_time else None
        before = reading.provenance.player or sender.who
        if address_works(work, before, reading.mail.sender, answered):
            judgement = _look_again(work, judgement)
    by_person = not reading.screening.silent
    about = sender.match if sender is not None else None
    note_exposures(work, reading.message, reading.mail.raw, about, by_person=by_person)
    return judgement


def _look_again(work: Work, judgement: Judgement) -> Judgement:
    """Return the judgement with the clock of its match, which may run again for its player.

    Blocks of an email look at their matches anyway when they are carried out.
    """
    if isinstance(judgement, Parked) and judgement.match is not None:
        return replace(judgement, match=work.matches.get(judgement.match.id))
    if isinstance(judgement, Accepted | RefusedMail):
        return with_clock_now(work, judgement)
    return judgement


def count_read(meter: Meter, judgement: Judgement) -> None:
    """Count a processed email and its commands in the metrics."""
    meter.read(judgement.state, _reason(judgement))
    for accepted in _accepted(judgement):
        for item in accepted.requests.items:
            if isinstance(item, FoundCommand):
                meter.asked(item.command.word)


def _accepted(judgement: Judgement) -> Sequence[Accepted]:
    """Return what is carried out."""
    if isinstance(judgement, JudgedBlocks):
        return judgement.accepted
    return (judgement,) if isinstance(judgement, Accepted) else ()


def _reason(judgement: Judgement) -> str:
    """Return the reason for the metrics. It must never contain text from the email."""
    match judgement:
        case Ignored():
            return judgement.reading.screening.verdict
        case Parked():
            return judgement.change.kind
        case RefusedMail():
            return judgement.refusal.name()
        case _:
            return ""


log = get_logger(__name__)


def log_read(judgement: Judgement) -> None:
    """Log a processed email."""
    reading = judgement.reading
    match = reading.sender.match if reading.sender else None
    told = {
        "mail": reading.mail.id,
        "sender": reading.mail.sender or "nobody",
        "match": match.id if match else None,
        "fate": str(judgement.state),
        "reason": _reason_logged(judgement),
    }
    log.info("mail read", **_known(told))


def log_shunted(mail: InboundMail, trace: str) -> None:
    """Log a shunted email with its traceback."""
    fate, kind = str(InboundState.SHUNTED), trace.strip().splitlines()[-1]
    told = {"mail": mail.id, "sender": mail.sender, "match": match_of(mail.topic), "fate": fate}
    log.info("mail read", **_known({**told, "reason": kind}))
    log.error("shunted", mail=mail.id, traceback=trace)


def _known(told: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in told.items() if value not in (None, "")}


def _reason_logged(judgement: Judgement) -> str:
    """Return the reason for the log: the name of a refusal, since its text may quote the email."""
    match judgement:
        case Ignored():
            # The text after the colon quotes the email.
            screening = judgement.reading.screening
            return f"{screening.verdict}, {screening.reason.partition(': ')[0]}"
        case FromStranger():
            return "no player has this address"
        case Duplicate():
            return "it came before"
        case Kept() | Limited():
            return judgement.reason
        case Parked():
            return WAITS[type(judgement.change)]
        case RefusedMail():
            return judgement.refusal.name().replace("_", " ")
        case Accepted():
            return _done(judgement)
        case JudgedBlocks():
            return "; ".join(map(_of_block, judgement.blocks))


def _of_block(block: Accepted | RefusedMail) -> str:
    """Describe the result of a block, after the number of its match."""
    match = block.sender.match
    reason = _reason_logged(block)
    return f"match {match.id}: {reason}" if match else reason


WAITS = {
    UnprovenChange: "no proof of its sender; waits for confirm",
    UnclearChange: "not certain; waits for confirm",
    SureChange: "shown first; waits for confirm",
}
"""Why a change waits, for the log."""


def _done(judgement: Accepted) -> str:
    """Summarise a carried-out email by the kinds and numbers of its requests."""
    words = []
    if judgement.reading.confirmed is not None:
        words.append(f"confirms mail {judgement.reading.confirmed.pending.asked.inbound_id}")
    played = len(judgement.done.played)
    if played:
        words.append("1 action" if played == 1 else f"{played} actions")
    found = (item for item in judgement.requests.items if isinstance(item, FoundCommand))
    words += dict.fromkeys(item.command.word for item in found)
    return ", ".join(words)


def judged(work: Work, mail: InboundMail) -> Judgement:
    """Judge an email. If the club waited for its player, record first that they are back."""
    judgement = judge(work, mail)  # shows whether the email is proven
    if isinstance(judgement, JudgedBlocks):
        return _judged_blocks(work, mail, judgement)
    sender = judgement.reading.sender
    if not isinstance(judgement, Accepted | Parked | RefusedMail) or sender is None:
        return judgement
    if sender.match is None or not sender.proven or not isinstance(sender.who, Player):
        return judgement
    match = sender.match
    if match.hands.earlier:  # few matches have had other players, so few are read again
        match = work.matches.get(match.id)
    if not is_waited_for(work, match, sender.who):
        return judgement
    back = heard_from(work, match, sender.who)
    judgement = judge(work, mail)
    if back is not None:
        more = isinstance(judgement, Accepted) and judgement.done.match is not None
        if isinstance(judgement, RefusedMail) and isinstance(judgement.refusal, NoCommand):
            more = True
            judgement = replace(judgement, refusal=replace(judgement.refusal, back=True))
        tell_of_return(work, back, match.id, too=not more)
    return judgement


def _judged_blocks(work: Work, mail: InboundMail, judgement: JudgedBlocks) -> Judgement:
    """Judge blocks again if the club waited for their player in one of their matches."""
    who, returned = judgement.sender.who, list[tuple[GivenBack, int]]()
    if not judgement.sender.proven or not isinstance(who, Player):
        return judgement
    numbers = [each.sender.match.id for each in judgement.blocks if each.sender.match]
    waiting = [match for match in map(work.matches.get, numbers) if is_waited_for(work, match, who)]
    for match in waiting:
        if back := heard_from(work, match, who):
            returned.append((back, match.id))
    judgement_now = judge(work, mail) if waiting else judgement
    for back, number in returned:
        tell_of_return(work, back, number, too=True)
    return judgement_now
