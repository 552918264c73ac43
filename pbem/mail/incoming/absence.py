"""Absence notices: which automatic answers say that a person is away.

Ticket systems and spam walls answer by themselves too, but say nothing of the player.
"""

from __future__ import annotations

import re

from pbem.mail.incoming.client_words import OUT_OF_OFFICE
from pbem.mail.incoming.headers import parameters
from pbem.mail.incoming.message import Message

_RESPONDERS = (
    "x-autoreply",
    "x-auto-reply",
    "x-autoreply-from",
    "x-autorespond",
    "x-autoresponder",
    "x-mail-autoreply",
    "x-vacation",
)
"""Fields that responders of mailboxes write."""

_PROGRAMS = ("x-mailer", "delivered-by-the-graces-of", "x-sieve")
"""Fields in which a program tells its name."""

_ROBOTS = ("x-otrs-loop", "rt-ticket", "x-ticket-id", "x-jira-fingerprint")
_CHALLENGERS = ("x-delivery-agent",)
_ROBOT_SUBJECT = re.compile(
    r"\b(?:ticket|case|issue|request)\b.{0,20}\d|confirm your (?:message|mail|e-mail|email)"
    r"|verify your (?:message|mail|e-mail|email)"
)


def is_absence(message: Message) -> bool:
    """Whether an automatic mail is the answer of a mailbox whose owner is away (RFC 3834, 5230)."""
    return _by_mailbox(message) and not _by_robot(message)


def _by_mailbox(message: Message) -> bool:
    headers = message.headers
    submitted = re.split(r"[\s;(]", headers.first("auto-submitted").lower(), maxsplit=1)[0]
    programs = " ".join(headers.all(*_PROGRAMS)).lower()
    return (
        submitted == "auto-replied"
        or any(name in headers for name in _RESPONDERS)
        or message.subject.casefold().startswith(OUT_OF_OFFICE)
        or "vacation" in programs
    )


def _by_robot(message: Message) -> bool:
    headers = message.headers
    return (
        parameters(headers.first("content-type")).main == "multipart/report"
        or any(name in headers for name in (*_ROBOTS, *_CHALLENGERS))
        or _ROBOT_SUBJECT.search(message.subject.casefold()) is not None
    )
