"""Process incoming: one recorded mail, from its bytes to what it changes and who hears of it.

Everything a mail does happens in one transaction with the mail's own row (docs/contracts.md,
"What becomes of a mail").
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from pbem.inbox.carry_out import record
from pbem.mail.incoming.screening import Verdict
from pbem.mail.outgoing.kinds import (
    DirectorInVain,
    DirectorShunted,
    RateLimited,
    UnknownSender,
)
from pbem.matches.match import Match
from pbem.service.absences import take_absence
from pbem.service.addresses import address_works
from pbem.service.answers import announce, answer, refuse
from pbem.service.bounces import take_bounce
from pbem.service.club import Club
from pbem.service.competitions import go_on
from pbem.service.confirmation import LINES_SHOWN, park, settle
from pbem.service.exposure import note_exposures
from pbem.service.heartbeat import mind_the_clock
from pbem.service.judgement import Judgement, judge
from pbem.service.limits import MOST_IN_VAIN, RATE_SPAN
from pbem.service.mail_log import log_read, log_shunted
from pbem.service.ports import (
    CHANGED,
    InboundMail,
    InboundState,
    StorageUnavailable,
)
from pbem.service.post import Answered, answered_by, post, tell_director
from pbem.service.sender import Sender
from pbem.service.trace import trace_of
from pbem.service.work import Work, reading, writing

STRANGER_PAUSE = timedelta(days=7)
STRANGERS_AN_HOUR = 30
SHUNTS_SPAN = timedelta(days=1)
MOST_SHUNTS_TOLD = 10
"""Reports in that span of mails that were set aside: who finds one that is can send it for ever."""


def process_pending(club: Club, stopping: Callable[[], bool] = lambda: False) -> int:
    """Processes every mail that waits, oldest first; returns how many were taken."""
    mind_the_clock(club)
    with reading(club) as work:
        waiting = work.inbound.pending()
    taken = 0
    for inbound_id in waiting:
        if stopping():
            break
        process(club, inbound_id)
        taken += 1
    return taken


def process(club: Club, inbound_id: int) -> None:
    """Processes one mail; whatever goes wrong with it sets it aside and is told the director.

    Raises StorageUnavailable if the database is; then the mail waits.
    """
    try:
        processed = _process(club, inbound_id)
    except StorageUnavailable:
        raise
    except Exception as error:  # noqa: BLE001  whatever it is, it must not stop the other mails
        shunt(club, inbound_id, trace_of(error))
        return
    if processed is None:
        return
    judgement, match = processed
    log_read(judgement)
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


def _tell_of_shunted(work: Work, mail: InboundMail, error: str) -> None:
    """The director hears of some mails a day that were set aside, and of the last that it is."""
    since = work.now - SHUNTS_SPAN
    left = MOST_SHUNTS_TOLD - work.outbox.count(work.club.director, DirectorShunted.name(), since)
    if left > 0:
        tell_director(work, DirectorShunted(mail.id, mail.sender, error, left == 1))


def _process(club: Club, inbound_id: int) -> tuple[Judgement, Match | None] | None:
    """Carries out what a mail is judged to be; returns the match as it has become, if it has.

    None if somebody else has processed it.
    """
    with writing(club) as work:
        mail = work.inbound.lock(inbound_id)
        if mail.state is not InboundState.NEW:
            return None
        judgement = judge(work, mail, work.inbound.copies(mail))
        _note_sender(work, judgement)
        return judgement, _ACTS[judgement.state](work, judgement)


def _note_sender(work: Work, judgement: Judgement) -> None:
    sender = judgement.sender
    if sender is not None:
        match_id = sender.match.id if sender.match else None
        work.inbound.told(judgement.mail.id, sender.player.id, match_id, sender.proof is not None)
        if sender.proof is not None and sender.match is not None:
            answered = match_id if sender.proof.turn == sender.match.turn else None
            address_works(work, sender.player, judgement.mail.sender, answered)
    by_person = not judgement.screening.silent
    note_exposures(work, judgement.message, judgement.mail.raw, by_person=by_person)


def _ignore(work: Work, judgement: Judgement) -> None:
    mail, verdict = judgement.mail, judgement.screening.verdict
    work.inbound.close(mail.id, judgement.state, judgement.screening.reason)
    if verdict is Verdict.BOUNCE:
        take_bounce(work, mail, judgement.message)
    elif verdict is Verdict.AUTOMATIC:
        take_absence(work, mail, judgement.message)


def _answer_stranger(work: Work, judgement: Judgement) -> None:
    """One short answer a week an address."""
    mail, message = judgement.mail, judgement.message
    flooded = _flooded(work)
    work.inbound.close(mail.id, judgement.state)
    since = work.now - STRANGER_PAUSE
    answered = work.outbox.count(mail.sender, UnknownSender.name(), since)
    if mail.sender and not flooded and not answered:
        # Not their subject: who is From may not have written it.
        post(work, UnknownSender(), mail.sender, Answered(message.message_id))


def _flooded(work: Work) -> bool:
    """Whether so many strangers write that most are forged; answers would hit bystanders."""
    last = work.inbound.recorded_at(InboundState.STRANGER, STRANGERS_AN_HOUR)
    return last is not None and last > work.now - RATE_SPAN


def _silence(work: Work, judgement: Judgement) -> None:
    work.inbound.close(judgement.mail.id, judgement.state, judgement.silence)


def _keep(work: Work, judgement: Judgement) -> None:
    """One notice; the mail is read when the hour is over."""
    assert judgement.player is not None, "a limit is a player's"
    assert judgement.limit is not None, "a mail is kept by a limit"
    player, message, limit = judgement.player, judgement.message, judgement.limit
    work.inbound.close(judgement.mail.id, judgement.state, str(limit))
    if not work.outbox.count(player.address, RateLimited.name(), work.now - RATE_SPAN):
        post(work, RateLimited(limit.mails, limit.of_match), player, answered_by(message))


def _park(work: Work, judgement: Judgement) -> None:
    assert judgement.sender is not None, "what is parked is a player's"
    assert judgement.requests is not None, "what is parked asks for something"
    park(work, judgement.mail, judgement.message, judgement.sender, judgement.requests)


def _refuse(work: Work, judgement: Judgement) -> None:
    assert judgement.sender is not None, "what is refused is a player's"
    assert judgement.rejection is not None, "a refusal has its reason"
    refuse(work, judgement.sender, judgement.message, judgement.rejection)
    if judgement.rejection.name == "in_vain":
        _tell_of_vain_mails(work, judgement, judgement.sender)
    work.inbound.close(judgement.mail.id, judgement.state, str(judgement.rejection))


def _tell_of_vain_mails(work: Work, judgement: Judgement, sender: Sender) -> None:
    """The director hears once a day in whose name many mails come for nothing."""
    fresh = judgement.fresh.fresh if judgement.fresh else ""
    tell_director(
        work,
        DirectorInVain(
            sender.player,
            MOST_IN_VAIN,
            judgement.mail.sender,
            match_id=sender.match.id if sender.match else None,
            proven=sender.proof is not None,
            lines=fresh.strip().splitlines()[:LINES_SHOWN],
        ),
    )


def _carry_out(work: Work, judgement: Judgement) -> Match | None:
    sender, requests, done = judgement.sender, judgement.requests, judgement.done
    assert sender is not None, "what is carried out is a player's"
    assert requests is not None, "what is carried out is a request"
    assert done is not None, "what is carried out has been judged"
    if judgement.confirmed is not None:
        settle(work, judgement.confirmed.parked)
    work.inbound.close(judgement.mail.id, judgement.state, CHANGED if requests.changes else "")
    for effect in done.effects:
        effect(work)
    if sender.match is None or done.match is None:
        answer(work, sender, done, requests, judgement.message)
        return None
    before = work.whole(sender.match)
    match = record(work, before, done, judgement.mail.received_at)
    announce(work, match, sender.player, done, requests, judgement.message)
    go_on(work, match)
    return match


_ACTS: dict[InboundState, Callable[[Work, Judgement], Match | None]] = {
    InboundState.IGNORED: _ignore,
    InboundState.DUPLICATE: _ignore,
    InboundState.STRANGER: _answer_stranger,
    InboundState.LIMITED: _silence,
    InboundState.KEPT: _keep,
    InboundState.PARKED: _park,
    InboundState.REFUSED: _refuse,
    InboundState.DONE: _carry_out,
}
"""What is done with a mail, by what is to become of it."""
