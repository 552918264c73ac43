"""Text from players reaches others as plain text: none of it steers, hides, reorders or runs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.service.work import writing
from tests.conversations.house import House, Person
from tests.mail.promises import assert_harmless

NASTY = "\x1b[2J\x9b31m\u202e\u2066\u200b\x07\x00bell"
SCRIPT = "</pre><script>alert(1)</script> & {{ club.signer }} {% raw %}"


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


def test_note_reaches_the_other_player_as_plain_text(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    anna.receives()
    bert.receives()
    anna.says(f"[41-36]\n\nLook {NASTY} here\n{SCRIPT}")
    house.works()
    [mail] = bert.receives()

    assert_harmless(mail.text, lines=True)
    assert "| Look [2J31mbell here" in mail.text
    assert f"| {SCRIPT}" in mail.text.replace("\n| raw", " raw")
    assert_harmless(mail.html.replace("\r", ""), lines=True)
    assert "&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; {{ club.signer }}" in mail.html
    assert "<script" not in mail.html


def test_refusal_repeats_only_plain_text(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    anna.receives()
    anna.says(f"[41-{NASTY}{SCRIPT}]")
    house.works()
    [mail] = anna.receives()

    assert_harmless(mail.text, lines=True)
    assert "<script" not in mail.html


def test_name_is_text_in_every_part(house: House, bert: Person) -> None:
    eve = house.player("Eve")
    assert eve.player is not None
    with writing(house.club) as work:
        named = "Zoë <i>{{ 7 * 7 }}</i>\u202e\x1b[1m"
        zoe = work.players.add(named, [eve.address.replace("eve", "zoe")], "UTC")
    house.match("lanko-68", replace(eve, player=zoe), bert)
    [mail] = bert.receives()

    assert_harmless(mail.text, lines=True)
    assert_harmless(mail.html.replace("\r", ""), lines=True)
    assert_harmless(str(mail.message["Subject"]))
    assert "Zoë <i>{{ 7 * 7 }}</i>[1m" in mail.text
    assert "<i>" not in mail.html


def test_subject_is_repeated_on_one_harmless_line(house: House) -> None:
    eve = house.player("Eve")
    subject = "=?utf-8?q?hello=0D=0ABcc:_anna=40mail.example=1B[2J=E2=80=AE?=" + "\r\n long" * 500
    eve.sends(f"From: eve@mail.example\r\nSubject: {subject}\r\n\r\noffers\r\n".encode())
    house.works()
    [answer] = eve.receives()

    told = str(answer.message["Subject"])
    assert told.startswith("Re: hello Bcc: anna@mail.example[2J long")
    assert_harmless(told)
    assert len(told) < 300
    assert answer.message["Bcc"] is None


def test_answer_lines_never_exceed_the_limit(house: House) -> None:
    eve = house.stranger("eve@evil.example")
    name = "\r\n ".join(["<", *["i" * 500] * 10, "@evil.example>"])
    eve.sends(f"From: eve@evil.example\r\nMessage-ID: {name}\r\n\r\nhi\r\n".encode())
    house.works()
    [answer] = eve.receives()

    assert all(len(line) <= 998 for line in answer.message.as_bytes().splitlines())


def test_proof_is_not_passed_on_with_a_note(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    [mail] = anna.receives()
    address = mail.reply_to.partition("@")[0]
    token, name = address.partition("+")[2], mail.message["Message-ID"]
    bounces = "club+b-0123456789abcdef0123@games.example"
    local = bounces.partition("@")[0]
    anna.says(f"[41-36]\n\nI wonder about {address}, or {token.upper()}, {local}, and {name[1:30]}")
    house.works()
    [told] = bert.receives()[1:]

    assert "| I wonder about club+…, or …," in told.text
    assert token[-16:] not in (told.text + told.html).lower()
    assert "b-0123456789abcdef0123" not in told.text + told.html
