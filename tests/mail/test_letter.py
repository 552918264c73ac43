"""Emails of the club as others read them, through the standard library's parser."""

from __future__ import annotations

import email.policy
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from email.header import decode_header, make_header
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import parseaddr

import pytest

from pbem.mail.outgoing.letter import Letter, content_id, to_bytes

AT = datetime(2026, 11, 21, 18, 40, tzinfo=UTC)
LETTER = Letter(
    message_id="<12-15-n-k3v7q2mzt4hwa6xd.81c2@games.example>",
    from_name="pbem, your turn",
    from_address="club+12-15-n-k3v7q2mzt4hwa6xd@games.example",
    to_name="Clara",
    to_address="clara@mail.example",
    subject="[pbem 12] Lanko-103: Anna, Bert, Clara",
    text="Clara, it is your turn.\n\n  a    b\n\nThe end.\n",
    written_at=AT,
)


def read(letter: Letter) -> EmailMessage:
    message = BytesParser(policy=email.policy.default).parsebytes(to_bytes(letter))
    assert isinstance(message, EmailMessage)
    assert not message.defects
    return message


def texts(message: EmailMessage) -> tuple[str, str]:
    plain, html = message.iter_parts()
    assert isinstance(plain, EmailMessage)
    assert isinstance(html, EmailMessage)
    assert not plain.defects
    assert not html.defects
    return plain.get_content().replace("\r\n", "\n"), html.get_content().replace("\r\n", "\n")


def shown(header: str) -> tuple[str, str]:
    """Return name and address.

    Uses the older half of `email`: the newer adds blanks to long names.
    """
    name, address = parseaddr(header)
    words = decode_header(name) if name.startswith("=?") else [(name, None)]
    return str(make_header(words)), address


def test_plain_email_has_exactly_these_bytes() -> None:
    raw = to_bytes(replace(LETTER, references=("<a@x>", "<b@x>"), answers=True))
    assert re.sub(rb"=_[0-9a-f]{32}", b"=_BOUNDARY", raw) == (
        b'From: "pbem, your turn" <club+12-15-n-k3v7q2mzt4hwa6xd@games.example>\r\n'
        b'To: "Clara" <clara@mail.example>\r\n'
        b"Reply-To: club+12-15-n-k3v7q2mzt4hwa6xd@games.example\r\n"
        b"Subject: [pbem 12] Lanko-103: Anna, Bert, Clara\r\n"
        b"Date: Sat, 21 Nov 2026 18:40:00 +0000\r\n"
        b"Message-ID: <12-15-n-k3v7q2mzt4hwa6xd.81c2@games.example>\r\n"
        b"In-Reply-To: <b@x>\r\n"
        b"References: <a@x> <b@x>\r\n"
        b"Auto-Submitted: auto-replied\r\n"
        b"X-Auto-Response-Suppress: OOF, AutoReply\r\n"
        b"MIME-Version: 1.0\r\n"
        b"Content-Type: multipart/alternative;\r\n"
        b' boundary="=_BOUNDARY"\r\n'
        b"\r\n"
        b"--=_BOUNDARY\r\n"
        b'Content-Type: text/plain; charset="us-ascii"\r\n'
        b"Content-Transfer-Encoding: 7bit\r\n"
        b"\r\n"
        b"Clara, it is your turn.\r\n\r\n  a    b\r\n\r\nThe end.\r\n"
        b"\r\n"
        b"--=_BOUNDARY\r\n"
        b'Content-Type: text/html; charset="us-ascii"\r\n'
        b"Content-Transfer-Encoding: 7bit\r\n"
        b"\r\n"
        b"<!DOCTYPE html>\r\n<html><body>\r\n<p>Clara, it is your turn.</p>\r\n"
        b'<pre style="font-family:monospace;font-size:14px;line-height:1.25">\r\n'
        b"  a    b\r\n</pre>\r\n<p>The end.</p>\r\n</body></html>\r\n"
        b"\r\n"
        b"--=_BOUNDARY--\r\n"
    )


@pytest.mark.parametrize(
    "name",
    (
        "Jörg Müller",
        "Łukasz Brzęczyszczykiewicz-Żółkiewski z Gęśślówki pod Śmigłem",
        'Anna "Ace" \\ Smith',
        "Smith, Anna (the elder) <x@y>",
        "=?utf-8?q?somebody_else?=",
        "陳大文",
    ),
)
def test_name_arrives_unchanged(name: str) -> None:
    raw = to_bytes(replace(LETTER, to_name=name, from_name=f"pbem, {name}"))
    message = BytesParser(policy=email.policy.compat32).parsebytes(raw)
    assert shown(message["To"]) == (name, "clara@mail.example")
    assert shown(message["From"]) == (f"pbem, {name}", LETTER.from_address)


@pytest.mark.parametrize(
    "subject",
    (
        "[pbem 12] Lanko-103: Anna, Jörg, Żaneta",
        "Re: " + "żółw " * 40,
        "Re: " + "turtle " * 30,
        "Re: =?utf-8?q?looks_encoded?=",
    ),
)
def test_subject_arrives_unchanged(subject: str) -> None:
    assert read(replace(LETTER, subject=subject))["Subject"] == subject.strip()


@pytest.mark.parametrize("end", ("\r\n", "\n", "\r", "\x0b", "\x85", "\u2028", "\0"))
def test_nothing_in_an_email_starts_a_header(end: str) -> None:
    evil = f"Anna{end}Bcc: victim@mail.example{end}{end}Hello"
    letter = replace(
        LETTER,
        from_name=evil,
        to_name=evil,
        subject=evil,
        references=(f"<a{end}Bcc: victim@mail.example@x>",),
    )
    message = read(letter)
    assert "Bcc" not in message
    assert texts(message)[0] == LETTER.text
    assert message["Subject"] == "Anna Bcc: victim@mail.example Hello"


def test_endless_subject_and_message_id_of_a_stranger_are_cut() -> None:
    letter = replace(LETTER, subject="x" * 70_000, references=("<a@x>", f"<{'y' * 70_000}@x>"))
    assert max(map(len, to_bytes(letter).split(b"\r\n"))) <= 998
    message = read(letter)
    assert message["References"] == "<a@x>"
    assert message["Message-ID"] == LETTER.message_id


@pytest.mark.parametrize(
    "text",
    (
        "Jörg écrit: Zażółć gęślą jaźń — “quoted” 🎲\n",
        ".\n..\nFrom me\n",
        "A very long word: " + "x" * 5000 + "\n",
        "Ein sehr langes Wort: " + "ü" * 5000 + "\n",
        "1 = 1 =3D <b>&amp;</b> \"'\n",
        "--=_3bb3c2cfd1f3a6b4d6ac7cbbb4c3bd6\n",
    ),
)
def test_text_arrives_unchanged_in_both_parts(text: str) -> None:
    raw = to_bytes(replace(LETTER, text=text))
    assert raw.isascii()
    assert max(map(len, raw.split(b"\r\n"))) <= 998
    assert b"\n" not in raw.replace(b"\r\n", b"")
    plain, html = texts(read(replace(LETTER, text=text)))
    assert plain == text
    shown = html.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    assert text.strip() in shown.replace("<br>\n", "\n")


def test_headers_stay_narrow() -> None:
    ids = [f"<12-{n}-n-k3v7q2mzt4hwa6xd.81c2@games.example>" for n in range(10)]
    letter = replace(LETTER, references=tuple(ids), subject="ä" * 200, to_name="Zażółć gęślą " * 8)
    raw = to_bytes(letter)
    head = raw.partition(b"\r\n\r\n")[0]
    assert max(map(len, head.split(b"\r\n"))) <= 78
    assert read(letter)["References"].split() == ids


def test_date_keeps_its_utc_offset() -> None:
    at = AT.astimezone(timezone(timedelta(hours=1)))
    assert read(replace(LETTER, written_at=at))["Date"] == "Sat, 21 Nov 2026 19:40:00 +0100"


def test_email_that_answers_nothing_has_no_references() -> None:
    message = read(replace(LETTER, to_name=""))
    assert message["To"] == "clara@mail.example"
    assert message["Auto-Submitted"] == "auto-generated"
    assert "In-Reply-To" not in message
    assert "References" not in message


def test_non_ascii_address_can_be_read() -> None:
    message = read(replace(LETTER, to_address="jörg@müller.example"))
    assert "jörg@müller.example" in str(message["To"])


DRAWN = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>'


def test_given_html_is_sent_unchanged() -> None:
    page = "<!DOCTYPE html>\n<p>Zażółć</p>\n"
    assert texts(read(replace(LETTER, html=page))) == (LETTER.text, page)


def test_picture_is_attached_and_found_by_its_content_id() -> None:
    page = f'<img src="cid:{content_id(DRAWN)}" alt="The board">\n'
    letter = replace(LETTER, html=page, picture=DRAWN)
    plain, related = read(letter).iter_parts()
    assert isinstance(related, EmailMessage)
    html, picture = related.iter_parts()
    assert isinstance(picture, EmailMessage)
    assert [part.get_content_type() for part in (plain, related, html, picture)] == [
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
    ]
    assert picture["Content-ID"] == f"<{content_id(DRAWN)}>"
    assert picture.get_content_disposition() == "inline"
    assert picture.get_content().startswith(b"\x89PNG")
    assert to_bytes(letter) == to_bytes(letter)


def test_email_has_reply_to_and_list_id() -> None:
    message = read(replace(LETTER, reply_to="club+1@games.example", list_id="pbem <12.games>"))
    assert message["Reply-To"] == "club+1@games.example"
    assert message["List-Id"] == "pbem <12.games>"
    assert "List-Id" not in read(LETTER)
