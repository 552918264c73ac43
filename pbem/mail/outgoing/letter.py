"""Letter: an email of the club with its recipient and thread, and its bytes.

The bytes have a text and an HTML part (RFC 5322, 2045, 3834), perhaps with a picture (RFC 2387) and
attachments (RFC 2183). The same letter always gives the same bytes. They are written directly,
since every email has the same simple form, and the library's objects took most of the time.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.utils import format_datetime, quote
from enum import IntEnum
from typing import NamedTuple


class Urgency(IntEnum):
    """Priority of a kind of email. Less urgent ones have a reserved share, so all get sent."""

    PLAY = 0
    """Somebody waits for it or their clock runs: answers, turns, questions."""
    NOTICE = 1
    """Something its reader should know."""
    ANNOUNCEMENT = 2
    """Something many readers should know."""
    REPORT = 3
    """A report to the directors."""


PDF = "application/pdf"
BINARY = (PDF,)
"""Types of attachments whose text is in base64."""


class Attachment(NamedTuple):
    """A file attached to an email."""

    name: str
    """In ASCII."""
    content_type: str
    text: str
    """The content, in base64 for the types `BINARY`."""


@dataclass(frozen=True)
class Letter:
    """A complete email to one person, before it is formatted."""

    message_id: str
    from_name: str
    from_address: str
    to_name: str
    to_address: str
    subject: str
    text: str
    written_at: datetime
    """Date of the email, even if it is sent later or again to another address."""
    references: tuple[str, ...] = ()
    """Message-IDs of the first email in the thread and of the answered one."""
    answers: bool = False
    """Whether it answers an email (RFC 3834: auto-replied). Otherwise auto-generated."""
    html: str = ""
    """The HTML part. If empty, it is made from the text, as in old versions."""
    picture: str = ""
    """SVG of the board, if the HTML shows one by its Content-ID."""
    reply_to: str = ""
    """Address for answers, if it is not the one in From."""
    list_id: str = ""
    """Identifies the emails of the club or a match to filters (RFC 2919)."""
    unsubscribe: str = ""
    """Address for requests to get fewer such emails (RFC 2369)."""
    attachments: tuple[Attachment, ...] = ()


LONGEST_WORDS = 250
"""Maximum length of a subject or name, since our answers repeat strangers' subjects."""
LONGEST_ID = 900
LONGEST_LINE = 998
"""Longest line, RFC 5322 section 2.1.1. Servers refuse longer ones."""
USUAL_LINE = 78
LONGEST_ENCODED = 66
"""Keeps `Subject: ` with an encoded word within 76 characters (RFC 2047 section 2)."""


def to_bytes(letter: Letter) -> bytes:
    """Return the email in wire format. The same letter always gives the same bytes."""
    content, body = _whole(letter)
    fields = (*_fields(letter), ("MIME-Version", "1.0"), ("Content-Type", content))
    head = "".join(_field(name, value) for name, value in fields)
    return f"{head}\r\n{body}".encode("ascii")


def _whole(letter: Letter) -> tuple[str, str]:
    """Return Content-Type and body of the whole email, including attachments."""
    content, body = _alternatives(letter)
    if not letter.attachments:
        return content, body
    said = f"Content-Type: {content}\r\n\r\n{body}"
    files = map(_attached, letter.attachments)
    return _joined("mixed", f"{letter.message_id} mixed", (said, *files))


def _attached(file: Attachment) -> str:
    """Return a file as a base64 part, so no server changes its line ends."""
    binary = file.content_type in BINARY
    raw = base64.b64decode(file.text) if binary else file.text.encode(errors="replace")
    data = base64.encodebytes(raw).decode("ascii")
    charset = "" if binary else '; charset="utf-8"'
    return (
        f"Content-Type: {file.content_type}{charset}\r\n"
        "Content-Transfer-Encoding: base64\r\n"
        f'Content-Disposition: attachment; filename="{file.name}"\r\n\r\n'
        + data.replace("\n", "\r\n")
    )


def _alternatives(letter: Letter) -> tuple[str, str]:
    page = _part("html", letter.html or to_html(letter.text))
    if letter.picture:
        content, body = _joined(
            "related", f"{letter.message_id} related", (page, picture_part(letter.picture))
        )
        page = f"Content-Type: {content}\r\n\r\n{body}"
    return _joined("alternative", letter.message_id, (_part("plain", letter.text), page))


def _joined(subtype: str, seed: str, parts: Sequence[str]) -> tuple[str, str]:
    """Return Content-Type and body of several parts."""
    # Nobody can have written this boundary: the Message-ID is not known before the email is sent.
    boundary = f"=_{hashlib.sha256(seed.encode()).hexdigest()[:32]}"
    root = '; type="text/html"' if subtype == "related" else ""
    body = "".join(f"--{boundary}\r\n{part}\r\n" for part in parts)
    return f'multipart/{subtype}; boundary="{boundary}"{root}', f"{body}--{boundary}--\r\n"


def _part(subtype: str, text: str) -> str:
    """Return a text part, in quoted-printable if it is not ASCII or has a line that is too long."""
    text = text.replace("\n", "\r\n")
    charset, encoding = "us-ascii", "7bit"
    if not text.isascii() or max(map(len, text.split("\r\n"))) > LONGEST_LINE:
        charset, encoding = "utf-8", "quoted-printable"
        text = binascii.b2a_qp(text.encode(errors="replace"), istext=True).decode("ascii")
    return (
        f'Content-Type: text/{subtype}; charset="{charset}"\r\n'
        f"Content-Transfer-Encoding: {encoding}\r\n\r\n{text}"
    )


def _fields(letter: Letter) -> Iterator[tuple[str, str]]:
    references = [each for each in letter.references if len(each) <= LONGEST_ID]
    yield "From", _mailbox(letter.from_name, letter.from_address)
    yield "To", _mailbox(letter.to_name, letter.to_address)
    yield "Reply-To", letter.reply_to or letter.from_address
    yield "Subject", _words(letter.subject[:LONGEST_WORDS])
    yield "Date", format_datetime(letter.written_at)
    yield "Message-ID", letter.message_id
    if references:
        yield "In-Reply-To", references[-1]
        yield "References", " ".join(references)
    if letter.list_id:
        yield "List-Id", letter.list_id
    if letter.unsubscribe:
        # The plus is not encoded, as in large lists, since not all programs decode it.
        yield "List-Unsubscribe", f"<mailto:{letter.unsubscribe}?subject=unsubscribe>"
    yield "Auto-Submitted", "auto-replied" if letter.answers else "auto-generated"
    # Outlook and Exchange only know this field.
    yield "X-Auto-Response-Suppress", "OOF, AutoReply"


def _field(name: str, value: str) -> str:
    """Return a field, folded at spaces (RFC 5322 section 2.2.3), never more than one field."""
    line = one_line(value)
    first, *rest = (line if line.isascii() else _encoded(line)).split(" ")
    lines = [f"{name}: {first}"]
    for word in rest:
        if len(lines[-1]) + 1 + len(word) <= USUAL_LINE:
            lines[-1] += f" {word}"
        else:
            lines.append(f" {word}")
    return "\r\n".join(lines) + "\r\n"


def _mailbox(name: str, address: str) -> str:
    name = one_line(name[:LONGEST_WORDS])
    if not name:
        return address
    words = _words(name)
    return f'"{quote(name)}" <{address}>' if words == name else f"{words} <{address}>"


def _words(text: str) -> str:
    """Return a text, encoded if it is not ASCII or looks encoded (RFC 2047)."""
    return text if text.isascii() and "=?" not in text else _encoded(one_line(text))


def _encoded(line: str) -> str:
    return Header(line, "utf-8", LONGEST_ENCODED).encode(linesep="")


def one_line(text: str) -> str:
    """Return a text on one line, so that no name or subject can start a header field."""
    if not text.isprintable():
        text = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(text.split())


_STYLE = "font-family:monospace;font-size:14px;line-height:1.25"


def to_html(text: str) -> str:
    """Convert a text to HTML, with prose in paragraphs and columns in `<pre>`."""
    blocks = map(_block, html.escape(text.strip("\n"), quote=False).split("\n\n"))
    return f"<!DOCTYPE html>\n<html><body>\n{''.join(blocks)}</body></html>\n"


_COLUMNS = re.compile("^ |  ", re.MULTILINE)


def _block(block: str) -> str:
    if _COLUMNS.search(block):
        return f'<pre style="{_STYLE}">\n{block}\n</pre>\n'
    return "<p>" + block.replace("\n", "<br>\n") + "</p>\n"


def match_subject(club: str, match_id: int, title: str, players: Sequence[str]) -> str:
    """Return the subject of all emails of a match. It never changes and contains no secret."""
    return f"[{club} {match_id}] {title}: {', '.join(players)}"


def offer_subject(club: str, number: int, title: str) -> str:
    """Return the subject of all emails of an offer. It must not look like that of a match."""
    return f"[{club} offer-{number}] {title}"


def references(thread: Sequence[str], answered: str = "") -> tuple[str, ...]:
    """Return the Message-IDs for References: the thread's first email, then the answered one.

    So all emails are below the first one or the one they answer, and clients show no deep nesting.
    The first email only refers to the one it answers.
    """
    return tuple(dict.fromkeys(each for each in (*thread[:1], answered) if each))


def from_name(club: str, wants: str = "") -> str:
    """Return the name in From: the purpose, which narrow lists cut off last, then the club."""
    if not wants:
        return club
    return f"{wants} {club}" if wants.endswith(("?", "!", ".")) else f"{wants}, {club}"


_NO_LABEL = re.compile(r"[^a-z0-9]+")


def match_list(club: str, match_id: int, address: str) -> str:
    """Return the List-Id of all emails of a match, by which filters sort them (RFC 2919).

    Its namespace is a domain below the club's host, which differs for each club there.
    """
    local, _, host = address.lower().rpartition("@")
    list_id = f"<match-{match_id}.{_NO_LABEL.sub('-', local).strip('-') or 'club'}.{host}>"
    name = f"{club} match {match_id}"
    return f'"{name}" {list_id}' if name.isascii() and not set(name) & set('"\\') else list_id


PICTURE_WIDTH = 720
"""Width in pixels: one and a half times the displayed width, and twice that of a phone.

Drawing takes more processor time than all other work for an email, and grows with the area.
"""


def content_id(svg: str) -> str:
    """Return the Content-ID of a picture, by which `cid:` refers to it (RFC 2392).

    It depends only on the picture.
    """
    return f"{hashlib.sha256(svg.encode()).hexdigest()[:24]}@board.pbem"


def picture_part(svg: str) -> str:
    """Return the PNG part of an email for a picture."""
    from pbem.painters.svg import png  # imports the drawing code, which only sent emails need

    data = base64.encodebytes(png(svg, PICTURE_WIDTH)).decode("ascii").replace("\n", "\r\n")
    return (
        "Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n"
        f"Content-ID: <{content_id(svg)}>\r\n"
        f'Content-Disposition: inline; filename="board.png"\r\n\r\n{data}'
    )
