"""Process: take one recorded email from its bytes to what it changes, and log it.

Everything a mail does happens in one transaction with the mail's own row (docs/contracts.md,
"What becomes of a mail"); what waits may share it (`pbem/inbox/pending.py`).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any, NamedTuple

from pbem.commands import FoundCommand
from pbem.inbox.act import act
from pbem.inbox.judge import judge
from pbem.inbox.judgement import (
    Accepted,
    Duplicate,
    FromStranger,
    Ignored,
    Judgement,
    Kept,
    Limited,
    Parked,
    RefusedMail,
)
from pbem.inbox.proof.exposure import note_exposures
from pbem.inbox.proof.sender import AnySender
from pbem.inbox.strangers import cause_of, held_back
from pbem.log import get_logger, trace_of
from pbem.mail.message.limits import OF_STRANGERS
from pbem.mail.message.message import shortened_to
from pbem.mail.outgoing.kinds import DirectorShunted
from pbem.mail.outgoing.kinds.refusals import NoCommand, Refusal, RefusedError
from pbem.mail.topic import match_of
from pbem.matches.match import Match, Player
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
"""Reports in that span of mails that were set aside: who finds one that is can send it for ever."""


class Processed(NamedTuple):
    """What a mail was judged to be, and its match as it has become, if it has."""

    judgement: Judgement
    match: Match | None


def process(club: Club, inbound_id: int) -> None:
    """Processes one mail; whatever goes wrong with it sets it aside and is told the director.

    Raises StorageUnavailable if the database is; then the mail waits.
    """
    try:
        processed = _process_or_again(club, inbound_id)
    except StorageUnavailable:
        raise
    except Exception as error:  # noqa: BLE001  whatever it is, it must not stop the other mails
        shunt(club, inbound_id, trace_of(error))
        return
    if processed is not None:
        make_known(club, processed)


def make_known(club: Club, processed: Processed) -> None:
    """Logs, counts and remembers what was done, once it is committed."""
    judgement, match = processed
    log_read(judgement)
    count_read(club.meter, judgement)
    if match is not None:
        club.positions.remember(match)


def shunt(club: Club, inbound_id: int, trace: str) -> None:
    """Sets a mail aside for a human."""
    with writing(club) as work:
        mail = work.inbound.lock(inbound_id)
        log_shunted(mail, trace)
        if mail.state is not InboundState.NEW:
            return
        work.inbound.close(inbound_id, InboundState.SHUNTED, trace)
        _tell_of_shunted(work, mail, trace.strip().splitlines()[-1])
    club.meter.read(InboundState.SHUNTED, "")


def _tell_of_shunted(work: Work, mail: InboundMail, error: str) -> None:
    """The director hears of some mails a day that were set aside, and of the last that it is."""
    since = work.now - SHUNTS_SPAN
    left = MOST_SHUNTS_TOLD - work.outbox.count(work.club.director, DirectorShunted.name(), since)
    if left > 0:
        tell_director(work, DirectorShunted(mail.id, mail.sender, error, left == 1))


def _process_or_again(club: Club, inbound_id: int) -> Processed | None:
    """Judges a mail once more where somebody was faster; then it sees what they have changed.

    What cannot be done together, as is found in doing it, is refused.
    """
    try:
        return _process(club, inbound_id)
    except ConcurrentChange:
        return _process(club, inbound_id)
    except RefusedError as unfit:
        return _process(club, inbound_id, unfit.refusal)


def _process(club: Club, inbound_id: int, unfit: Refusal | None = None) -> Processed | None:
    with writing(club) as work:
        return process_in(work, inbound_id, unfit)


def process_in(begun: Work, inbound_id: int, unfit: Refusal | None = None) -> Processed | None:
    """Carries out what a mail is judged to be; None if somebody else has processed it.

    Raises whatever goes wrong, and nothing that was done may be kept then.
    """
    mail = begun.inbound.lock(inbound_id)
    if mail.state is not InboundState.NEW:
        return None
    work = replace(begun, received_at=mail.received_at)
    # What limits a sender is counted in the order of their mails.
    work.inbound.take_turns(mail.sender)
    judgement = judged(work, mail)
    if unfit is not None and isinstance(judgement, Accepted):
        judgement = RefusedMail(judgement.reading, judgement.sender, unfit)
    work = replace(work, cause=cause_of(work, judgement.reading))
    judgement = held_back(work, judgement)
    _close(work, judgement)
    judgement = _note_sender(work, judgement)
    return Processed(_without_bytes(judgement), act(work, judgement))


def _without_bytes(judgement: Judgement) -> Judgement:
    """The judgement of an email that has been read: several large ones may wait for one commit."""
    reading = judgement.reading
    return replace(judgement, reading=replace(reading, mail=replace(reading.mail, raw=b"")))


def _close(work: Work, judgement: Judgement) -> None:
    """Note what becomes of an email, and whose it is. All of it is undone if that goes wrong.

    Of a stranger's only the beginning stays once it has been read, as there may be many.
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
    """Notes what a mail says of its sender, whatever becomes of it; the judgement as it is then."""
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
    """The judgement with the clock of its match as it goes on: its player is reached again."""
    if isinstance(judgement, Parked) and judgement.match is not None:
        return replace(judgement, match=work.matches.get(judgement.match.id))
    if not isinstance(judgement, Accepted | RefusedMail) or judgement.sender.match is None:
        return judgement
    before, match = judgement.sender.match, work.matches.get(judgement.sender.match.id)
    judgement = replace(judgement, sender=replace(judgement.sender, match=match))
    # It does if they are to act; if not, what their mail has made of the clock counts.
    goes_on = match.clock != before.clock
    if isinstance(judgement, Accepted) and judgement.done.match is not None and goes_on:
        changed = replace(judgement.done.match, clock=match.clock)
        return replace(judgement, done=replace(judgement.done, match=changed))
    return judgement


def count_read(meter: Meter, judgement: Judgement) -> None:
    """What has become of a mail, once that is committed, and what it asked for."""
    meter.read(judgement.state, _reason(judgement))
    if isinstance(judgement, Accepted):
        for item in judgement.requests.items:
            if isinstance(item, FoundCommand):
                meter.asked(item.command.word)


def _reason(judgement: Judgement) -> str:
    """Of a mail of which nothing was done: a name of ours, never what stands in the mail."""
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
    """What has become of a mail, once that is committed."""
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
    """The same of one that was set aside, with where in the code the error arose."""
    fate, kind = str(InboundState.SHUNTED), trace.strip().splitlines()[-1]
    told = {"mail": mail.id, "sender": mail.sender, "match": match_of(mail.topic), "fate": fate}
    log.info("mail read", **_known({**told, "reason": kind}))
    log.error("shunted", mail=mail.id, traceback=trace)


def _known(told: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in told.items() if value not in (None, "")}


def _reason_logged(judgement: Judgement) -> str:
    """Why, in words of ours: the name of a refusal, not its text, which may quote the mail."""
    match judgement:
        case Ignored():
            # What stands behind the colon is quoted from the mail.
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


WAITS = {
    UnprovenChange: "no proof of its sender; waits for confirm",
    UnclearChange: "not certain; waits for confirm",
    SureChange: "shown first; waits for confirm",
}
"""Why a change waits."""


def _done(judgement: Accepted) -> str:
    """What a mail that was carried out has asked for, by kinds and numbers."""
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
    """What a mail is; if its player has been waited for, they have come back before that."""
    judgement = judge(work, mail)  # which shows whether it is proven
    sender = judgement.reading.sender
    if not isinstance(judgement, Accepted | Parked | RefusedMail) or sender is None:
        return judgement
    if sender.match is None or not sender.proven or not isinstance(sender.who, Player):
        return judgement
    match = sender.match
    if match.hands.earlier:  # else, as nearly always, it is as it is stored: nothing was given back
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
