"""A signature covers only the fields that its signer and the club read in the same way."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from email.utils import format_datetime
from typing import NamedTuple

import pytest

from pbem.mail.proof.authentication import ProofRule
from pbem.service.work import reading, writing
from tests.conversations.house import HOST, House, Person

TRUSTED = "mx.games.example"
GOOD = f"Authentication-Results: {TRUSTED}; dkim=pass header.d=mail.example"
CLUB = f"club@{HOST}"


class Table(NamedTuple):
    """Anna, to move in S, against Mallory, in a club that believes signed emails."""

    anna: Person
    mallory: Person


@pytest.fixture
def table(house: House) -> Table:
    table = Table(house.player("Anna"), house.player("Mallory"))
    house.match("lanko-68", *table)
    by_rule(house, ProofRule.DKIM)
    for person in table:
        assert len(person.receives()) == 1
    return table


def by_rule(house: House, rule: ProofRule) -> None:
    policy = replace(house.club.policy, proof=rule, trusted_hosts=(TRUSTED,))
    house.club = replace(house.club, policy=policy)


def date(house: House, minutes: float = 1) -> str:
    return f"Date: {format_datetime(house.clock.now() + timedelta(minutes=minutes))}"


def sends(house: House, table: Table, *fields: str, body: str = "draw?") -> None:
    """Send a signed email from Anna, whoever passes it on. The club works a minute later."""
    told = "\n".join(("From: Anna <anna@mail.example>", *fields))
    if "Subject:" not in told:
        told += "\nSubject: hello"
    house.clock.advance(minutes=2)
    table.mallory.sends(f"{GOOD}\n{told}\n\n{body}\n".replace("\n", "\r\n").encode())
    house.works()


def counts(house: House) -> bool:
    return bool(house.state().offers)


def test_signed_email_to_the_club_counts(house: House, table: Table) -> None:
    """Control case for all tests below."""
    sends(house, table, f"To: {CLUB}", date(house), "Cc: x@mail.example", "Reply-To: a@x.example")
    assert counts(house)


NOT_TO_THE_CLUB = (
    f'To: "{CLUB}" <mallory@mail.example>',
    f"To: {CLUB} <mallory@mail.example>, mallory",
    f"To: mallory@mail.example ({CLUB})",
    f"To: Mallory ({CLUB}) <mallory@mail.example>",
    "To: =?utf-8?q?club=40games=2Eexample?= <mallory@mail.example>",
    f'To: mallory@mail.example\nCc: "{CLUB}" <x@mail.example>',
    f"To: {CLUB}: mallory@mail.example;",
    f"To: <@{HOST}:mallory@mail.example>",
    f"To: {CLUB}.evil.example",
    f"To: mallory@mail.example\nX-Original-To: {CLUB}\nDelivered-To: {CLUB}",
    f"To: mallory@mail.example\nBcc: {CLUB}\nResent-To: {CLUB}",
    f"To: \u200b{CLUB}",
)


@pytest.mark.parametrize("to", NOT_TO_THE_CLUB, ids=ascii)
def test_private_email_cannot_be_passed_on(house: House, table: Table, to: str) -> None:
    sends(house, table, to, date(house))
    assert not counts(house)
    [asked] = table.anna.receives()
    assert asked.kind == "did you send this?"


TWICE = (
    *("From: Anna <anna@mail.example>", "Sender: x@mail.example", "Reply-To: x@mail.example"),
    *(f"To: {CLUB}", f"Cc: {CLUB}", f"Bcc: {CLUB}", "Message-ID: <a@b>", "In-Reply-To: <a@b>"),
    *("References: <a@b>", "Subject: hello", "Date: now", "MIME-Version: 1.0"),
    *("Content-Type: text/plain", "Content-Transfer-Encoding: 7bit"),
)


@pytest.mark.parametrize("field", TWICE)
@pytest.mark.parametrize("spelled", (str, str.upper))
def test_repeated_field_is_not_the_signed_one(
    house: House, table: Table, field: str, spelled: type[str]
) -> None:
    name, _, value = field.partition(": ")
    value = date(house).removeprefix("Date: ") if name == "Date" else value
    others = {"To": f"To: {CLUB}", "Date": date(house)}
    others.pop(name, None)
    twice = [] if name == "From" else [f"{name}: {value}"]
    sends(house, table, f"{spelled(name)}: {value}", *twice, *others.values())
    assert not counts(house)


def test_old_email_cannot_be_made_new(house: House, table: Table) -> None:
    old = date(house, -60 * 24)
    sends(house, table, date(house), f"To: {CLUB}", old)
    assert not counts(house)


def test_email_of_one_match_is_not_played_in_another(house: House, table: Table) -> None:
    house.match("lanko-68", *table)
    subject = "Subject: Re: [pbem {}] Lanko-68"
    sends(house, table, subject.format(2), f"To: {CLUB}", date(house), subject.format(1))
    assert (house.state(1).offers, house.state(2).offers) == ((), ())


UNREADABLE_DATES = (
    "Date:",
    "Date: ",
    "Date: today",
    "X-Date: x",
    "Date: 99 Nov 2026 12:00:00 +0000",
)


@pytest.mark.parametrize("written", UNREADABLE_DATES)
def test_email_without_a_valid_date_counts_as_old(house: House, table: Table, written: str) -> None:
    sends(house, table, written, f"To: {CLUB}")
    assert not counts(house)
    [answer] = table.anna.receives()
    assert "answered an older email" in answer.text


@pytest.mark.parametrize(("minutes", "good"), ((6, True), (10, False), (60 * 20, False)))
def test_senders_clock_may_be_slightly_ahead(
    house: House, table: Table, minutes: int, good: bool
) -> None:
    """The minutes count from two minutes before the club reads the email."""
    sends(house, table, date(house, minutes), f"To: {CLUB}")
    assert counts(house) is good


@pytest.mark.parametrize(
    "lines",
    (
        "no field at all\nFrom: x@mail.example",
        " \nX-Field: y",
        "X-Field: y\rTo: mallory@mail.example",
        "X-Field: y\0",
        "X-Field: y\n" * 1001,
    ),
    ids=("no field", "an empty continuation", "a bare CR", "NUL", "too many"),
)
def test_ambiguous_header_is_not_the_signed_one(house: House, table: Table, lines: str) -> None:
    sends(house, table, f"To: {CLUB}", date(house), lines)
    assert not counts(house)


ALL = "From:To:Cc:Subject:Date"
COVERED = "DKIM-Signature: v=1; a=rsa-sha256; d=mail.example; s=k; bh=x; b=y"
SIGNATURES = {
    f"{COVERED}; h={ALL}": True,
    f"{COVERED};\n h=from : to :\n cc: subject:date:cc:message-id": True,
    f"{COVERED}; h=From:Subject:Date:Cc": False,
    f"{COVERED}; h=From:To:Subject:Date": False,
    f"{COVERED}; h=From:To:Cc:Date": False,
    f"{COVERED}; h=From:To:Cc:Subject": False,
    f"{COVERED}; h={ALL}; l=10": False,
    f"{COVERED}; h={ALL}\n{COVERED}; h=From": False,
    f"{COVERED}; h={ALL}\n{COVERED.replace('d=mail', 'd=list')}; h=From; l=10": True,
}


@pytest.mark.parametrize("signature", SIGNATURES)
def test_unsigned_fields_are_not_trusted(house: House, table: Table, signature: str) -> None:
    sends(house, table, signature, f"To: {CLUB}", "Cc: x@mail.example", date(house))
    assert counts(house) is SIGNATURES[signature]


# By token and signature


@pytest.mark.parametrize(
    ("fields", "good"),
    (
        ("To: {token}", True),
        ("To: mallory@mail.example\nX-Original-To: {token}", False),
        ('To: "{token}" <mallory@mail.example>', False),
        ("To: club@games.example\nX-Original-To: {token}", False),
        ("To: {token}\nTo: club@games.example", False),
        ("To: {token}\nSubject: x\nSubject: y", False),
        ("To: {token}\nDate: Sat, 21 Nov 2099 12:00:00 +0000\nX-", False),
    ),
)
def test_leaked_token_does_not_make_a_private_email_count(
    house: House, table: Table, fields: str, good: bool
) -> None:
    by_rule(house, ProofRule.TOKEN_AND_DKIM)
    told = fields.format(token=table.anna.read[0].reply_to)
    written = () if "Date:" in told else (date(house),)
    sends(house, table, told.removesuffix("\nX-"), *written)
    assert counts(house) is good


def test_old_signed_confirm_does_not_confirm_a_forged_email(house: House, table: Table) -> None:
    """Mallory has seen a signed `confirm` of Anna's, and now offers a draw in her name."""
    seen = date(house, -60)
    unsigned = f"From: anna@mail.example\r\nTo: {CLUB}\r\nSubject: x\r\n\r\ndraw?\r\n"
    table.mallory.sends(unsigned.encode())
    house.works()
    sends(house, table, f"To: {CLUB}", seen, body="confirm")
    assert not counts(house)


def test_old_signed_email_does_not_revive_an_address(house: House, table: Table) -> None:
    with writing(house.club) as work:
        work.players.address_failed("anna@mail.example", house.clock.now(), "550 gone")
    sends(house, table, f"To: {CLUB}", date(house, -60), body="show")
    with reading(house.club) as work:
        anna = work.players.named("Anna")
    assert anna is not None
    assert not anna.reachable
