"""Answers to the club's mails in the manner of Gmail: the move on top, the whole mail quoted below.

Two parts, plain and HTML, as a player's client makes them.
"""

from __future__ import annotations

import email
import email.policy
import html
import quopri
import re
from typing import NamedTuple

_EXAMPLE = re.compile(r"for example\n\n    (\S.*)\n")
"""A turn mail names a move that is legal."""
_DATE = "Sat, 21 Nov 2026 19:05:00 +0100"
_BOUNDARY = "000000000000a1b2c3064f1e2d3c"

_MAIL = """\
Return-Path: <{sender}>
Delivered-To: club@games.example
Received: from mail-wr1-f41.mail.example (mail-wr1-f41.mail.example [192.0.2.41])
\tby mx.games.example (Postfix) with ESMTPS id 4F2B81C0
\tfor <{reply_to}>; Sat, 21 Nov 2026 18:05:12 +0000 (UTC)
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

{move}

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
<div dir="ltr">{move}</div><br><div class="gmail_quote gmail_quote_container">\
<div dir="ltr" class="gmail_attr">On Sat, Nov 21, 2026 at 6:40 PM pbem, your turn \
&lt;<a href="mailto:{reply_to}">{reply_to}</a>&gt; wrote:<br></div>\
<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;\
border-left:1px solid rgb(204,204,204);padding-left:1ex">{quote}</blockquote></div>
"""


class TurnMail(NamedTuple):
    """What a client needs of a mail to answer it."""

    message_id: str
    reply_to: str
    subject: str
    text: str

    @classmethod
    def read(cls, raw: bytes) -> TurnMail:
        """A turn mail from its bytes."""
        message = email.message_from_bytes(raw, policy=email.policy.default)
        body = message.get_body(("plain",))
        assert body is not None
        text = str(body.get_content()).replace("\r\n", "\n")
        headers = (str(message[name]) for name in ("Message-ID", "Reply-To", "Subject"))
        return cls(*headers, text)


def answer(raw: bytes, name: str, sender: str, unique: str) -> bytes:
    """A player's answer to a turn mail: the move that it gives for an example."""
    turn = TurnMail.read(raw)
    found = _EXAMPLE.search(turn.text)
    assert found, turn.text
    escaped = html.escape(turn.text).replace("\n", "<br>\n")
    page = _HTML.format(move=html.escape(found[1]), reply_to=turn.reply_to, quote=escaped)
    mail = _MAIL.format(
        sender=sender,
        name=name,
        reply_to=turn.reply_to,
        message_id=turn.message_id,
        unique=unique,
        subject=turn.subject,
        date=_DATE,
        boundary=_BOUNDARY,
        move=found[1],
        quote="\n".join(f"> {line}".rstrip() for line in turn.text.splitlines()),
        html=quopri.encodestring(page.encode()).decode(),
    )
    return mail.replace("\n", "\r\n").encode()
