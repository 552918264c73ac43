"""Screening: decide whether an email may be answered, or is from a machine (RFC 3834)."""

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
    """Kind of an email. Only ANSWER is ever answered."""

    ANSWER = "answer"
    AUTOMATIC = "automatic"
    BOUNCE = "bounce"
    LIST = "list"
    OWN = "own"
    NOBODY = "nobody"
    """The From field names nobody or several people, so there is no one to answer."""


@dataclass(frozen=True)
class Screening:
    """Verdict on an email, and its reason in plain words."""

    verdict: Verdict
    reason: str = ""

    @property
    def silent(self) -> bool:
        """Whether nothing may be sent in answer."""
        return self.verdict is not Verdict.ANSWER


def screen(message: Message, club: Addresses) -> Screening:
    """Screen an email to the club."""
    screening = _by_signs(message, club)
    if not bounce_keys(message, club) or screening.verdict is Verdict.BOUNCE:
        return screening
    # Only servers and responders know this address. Without a notice or receipt, our email has
    # bounced.
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
    """Return the reason if an email is a delivery status notification (RFC 3464), otherwise ""."""
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
    """Return the type of a report (RFC 6522), by its parts if it is not declared as one."""
    content = parameters(message.headers.first("content-type"))
    if content.main == "multipart/report":
        return content.values.get("report-type", "delivery-status").lower()
    kinds = set(message.parts) if not is_reply(message) else set()
    if kinds.intersection(_STATUS):
        return "delivery-status"
    return "disposition-notification" if "message/disposition-notification" in kinds else ""


def _refuses(message: Message) -> bool:
    """Return whether a receipt says that our email was refused, as by Sieve (RFC 5429)."""
    said = f"{message.subject} {message.text[:1000]}".casefold()
    return any(word in said for word in REFUSED) or says_undelivered("", said)


def _is_receipt(message: Message) -> bool:
    """Return whether it is a receipt (RFC 8098) or complaint (RFC 5965).

    Both show that our email arrived.
    """
    return _report_type(message) not in ("", "delivery-status") or (
        "message/feedback-report" in message.parts
    )


_DAEMONS = ("mailerdaemon", "maildaemon", "postmaster", "mailer", "mdaemon")


def _server(message: Message) -> str:
    """Return the reason if a mail server sent it, perhaps with no address: `MAILER-DAEMON <>`."""
    local = re.sub(r"[-_.]", "", message.from_address.rpartition("@")[0])
    if local in _DAEMONS or local.startswith("microsoftexchange"):
        return f"it is from a mail server, {message.from_address}"
    senders = message.headers.all("from")
    name = decoded_words(senders[0]).casefold().strip("\"'<>(, ") if len(senders) == 1 else ""
    return f"it is from a mail server, {senders[0][:80]}" if name.startswith(SERVERS) else ""


def _alarm(message: Message) -> str:
    """Return the reason if a mail server reports a loop or virus, not a delivery, otherwise ""."""
    alarmed = announces(message, ALARMS) and not says_undelivered(message.subject, message.text)
    return f"it is an alarm: {message.subject[:80]}" if alarmed and _server(message) else ""


def _other_report(message: Message) -> str:
    """Return the reason if it is another report, such as a receipt or complaint, otherwise ""."""
    content = parameters(message.headers.first("content-type"))
    return "it is a report, not a letter" if content.main == "multipart/report" else ""


_SUPPRESSED = {"all", "autoreply", "oof"}
"""Values of X-Auto-Response-Suppress that ask for no answer (MS-OXCMAIL)."""


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
    """Return the reason if it is from a mailing list or its manager, otherwise "".

    See RFC 2369, RFC 2919 and RFC 3834 section 2.
    """
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
    """Return the value of Precedence if it is a machine's."""
    values = [each.lower() for each in message.headers.all("precedence", "x-precedence")]
    words = [_AFTER_WORD.split(each.strip(), 1)[0] for each in values]
    return min((each for each in words if each.startswith(_OF_MACHINES)), default="")


_OF_MACHINES = ("auto", "bulk", "junk", "list", "spam")


def _returned(message: Message) -> str:
    """Return the reason for an empty return path, which forbids an answer (RFC 3834 section 2)."""
    path = _return_path(message.headers)
    if path is not None and path.strip("<> ").lower() in ("", "mailer-daemon"):
        return "its return path is empty, as a bounce has it"
    return ""


def _return_path(headers: Headers) -> str | None:
    """Return the Return-Path of the delivering server, which is above all that the sender wrote."""
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
    # before the empty return path, which a vacation notice also has (RFC 5230 section 4.5)
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
"""Signs in the order of checking. Each returns its reason, or ""."""
