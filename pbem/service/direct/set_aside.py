"""Set aside: handle emails that were shunted after an error or are kept by a limit."""

from __future__ import annotations

from pbem.mail.outgoing.kinds import FromDirector
from pbem.matches.director_actions import DecisionError
from pbem.ports.inbound import RETRIED, InboundMail, InboundState
from pbem.service.direct.decide import Director, log, tell_others
from pbem.service.post.post import Answered, post
from pbem.service.receive import put_into_line
from pbem.service.work import Work

ASIDE = (InboundState.SHUNTED, InboundState.KEPT)
DROPPED = "dropped by the director"
ANSWERED = "answered by the director"


def require_aside(work: Work, number: int) -> InboundMail:
    """Lock and return an email that is set aside. Raises DecisionError or StorageError."""
    mail = work.inbound.lock(number)
    if mail.state not in ASIDE:
        raise DecisionError(f"email {number} is not set aside but {mail.state}")
    return mail


def retry(work: Work, number: int, by: Director) -> None:
    """Queue an email to be read again, even over a limit."""
    mail = require_aside(work, number)
    work.inbound.close(number, InboundState.NEW, RETRIED)
    put_into_line(work, number, mail.raw)
    _seen_to(work, by, f"retry {number}", "")


def drop(work: Work, number: int, by: Director) -> None:
    """Drop an email without an answer."""
    require_aside(work, number)
    work.inbound.close(number, InboundState.IGNORED, DROPPED)
    _seen_to(work, by, f"drop {number}", "")


def answer(work: Work, number: int, text: str, by: Director) -> None:
    """Answer an email with the director's text and close it."""
    mail = require_aside(work, number)
    player = work.players.at(mail.sender)
    if player is None and not mail.sender:
        raise DecisionError(f"email {number} has no sender to answer")
    post(work, FromDirector(text, by.player), player or mail.sender, Answered(mail.message_id))
    work.inbound.close(number, InboundState.IGNORED, ANSWERED)
    _seen_to(work, by, f"answer {number}", text)


def _seen_to(work: Work, by: Director, line: str, text: str) -> None:
    log(work, by, line, text)
    tell_others(work, by, line, text)
