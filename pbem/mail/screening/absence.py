"""Absence notices: find out which automatic answers say that a person is away.

Ticket systems and spam filters also answer automatically, but that says nothing about the player.
"""

from __future__ import annotations

import re

from pbem.mail.bounce.bounce_words import says_undelivered
from pbem.mail.message.headers import parameters
from pbem.mail.message.message import Message
from pbem.mail.screening.robots import acknowledges, by_responder, is_challenge
from pbem.mail.screening.subject import has_in_subject, tells_of_absence
from pbem.mail.screening.subject_words import MOVED

_BEGINNING = 1000
"""Characters in which a machine states its purpose. Our own email may be quoted below."""

_PROGRAMS = ("x-mailer", "delivered-by-the-graces-of", "x-sieve")
"""Fields that name a program."""

_ROBOTS = ("x-otrs-loop", "rt-ticket", "x-ticket-id", "x-jira-fingerprint", "x-delivery-agent")


def is_absence(message: Message) -> bool:
    """Return whether an automatic email answers for an absent owner (RFC 3834, RFC 5230).

    Reports of delays or failures and notices of a new address do not.
    """
    return (
        _by_mailbox(message)
        and not _by_robot(message)
        and not says_undelivered(message.subject, message.text[:_BEGINNING])
        and not is_challenge(message)
        and not has_in_subject(message, MOVED)
    )


def _by_mailbox(message: Message) -> bool:
    headers = message.headers
    submitted = re.split(r"[\s;(]", headers.first("auto-submitted").lower(), maxsplit=1)[0]
    programs = " ".join(headers.all(*_PROGRAMS)).lower()
    return (
        submitted == "auto-replied"
        or by_responder(message)
        or tells_of_absence(message)
        or "vacation" in programs
    )


def _by_robot(message: Message) -> bool:
    headers = message.headers
    return (
        parameters(headers.first("content-type")).main == "multipart/report"
        or any(name in headers for name in _ROBOTS)
        or acknowledges(message)
    )
