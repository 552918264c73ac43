"""Screening: whether a mail may be answered at all, or comes from a machine (RFC 3834)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from pbem.mail.addresses.addressing import (
    Addresses,
    bounce_keys,
    carries_token,
    is_club_address,
)
from pbem.mail.bounce.bounce_words import says_undelivered
from pbem.mail.message.headers import Headers, decoded_words, parameters
from pbem.mail.message.message import Message
from pbem.mail.screening.absence import is_absence
from pbem.mail.screening.robot_words import REFUSED, SERVERS
from pbem.mail.screening.robots import by_fields, by_parts, by_sender, by_subject, by_text
from pbem.mail.screening.subject import announces, is_reply, tells_of_failure
from pbem.mail.screening.subject_words import ALARMS


class Verdict(StrEnum):
    """What kind of mail it is; only the first kind is ever answered."""

    ANSWER = "answer"
    AUTOMATIC = "automatic"
    BOUNCE = "bounce"
    LIST = "list"
    OWN = "own"
    NOBODY = "nobody"
    """From names nobody, or several: there is no one to answer."""


@dataclass(frozen=True)
class Screening:
    """Verdict on a mail, and why, in plain words."""

    verdict: Verdict
    reason: str = ""

    @property
    def silent(self) -> bool:
        """Whether nothing may be sent."""
        return self.verdict is not Verdict.ANSWER


def screen(message: Message, club: Addresses) -> Screening:
    """Screening of a mail to the club."""
    screening = _by_signs(message, club)
    if not bounce_keys(message, club) or screening.verdict is Verdict.BOUNCE:
        return screening
    # Only servers and responders know that address: what is neither notice nor receipt came back.
    if screening.verdict is Verdict.AUTOMATIC and (is_absence(message) or _is_receipt(message)):
        return screening
    return Screening(Verdict.BOUNCE, "it was sent to where only bounces go")


def _by_signs(message: Message, club: Addresses) -> Screening:
    if reason := _own(message, club):
        return Screening(Verdict.OWN, reason)
    for verdict, sign in _SIGNS:
        if reason := sign(message):
            return Screening(verdict, reason)
    return Screening(Verdict.ANSWER)


def _own(message: Message, club: Addresses) -> str:
    if is_club_address(message.from_address, club):
        return f"it is from the club's own address, {message.from_address}"
    if carries_token(message.message_id):
        return f"its Message-ID is one of the club's, {message.message_id}"
    return ""


def _report(message: Message) -> str:
    """A delivery status notification (RFC 3464), by its form or its subject."""
    kind = _report_type(message)
    if kind == "delivery-status":
        return "it is a report on a delivery"
    if kind == "disposition-notification" and _refuses(message):
        return "it returns a mail that a filter has refused"
    if "x-failed-recipients" in message.headers:
        return "it names recipients that failed"
    if tells_of_failure(message):
        return f"its subject says that a mail was not delivered: {message.subject[:80]}"
    return ""


_STATUS = ("message/delivery-status", "message/global-delivery-status")


def _report_type(message: Message) -> str:
    """Kind of report that a mail is (RFC 6522), by its parts where it is called something else."""
    content = parameters(message.headers.first("content-type"))
    if content.main == "multipart/report":
        return content.values.get("report-type", "delivery-status").lower()
    kinds = set(message.parts) if not is_reply(message) else set()
    if kinds.intersection(_STATUS):
        return "delivery-status"
    return "disposition-notification" if "message/disposition-notification" in kinds else ""


def _refuses(message: Message) -> bool:
    """Whether a receipt says that the mail was refused: Sieve's reject (RFC 5429)."""
    said = f"{message.subject} {message.text[:1000]}".casefold()
    return any(word in said for word in REFUSED) or says_undelivered("", said)


def _is_receipt(message: Message) -> bool:
    """A receipt (RFC 8098) or a complaint (RFC 5965): both tell that the mail has arrived."""
    return _report_type(message) not in ("", "delivery-status") or (
        "message/feedback-report" in message.parts
    )


_DAEMONS = ("mailerdaemon", "maildaemon", "postmaster", "mailer", "mdaemon")


def _server(message: Message) -> str:
    """From a mail server, even where its address is empty: `MAILER-DAEMON <>`."""
    local = re.sub(r"[-_.]", "", message.from_address.rpartition("@")[0])
    if local in _DAEMONS or local.startswith("microsoftexchange"):
        return f"it is from a mail server, {message.from_address}"
    senders = message.headers.all("from")
    name = decoded_words(senders[0]).casefold().strip("\"'<>(, ") if len(senders) == 1 else ""
    return f"it is from a mail server, {senders[0][:80]}" if name.startswith(SERVERS) else ""


def _alarm(message: Message) -> str:
    """From a mail server that tells of a loop or a virus, and not of a delivery."""
    alarmed = announces(message, ALARMS) and not says_undelivered(message.subject, message.text)
    return f"it is an alarm: {message.subject[:80]}" if alarmed and _server(message) else ""


def _other_report(message: Message) -> str:
    """A receipt (RFC 8098) or a complaint (RFC 5965)."""
    content = parameters(message.headers.first("content-type"))
    return "it is a report, not a letter" if content.main == "multipart/report" else ""


_SUPPRESSED = {"all", "autoreply", "oof"}
"""Values of X-Auto-Response-Suppress by which a machine asks for no answer (MS-OXCMAIL)."""


_AFTER_WORD = re.compile(r"[\s;(]")


def _declared(message: Message) -> str:
    headers = message.headers
    submitted = _AFTER_WORD.split(headers.first("auto-submitted").lower(), 1)[0]
    if submitted not in ("", "no"):
        return f"it says Auto-Submitted: {submitted}"
    suppress = headers.first("x-auto-response-suppress")
    if _SUPPRESSED & set(re.split(r"[\s,;]+", suppress.lower())):
        return f"it says X-Auto-Response-Suppress: {suppress}"
    return ""


_LIST_FIELDS = (
    "list-id",
    "list-post",
    "list-help",
    "list-owner",
    "list-archive",
    "list-subscribe",
    "list-unsubscribe",
    "mailing-list",
    "x-mailing-list",
    "x-mailman-version",
)


_KEEPERS = ("listserv", "majordomo", "mailman")


def _listed(message: Message) -> str:
    """A mailing list (RFC 2369, RFC 2919) or its keeper (RFC 3834 section 2)."""
    name = next((name for name in _LIST_FIELDS if name in message.headers), "")
    if name:
        return f"it came by a mailing list: it has the field {name}"
    if _precedence(message) == "list":
        return "it came by a mailing list: it says Precedence: list"
    local = message.from_address.rpartition("@")[0]
    if local.startswith("owner-") or local.endswith("-request") or local in _KEEPERS:
        return f"it is from the keeper of a mailing list, {message.from_address}"
    return ""


def _in_bulk(message: Message) -> str:
    precedence = _precedence(message)
    if precedence.startswith(("bulk", "junk", "auto", "spam")):
        return f"it says Precedence: {precedence}"
    return ""


def _precedence(message: Message) -> str:
    """What it says of its own importance, as far as that is a word of a machine."""
    values = [each.lower() for each in message.headers.all("precedence", "x-precedence")]
    words = [_AFTER_WORD.split(each.strip(), 1)[0] for each in values]
    return min((each for each in words if each.startswith(_OF_MACHINES)), default="")


_OF_MACHINES = ("auto", "bulk", "junk", "list", "spam")


def _returned(message: Message) -> str:
    """A null return path: whoever sent it must not be answered (RFC 3834 section 2)."""
    path = _return_path(message.headers)
    if path is not None and path.strip("<> ").lower() in ("", "mailer-daemon"):
        return "its return path is empty, as a bounce has it"
    return ""


def _return_path(headers: Headers) -> str | None:
    """Return-Path as the delivering server wrote it: on top, above what the sender wrote."""
    for name, value in headers.fields:
        if name == "return-path":
            return value
        if name in ("from", "to", "subject", "date", "message-id"):
            return None
    return None


def _nobody(message: Message) -> str:
    if message.from_address:
        return ""
    several = len(message.headers.all("from")) > 1
    return "it has several From fields" if several else "its From does not name one sender"


_SIGNS: tuple[tuple[Verdict, Callable[[Message], str]], ...] = (
    (Verdict.BOUNCE, _report),
    (Verdict.AUTOMATIC, _alarm),
    (Verdict.BOUNCE, _server),
    (Verdict.AUTOMATIC, _other_report),
    # Before the null return path: a vacation answer has that too (RFC 5230 section 4.5).
    (Verdict.AUTOMATIC, _declared),
    (Verdict.LIST, _listed),
    (Verdict.AUTOMATIC, _in_bulk),
    (Verdict.AUTOMATIC, by_parts),
    (Verdict.AUTOMATIC, by_fields),
    (Verdict.AUTOMATIC, by_subject),
    (Verdict.BOUNCE, _returned),
    (Verdict.AUTOMATIC, by_sender),
    (Verdict.AUTOMATIC, by_text),
    (Verdict.NOBODY, _nobody),
)
"""Signs in the order they are looked for; each gives its reason, or nothing."""
