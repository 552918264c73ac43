"""Mutations: emails of the corpus as no client would send them."""

from __future__ import annotations

import base64
import quopri
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from tests.mail.corpus import CASES, DATA

Mutation = Callable[[Random, bytes], bytes]

ODD = (
    *(b"\0", b"\r", b"\n", b"\r\n", b"\x1b[2J", b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\x85"),
    *("\u202e".encode(), "\u2066".encode(), "\u200b".encode(), "\ufeff".encode(), b"\xf0\x9f\x91"),
    *(b"=", b"=3D", b"=\n", b"=?utf-8?q?=E2=80=AE?=", b"=?utf-8?b?", b"?=", b"=?x?z?y?="),
    *(b"--", b"-- \n", b"> ", b">", b"|", b'"', b"<", b"</div>", b"<blockquote>", b"<!--"),
    *(b"begin 644 a\n", b"\nend\n", b"-----BEGIN PGP SIGNED MESSAGE-----\n", b"<<", b"&#x202e;"),
    *(b";", b":", b",", b"(", b")", b"\\", b"[", b"]", b"[8-B]", b"resign\n", b"&#57344;"),
)
FIELDS = (
    *(b"Auto-Submitted: auto-replied", b"Precedence: bulk", b"Return-Path: <>", b"List-Id: <x.y>"),
    *(b"From: eve@mail.example", b"From: a@b.example, c@d.example", b"Subject: \xe2\x80\xaeabc"),
    *(b"Message-ID: <a@b>", b"MIME-Version: 1.0", b"References: <" + b"x" * 300 + b"@y>"),
    *(b"Content-Type: text/html", b"Content-Type: text/plain; charset=utf-7; format=flowed"),
    *(b"Content-Type: multipart/alternative; boundary=b", b"Content-Type: text/enriched"),
    *(b"Content-Type: multipart/report; report-type=delivery-status; boundary=b",),
    *(b"Content-Type: message/rfc822", b"Content-Type: text/plain; name=a.txt"),
    *(b"Content-Transfer-Encoding: base64", b"Content-Transfer-Encoding: quoted-printable"),
    *(b"Content-Disposition: attachment; filename*0*=utf-8''a; filename*1=b", b"X: " + b"y" * 999),
)
CHARSETS = (
    *(b"utf-8", b"us-ascii", b"iso-8859-1", b"iso-8859-2", b"windows-1250", b"koi8-r", b"utf-16"),
    *(b"utf-7", b"gb18030", b"shift_jis", b"iso-2022-jp", b"hz", b"big5", b"x-unknown", b"idna"),
)


def corpus() -> list[bytes]:
    """Return every email of the corpus."""
    return [case.raw for case in CASES]


def findings() -> list[Path]:
    """Return the emails that once broke something."""
    return sorted((DATA / "fuzz").glob("*.eml"))


def mutated(chance: Random, mails: Sequence[bytes]) -> bytes:
    """Mutate one email, or two joined together, a few times."""
    raw = chance.choice(mails)
    if chance.random() < 0.2:
        raw = _spliced(chance, raw, chance.choice(mails))
    for _ in range(chance.randint(1, 6)):
        raw = chance.choice(MUTATIONS)(chance, raw)
    return raw


def _place(chance: Random, raw: bytes) -> int:
    return chance.randint(0, len(raw))


def _spliced(chance: Random, one: bytes, other: bytes) -> bytes:
    return one[: _place(chance, one)] + other[_place(chance, other) :]


def _flipped(chance: Random, raw: bytes) -> bytes:
    if not raw:
        return raw
    at = chance.randrange(len(raw))
    return raw[:at] + bytes([chance.randrange(256)]) + raw[at + 1 :]


def _with_something_odd(chance: Random, raw: bytes) -> bytes:
    at = _place(chance, raw)
    return raw[:at] + chance.choice(ODD) * chance.choice((1, 1, 1, 2, 50)) + raw[at:]


def _without_a_piece(chance: Random, raw: bytes) -> bytes:
    at = _place(chance, raw)
    return raw[:at] + raw[at + chance.randint(0, 200) :]


def _cut_off(chance: Random, raw: bytes) -> bytes:
    return raw[: _place(chance, raw)]


def _lines(change: Callable[[Random, list[bytes]], None]) -> Mutation:
    def mutation(chance: Random, raw: bytes) -> bytes:
        lines = raw.split(b"\n")
        change(chance, lines)
        return b"\n".join(lines)

    return mutation


def _drop(chance: Random, lines: list[bytes]) -> None:
    del lines[chance.randrange(len(lines))]


def _double(chance: Random, lines: list[bytes]) -> None:
    at = chance.randrange(len(lines))
    lines[at:at] = [lines[at]] * chance.choice((1, 1, 3, 200))


def _swap(chance: Random, lines: list[bytes]) -> None:
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]


def _quote(chance: Random, lines: list[bytes]) -> None:
    at = chance.randrange(len(lines))
    lines[at : at + 5] = [b"> " + line for line in lines[at : at + 5]]


def _with_a_field(chance: Random, raw: bytes) -> bytes:
    head, blank, body = raw.partition(b"\n\n")
    lines = head.split(b"\n")
    lines.insert(chance.randint(0, len(lines)), chance.choice(FIELDS))
    return b"\n".join(lines) + blank + body


def _without_a_field(chance: Random, raw: bytes) -> bytes:
    head, blank, body = raw.partition(b"\n\n")
    lines = head.split(b"\n")
    del lines[chance.randrange(len(lines))]
    return b"\n".join(lines) + blank + body


def _with_another_charset(chance: Random, raw: bytes) -> bytes:
    charset = chance.choice(CHARSETS)
    return re.sub(rb"charset=\"?[\w-]+\"?", b"charset=" + charset, raw, count=1)


def _with_other_bytes(chance: Random, raw: bytes) -> bytes:
    charset = chance.choice(("utf-16", "utf-7", "cp1250", "cp037", "iso2022_jp"))
    head, blank, body = raw.partition(b"\n\n")
    return head + blank + body.decode("utf-8", "replace").encode(charset, "replace")


def _encoded_again(chance: Random, raw: bytes) -> bytes:
    head, blank, body = raw.partition(b"\n\n")
    encoded = chance.choice((base64.encodebytes, quopri.encodestring))(body)
    return head + blank + encoded


def _with_crlf(_: Random, raw: bytes) -> bytes:
    return raw.replace(b"\n", b"\r\n")


def _inside_a_part(chance: Random, raw: bytes) -> bytes:
    kind = chance.choice((b"mixed", b"alternative", b"related", b"signed", b"digest", b"report"))
    inner = chance.choice((raw, b"Content-Type: message/rfc822\n\n" + raw))
    head = raw.partition(b"\n\n")[0]
    boundary = b"x%d" % chance.randrange(10)
    opening = (
        b"\nContent-Type: multipart/" + kind + b"; boundary=" + boundary + b"\n\n--" + boundary
    )
    return head + opening + b"\n" + inner + b"\n--" + boundary + b"--\n"


MUTATIONS: tuple[Mutation, ...] = (
    *(_flipped, _with_something_odd, _without_a_piece, _cut_off, _with_crlf, _inside_a_part),
    *(_with_a_field, _without_a_field, _with_another_charset, _with_other_bytes, _encoded_again),
    *(_lines(_drop), _lines(_double), _lines(_swap), _lines(_quote), _with_something_odd),
)
