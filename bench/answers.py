"""Answers to the club's emails as Gmail writes them: the move, then the whole email quoted.

Two parts, plain text and HTML, as a player's email program makes them.
"""

from __future__ import annotations

import email
import html
import quopri
import re
from datetime import UTC, datetime
from email.message import Message
from email.utils import format_datetime
from typing import NamedTuple

_EXAMPLE = re.compile(r"for example:\n\n    (\S.*)\n")
"""A turn email gives a legal move as an example."""
_WRITTEN_AT = datetime(2026, 11, 21, 18, 5, tzinfo=UTC)
_BOUNDARY = "000000000000a1b2c3064f1e2d3c"

_MAIL = """\
Return-Path: <{sender}>
Delivered-To: club@games.example
Received: from mail-wr1-f41.mail.example (mail-wr1-f41.mail.example [192.0.2.41])
\tby mx.games.example (Postfix) with ESMTPS id 4F2B81C0
\tfor <{reply_to}>; {date}
MIME-Version: 1.0
References: {message_id}
In-Reply-To: {message_id}
From: {name} <{sender}>
Date: {date}
Message-ID: <CA{unique}@mail.mail.example>
Subject: Re: {subject}
To: "pbem, your turn" <{reply_to}>
Content-Type: multipart/alternative; boundary="{boundary}"

--{boundary}
Content-Type: text/plain; charset="UTF-8"

{fresh}

On Sat, Nov 21, 2026 at 6:40 PM pbem, your turn <
{reply_to}> wrote:

{quote}

--{boundary}
Content-Type: text/html; charset="UTF-8"
Content-Transfer-Encoding: quoted-printable

{html}
--{boundary}--
"""

_HTML = """\
<div dir="ltr">{fresh}</div><br><div class="gmail_quote gmail_quote_container">\
<div dir="ltr" class="gmail_attr">On Sat, Nov 21, 2026 at 6:40 PM pbem, your turn \
&lt;<a href="mailto:{reply_to}">{reply_to}</a>&gt; wrote:<br></div>\
<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;\
border-left:1px solid rgb(204,204,204);padding-left:1ex">{quote}</blockquote></div>
"""


class TurnMail(NamedTuple):
    """The parts of an email that a client needs to answer it."""

    message_id: str
    reply_to: str
    subject: str
    text: str
    answers: str
    """Message-ID of the email that it answers, or empty."""

    @classmethod
    def read(cls, raw: bytes) -> TurnMail:
        """Read an email from the club, ten times as fast as with the newer API of `email`."""
        message = email.message_from_bytes(raw)
        return cls(
            message_id=_header(message, "Message-ID"),
            reply_to=_header(message, "Reply-To"),
            subject=_header(message, "Subject"),
            text=_text(message),
            answers=_header(message, "In-Reply-To"),
        )

    @property
    def example(self) -> str | None:
        """Return the move given as an example, or None if it is nobody's turn."""
        found = _EXAMPLE.search(self.text)
        return found and found[1]


def _header(message: Message, name: str) -> str:
    return " ".join(str(message[name] or "").split())


def _text(message: Message) -> str:
    plain = next(part for part in message.walk() if part.get_content_type() == "text/plain")
    payload = plain.get_payload(decode=True)
    assert isinstance(payload, bytes)
    return payload.decode().replace("\r\n", "\n")


def answer(raw: bytes, name: str, sender: str, unique: str) -> bytes:
    """Return a player's answer to a turn email: the move given as an example."""
    turn = TurnMail.read(raw)
    assert turn.example, turn.text
    return written(turn, turn.example, name, sender, unique)


def written(
    turn: TurnMail,
    fresh: str,
    name: str,
    sender: str,
    unique: str,
    at: datetime = _WRITTEN_AT,
) -> bytes:
    """Return an answer to an email, with some text above the quote."""
    escaped = html.escape(turn.text).replace("\n", "<br>\n")
    page = _HTML.format(
        fresh=html.escape(fresh).replace("\n", "<br>\n"), reply_to=turn.reply_to, quote=escaped
    )
    mail = _MAIL.format(
        sender=sender,
        name=name,
        reply_to=turn.reply_to,
        message_id=turn.message_id,
        unique=unique,
        subject=turn.subject,
        date=format_datetime(at),
        boundary=_BOUNDARY,
        fresh=fresh,
        quote="\n".join(f"> {line}".rstrip() for line in turn.text.splitlines()),
        html=quopri.encodestring(page.encode()).decode(),
    )
    return mail.replace("\n", "\r\n").encode()
