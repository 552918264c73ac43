"""Explain: show how an email would be read, as data for JSON, without changing anything."""

from __future__ import annotations

import traceback
from typing import Any

from pbem.inbox.judge import judge
from pbem.inbox.judgement import Accepted, JudgedBlocks, Judgement, MailReading, RefusedMail
from pbem.inbox.requests import Requests
from pbem.mail.bounce.bounce import read_bounce
from pbem.mail.bounce.failure import Fault
from pbem.mail.message.message import digest, read_message
from pbem.mail.proof.authentication import signing_domains
from pbem.mail.reply.reply_text import fresh_text
from pbem.mail.screening.absence import is_absence
from pbem.mail.screening.screening import Verdict
from pbem.ports.inbound import InboundMail, InboundState, RecordedMail
from pbem.service.club import Club
from pbem.service.members.absences import answered_mail
from pbem.service.members.bounces import to_its_key, told_of
from pbem.service.work import Work

NOT_RECORDED = 2**31 - 1
"""Id of an email that is only explained. It is higher than the id of any recorded email."""

_KINDS = {Verdict.AUTOMATIC: "auto-reply"}


def explain(club: Club, raw: bytes) -> dict[str, Any]:
    """Return how an email would be read if it came now."""
    now, message = club.clock.now(), read_message(raw)
    claims = message.message_id, digest(raw), message.from_address
    mail = InboundMail(NOT_RECORDED, now, now, *claims, raw=raw)
    with club.storage.reading() as uow:
        unlocked: dict[str, Any] = {name: _Unlocked(each) for name, each in vars(uow).items()}
        work = Work(**unlocked, club=club, now=now)
        copies = work.inbound.copies(mail)
        try:
            judgement = judge(work, mail, anew=True)
        except Exception:  # noqa: BLE001  an error that would shunt the email is part of the answer
            return {"fate": InboundState.SHUNTED, "error": traceback.format_exc()}
        return {"recorded": [_row(copy) for copy in copies], **_shown(work, judgement)}


class _Unlocked:
    """A repository of a reading unit of work, where `lock` means `get`.

    Explaining needs no locks, so the club can continue meanwhile and nothing is written by mistake.
    """

    def __init__(self, of: Any) -> None:
        self._of = of

    def __getattr__(self, name: str) -> Any:
        return getattr(self._of, "get" if name == "lock" else name)


def _row(mail: RecordedMail) -> dict[str, Any]:
    """Describe an earlier copy of the email."""
    return {
        "id": mail.id,
        "received_at": mail.received_at.isoformat(),
        "state": mail.state,
        "reason": mail.reason,
    }


def _shown(work: Work, judgement: Judgement) -> dict[str, Any]:
    reading = judgement.reading
    screening, message = reading.screening, reading.message
    fresh = reading.fresh or fresh_text(message.text, message.from_name)
    bounced = screening.verdict is Verdict.BOUNCE
    return {
        "screening": {"verdict": screening.verdict, "reason": screening.reason},
        "kind": _KINDS.get(screening.verdict, screening.verdict),
        "bounce": _bounce(work, reading) if bounced else None,
        "absence": screening.verdict is Verdict.AUTOMATIC and is_absence(message),
        "sender": _sender(work, reading),
        "match": _match(reading),
        "fresh": fresh.fresh,
        "certain": fresh.certain,
        "quoted": fresh.quoted,
        **_requests(reading.requests),
        "played": [played.text for played in reading.done.played] if reading.done else [],
        "fate": judgement.state,
        "refusal": _refusal(judgement),
        **({"blocks": _blocks(judgement)} if isinstance(judgement, JudgedBlocks) else {}),
    }


def _blocks(judgement: JudgedBlocks) -> list[dict[str, Any]]:
    """Describe the blocks of an answer to a digest."""
    return [
        {
            "match": _match(each.reading),
            "fresh": each.reading.fresh.fresh if each.reading.fresh else "",
            **_requests(each.reading.requests),
            "played": [played.text for played in each.done.played]
            if isinstance(each, Accepted)
            else [],
            "fate": each.state,
            "refusal": _refusal(each),
        }
        for each in judgement.blocks
    ]


def _bounce(work: Work, reading: MailReading) -> dict[str, Any]:
    """Describe a bounce: the failed addresses, and our email if it answers one.

    `undelivered` is the kind of failure: hard, soft, delayed or None.
    """
    bounce = read_bounce(reading.mail.raw)
    posted = answered_mail(work, reading.message, bounce.message_ids)
    sent_to = posted.mail.recipient if posted else None
    proven = to_its_key(work.club, reading.message)
    failure = told_of(bounce, sent_to or "", to_its_key=proven)
    failed = bounce.recipients or ((failure,) if failure and posted else ())
    return {
        "answers": posted.mail.message_id if posted else None,
        "sent_to": sent_to,
        "undelivered": None if failure is None else failure.fault,
        "failed": [
            {
                "address": failure.address or sent_to or "",
                "hard": failure.fault is Fault.HARD,
                "delayed": failure.fault is Fault.DELAYED,
                "status": failure.status,
                "about": failure.subject,
                "reason": failure.words,
            }
            for failure in failed
        ],
    }


def _sender(work: Work, reading: MailReading) -> dict[str, Any]:
    """Describe the claimed sender and the proof."""
    message, sender = reading.message, reading.sender
    player = work.players.at(reading.mail.sender)
    proof = sender.proof if sender else None
    return {
        "claimed": message.from_address,
        "claimed_name": message.from_name,
        "player": player.name if player else None,
        "proven": proof is not None,
        "proven_by": ("token" if proof.token else "signature") if proof else None,
        "turn": proof.turn if proof else None,
        "newest_mail_answered": proof.latest if proof else None,
        "confirmed": reading.confirmed is not None,
        "lacks_signature": sender.unsigned if sender else False,
        "signed_by": list(signing_domains(message, work.club.policy.trusted_hosts)),
    }


def _match(reading: MailReading) -> dict[str, Any] | None:
    match = reading.sender.match if reading.sender else None
    if match is None:
        return None
    return {
        "id": match.id,
        "game": match.game.info.key,
        "turn": match.turn,
        "to_act": match.to_act,
        "ended": match.result is not None,
    }


def _requests(requests: Requests | None) -> dict[str, Any]:
    """Return the commands as written, and the lines that are not commands."""
    told, note = (requests.told, requests.note) if requests else ((), ())
    return {"commands": list(told), "note": list(note)}


def _refusal(judgement: Judgement) -> dict[str, Any] | None:
    if not isinstance(judgement, RefusedMail):
        return None
    return {"name": judgement.refusal.name(), **judgement.refusal.data}
