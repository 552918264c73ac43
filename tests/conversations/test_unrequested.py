"""Forged emails fill nobody's mailbox and silence nobody."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.inbox.poll import poll
from pbem.service.club import Joining
from tests.conversations.house import ON_BOTH, House, Person
from tests.conversations.test_joining import lets_in
from tests.conversations.test_signed import TRUSTED

SIGNED = f"{TRUSTED}; dkim=pass header.d=mail.example"


def forges(house: House, eve: Person, sender: str, text: str) -> None:
    eve.says(text, sender=sender, recipient=house.address, references=False)


def joins(person: Person, house: House, name: str) -> None:
    person.says(f"join {name}", recipient=house.address, references=False)


def new(person: Person) -> list[str]:
    return [mail.text for mail in person.receives()]


@ON_BOTH
def test_forged_emails_fill_no_mailbox_and_silence_nobody(house: House) -> None:
    eve = house.stranger("eve@evil.example")
    lets_in(house, Joining.OPEN)
    victim = house.stranger("victim@mail.example")
    for number in range(45):
        forges(house, eve, f"victim+{number}@mail.example", f"join Eve {number}")
    house.works()
    assert len(new(victim)) == 3
    joins(victim, house, "Vic")
    house.works()
    assert new(victim) == []
    house.skips(days=1 / 23)
    told = new(victim)
    assert len(told) == 3
    assert any("join Vic" in each for each in told)
    later = []
    for _ in range(60):
        house.skips(days=1 / 23)
        later += new(victim)
    assert len(later) <= 10, "forged emails are answered for at most a day"


@ON_BOTH
@pytest.mark.parametrize(
    "variant",
    (
        *("Victim@mail.example", "v.ictim@mail.example", "vic.tim+x@MAIL.example"),
        "victim@mail.example.",
    ),
)
def test_spellings_of_one_mailbox_share_a_limit(house: House, variant: str) -> None:
    eve, victim = house.stranger("eve@evil.example"), house.stranger("victim@mail.example")
    other = house.stranger(variant) if variant.casefold() != victim.address else victim
    for number in range(3):
        forges(house, eve, "victim@mail.example", f"join Eve {number}")
    forges(house, eve, variant, "join Eve")
    house.works()
    assert len(victim.receives()) + len(other.receives()) == 3


def test_signed_join_is_not_held_by_forged_ones(house: House) -> None:
    lets_in(house, Joining.OPEN)
    house.club = replace(house.club, policy=replace(house.club.policy, trusted_hosts=(TRUSTED,)))
    eve, victim = house.stranger("eve@evil.example"), house.stranger("victim@mail.example")
    for number in range(45):
        forges(house, eve, "victim@mail.example", f"join Eve {number}")
    house.works()
    assert len(victim.receives()) == 3
    headers = (("Authentication-Results", SIGNED),)
    victim.says("join Vic", recipient=house.address, references=False, headers=headers)
    house.works()
    assert "join Vic" in victim.receives()[0].text


@pytest.mark.thorough
def test_limit_for_strangers_counts_sent_answers(house: House) -> None:
    strangers = [house.stranger(f"s{number}@mail.example") for number in range(280)]
    for each in strangers:
        joins(each, house, "Sam")
    poll(house.club, house.mailbox)
    house.clock.advance(hours=9)  # the machine sleeps before it has read them
    house.works()
    assert sum(len(each.receives()) for each in strangers) == 30
    house.skips(days=1 / 20)
    assert sum(len(each.receives()) for each in strangers) == 30
    for _ in range(9):
        house.skips(days=1 / 20)
    assert all(len([*each.read, *each.receives()]) == 1 for each in strangers), (
        "each gets an answer"
    )


def test_member_is_asked_three_times_an_hour(house: House) -> None:
    """Emails in a member's name use one limit, whatever they ask for."""
    eve, anna = house.stranger("eve@evil.example"), house.player("Anna")
    for text in ("set zone CET", "help", "matches", "games", "settings", "members"):
        forges(house, eve, anna.address, text)
    house.works()
    assert len(anna.receives()) == 3
    house.skips(days=1 / 23)
    assert len(anna.receives()) == 2, "the first and the newest wait, and are answered"


def test_emails_in_a_members_name_are_reported_once_a_day(house: House) -> None:
    eve, anna = house.stranger("eve@evil.example"), house.player("Anna")
    for number in range(96):
        forges(house, eve, anna.address, f"show\n\n{number}")
        house.skips(days=1 / 24)
    reports = [mail.text for mail in house.director.receives()]
    assert 3 <= len(reports) <= 4
    assert all("I have answered 10 emails in Anna's name today" in each for each in reports)


def test_questions_to_an_address_share_its_limit(house: House) -> None:
    people = [house.player(name) for name in ("Anna", "Bert", "Carl", "Dora")]
    victim = house.stranger("victim@mail.example")
    variants = [house.stranger(f"victim+{person.name}@mail.example") for person in people]
    for person in people:
        house.match("lanko-68", *people[:2]) if not person.read else None
        person.says("set zone CET", recipient=house.address)
        house.works()
    for person, each in zip(people, variants, strict=True):
        person.receives()
        person.says("confirm")
        house.works()
        person.receives()
        person.says(f"address add {each.address}")
        house.works()
    asked = sum(len(each.receives()) for each in (victim, *variants))
    assert asked == 3
    assert "too many" in people[-1].receives()[-1].text.lower()


BURSTS = {
    "of one email from the same address": ["victim@mail.example"],
    "from the same address": ["victim@mail.example"] * 45,
    "from other spellings": [f"victim+{number}@mail.example" for number in range(45)],
}


@pytest.mark.parametrize("after", (False, True), ids=("before", "after"))
@pytest.mark.parametrize("burst", BURSTS)
def test_join_is_answered_despite_forged_emails_before_or_after(
    house: House, burst: str, after: bool
) -> None:
    lets_in(house, Joining.OPEN)
    eve, victim = house.stranger("eve@evil.example"), house.stranger("victim@mail.example")
    for number in range(3):
        forges(house, eve, f"victim+a{number}@mail.example", "join Eve")
    house.works()
    if after:
        joins(victim, house, "Vic")
        house.works()
    for number, address in enumerate(BURSTS[burst]):
        forges(house, eve, address, f"join Eve {number}")
        house.works()
    if not after:
        joins(victim, house, "Vic")
        house.works()
    told = []
    for _ in range(40):
        house.skips(days=1 / 20)
        told += new(victim)
    assert any("join Vic" in each for each in told)


def test_reply_to_an_answer_to_forged_emails_is_never_held(house: House) -> None:
    lets_in(house, Joining.OPEN)
    eve, victim = house.stranger("eve@evil.example"), house.stranger("victim@mail.example")
    for number in range(20):
        forges(house, eve, victim.address, f"join Eve {number}")
    house.works()
    question = victim.receives()[0]
    assert "Replies to my emails don't have to wait" in " ".join(question.text.split())
    victim.says("join Vic", to=question)
    house.works()
    victim.says("join Vic", to=victim.receives()[-1])
    house.works()
    assert "Welcome to pbem, Vic" in victim.receives()[-1].text


@pytest.mark.thorough
def test_signed_join_is_not_displaced_by_unsigned_ones(house: House) -> None:
    lets_in(house, Joining.OPEN)
    house.club = replace(house.club, policy=replace(house.club.policy, trusted_hosts=(TRUSTED,)))
    eve, victim = house.stranger("eve@evil.example"), house.stranger("victim@mail.example")
    signed = (("Authentication-Results", f"{TRUSTED}; dkim=pass header.d=evil.example"),)
    for number in range(30):
        sender = f"eve{number}@evil.example"
        eve.says(
            "join Eve", sender=sender, recipient=house.address, references=False, headers=signed
        )
    headers = (("Authentication-Results", SIGNED),)
    house.works()
    victim.says("join Vic", recipient=house.address, references=False, headers=headers)
    house.works()
    assert victim.receives() == []
    for number in range(760):
        forges(house, eve, f"x{number}@mail.example", "join Eve")
    house.works()
    house.skips(days=1 / 23)
    assert "join Vic" in victim.receives()[0].text
