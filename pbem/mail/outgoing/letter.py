"""Letter: what an email of the club says and to whom, its thread, and its bytes.

The bytes have a text and an HTML part (RFC 5322, 2045, 3834), to which a picture may belong (RFC
2387), and perhaps files beside them (RFC 2183), and are the same each time. Written
out by hand, since every mail has the same simple form: the library's way through objects made up
most of what a mail cost.
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
    """How long a kind of mail may wait; what is less has a share of its own, and is never last."""

    PLAY = 0
    """Somebody waits for it, or their time runs: answers, turns, questions."""
    NOTICE = 1
    """What its reader should know."""
    ANNOUNCEMENT = 2
    """The same for many."""
    REPORT = 3
    """To the directors."""


class Attachment(NamedTuple):
    """A file that goes with a mail."""

    name: str
    """ASCII."""
    content_type: str
    text: str


@dataclass(frozen=True)
class Letter:
    """What goes to one person, complete but for its form."""

    message_id: str
    from_name: str
    from_address: str
    to_name: str
    to_address: str
    subject: str
    text: str
    written_at: datetime
    """Its Date, however late it is sent, or sent again to another address."""
    references: tuple[str, ...] = ()
    """Message-IDs of the thread's first mail and of the one that is answered."""
    answers: bool = False
    """Whether it is the answer to a mail (RFC 3834: auto-replied), else auto-generated."""
    html: str = ""
    """The same in HTML; empty where it is made of the text, as in mails of older versions."""
    picture: str = ""
    """SVG of the board that the HTML shows by its Content-ID, if it shows one so."""
    reply_to: str = ""
    """Where an answer goes, if not to the address in From."""
    list_id: str = ""
    """What filters know the mails of the club, or of a match, by (RFC 2919)."""
    unsubscribe: str = ""
    """Address to which a mail is enough to get fewer of them (RFC 2369)."""
    attachments: tuple[Attachment, ...] = ()


LONGEST_WORDS = 250
"""Characters of a subject or name; strangers' subjects come back in ours."""
LONGEST_ID = 900
LONGEST_LINE = 998
"""RFC 5322 section 2.1.1, and a longer line is what servers refuse."""
USUAL_LINE = 78
LONGEST_ENCODED = 66
"""So that `Subject: ` and an encoded word take no more than 76 characters (RFC 2047 section 2)."""


def to_bytes(letter: Letter) -> bytes:
    """The message in wire form; the same letter always gives the same bytes."""
    content, body = _whole(letter)
    fields = (*_fields(letter), ("MIME-Version", "1.0"), ("Content-Type", content))
    head = "".join(_field(name, value) for name, value in fields)
    return f"{head}\r\n{body}".encode("ascii")


def _whole(letter: Letter) -> tuple[str, str]:
    """Content-Type and body: what is said, and what is attached to it."""
    content, body = _alternatives(letter)
    if not letter.attachments:
        return content, body
    said = f"Content-Type: {content}\r\n\r\n{body}"
    files = map(_attached, letter.attachments)
    return _joined("mixed", f"{letter.message_id} mixed", (said, *files))


def _attached(file: Attachment) -> str:
    """A file as a part, in base64: no server on the way changes its ends of lines."""
    data = base64.encodebytes(file.text.encode(errors="replace")).decode("ascii")
    return (
        f'Content-Type: {file.content_type}; charset="utf-8"\r\n'
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
    """Content-Type and body of several parts."""
    # Nobody can have written it: the Message-ID is not known before the mail is sent.
    boundary = f"=_{hashlib.sha256(seed.encode()).hexdigest()[:32]}"
    root = '; type="text/html"' if subtype == "related" else ""
    body = "".join(f"--{boundary}\r\n{part}\r\n" for part in parts)
    return f'multipart/{subtype}; boundary="{boundary}"{root}', f"{body}--{boundary}--\r\n"


def _part(subtype: str, text: str) -> str:
    """A body part: as it is, or quoted-printable where it is not ASCII or a line is too long."""
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
        # The plus as it is: big lists write it so, and not every program decodes what stands here.
        yield "List-Unsubscribe", f"<mailto:{letter.unsubscribe}?subject=unsubscribe>"
    yield "Auto-Submitted", "auto-replied" if letter.answers else "auto-generated"
    # Outlook and Exchange know only this one.
    yield "X-Auto-Response-Suppress", "OOF, AutoReply"


def _field(name: str, value: str) -> str:
    """A header field, folded at spaces (RFC 5322 section 2.2.3); no value can begin another one."""
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
    """Text as it is, or encoded where it is not ASCII or looks as if it were encoded (RFC 2047)."""
    return text if text.isascii() and "=?" not in text else _encoded(one_line(text))


def _encoded(line: str) -> str:
    return Header(line, "utf-8", LONGEST_ENCODED).encode(linesep="")


def one_line(text: str) -> str:
    """Text fit for a header: a name or subject can never start a header of its own."""
    if not text.isprintable():
        text = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(text.split())


_STYLE = "font-family:monospace;font-size:14px;line-height:1.25"


def to_html(text: str) -> str:
    """The same mail in HTML: prose in paragraphs, whatever is laid out by columns in `<pre>`."""
    blocks = map(_block, html.escape(text.strip("\n"), quote=False).split("\n\n"))
    return f"<!DOCTYPE html>\n<html><body>\n{''.join(blocks)}</body></html>\n"


_COLUMNS = re.compile("^ |  ", re.MULTILINE)


def _block(block: str) -> str:
    if _COLUMNS.search(block):
        return f'<pre style="{_STYLE}">\n{block}\n</pre>\n'
    return "<p>" + block.replace("\n", "<br>\n") + "</p>\n"


def match_subject(club: str, match_id: int, title: str, players: Sequence[str]) -> str:
    """Subject of every mail of a match; it never changes and holds no secret."""
    return f"[{club} {match_id}] {title}: {', '.join(players)}"


def offer_subject(club: str, number: int, title: str) -> str:
    """Subject of every mail of an offer; it must not be taken for that of a match."""
    return f"[{club} offer-{number}] {title}"


def references(thread: Sequence[str], answered: str = "") -> tuple[str, ...]:
    """Message-IDs for References: the thread's first mail, and the one that is answered, last.

    Every mail stands beside the others below the first one, or below what it answers: clients draw
    no staircase. A thread's first mail refers to nothing but what it answers.
    """
    return tuple(dict.fromkeys(each for each in (*thread[:1], answered) if each))


def from_name(club: str, wants: str = "") -> str:
    """Name in From: what a mail wants, which a narrow list of mails cuts off last, and the club."""
    if not wants:
        return club
    return f"{wants} {club}" if wants.endswith(("?", "!", ".")) else f"{wants}, {club}"


_NO_LABEL = re.compile(r"[^a-z0-9]+")


def match_list(club: str, match_id: int, address: str) -> str:
    """List-Id of all mails of a match, by which filters sort them (RFC 2919).

    Its name space is a domain below the club's host that no other club there has.
    """
    local, _, host = address.lower().rpartition("@")
    list_id = f"<match-{match_id}.{_NO_LABEL.sub('-', local).strip('-') or 'club'}.{host}>"
    name = f"{club} match {match_id}"
    return f'"{name}" {list_id}' if name.isascii() and not set(name) & set('"\\') else list_id


PICTURE_WIDTH = 1120
"""Pixels: twice as many as it is shown by, for screens with small ones."""


def content_id(svg: str) -> str:
    """What the HTML calls a picture by, `cid:` before it (RFC 2392); of the picture alone."""
    return f"{hashlib.sha256(svg.encode()).hexdigest()[:24]}@board.pbem"


def picture_part(svg: str) -> str:
    """The part of an email that holds a picture, as PNG."""
    from pbem.painters.svg import png  # imports what draws: only emails that go need it

    data = base64.encodebytes(png(svg, PICTURE_WIDTH)).decode("ascii").replace("\n", "\r\n")
    return (
        "Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n"
        f"Content-ID: <{content_id(svg)}>\r\n"
        f'Content-Disposition: inline; filename="board.png"\r\n\r\n{data}'
    )
