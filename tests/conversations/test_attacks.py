"""Attempts to cause harm, and their results."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.inbox import process
from pbem.inbox.process import MOST_SHUNTS_TOLD
from pbem.ports.inbound import InboundState
from pbem.service.club import Policy
from pbem.service.work import writing
from tests.conversations.house import HOST, House, Person, Received


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def turn(house: House, anna: Person) -> Received:
    house.match("lanko-68", anna, house.player("Bert"))
    [turn] = anna.receives()
    return turn


def _broken(*_: object) -> None:
    raise ValueError


def test_emails_that_are_set_aside_do_not_flood_the_director(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "judge", _broken)
    eve = house.stranger("eve@evil.example")
    for number in range(25):
        eve.sends(f"From: eve@evil.example\r\nMessage-ID: <{number}@x>\r\n\r\nhi\r\n".encode())
    house.works()
    reports = house.director.receives()
    assert len(house.inbound(InboundState.SHUNTED)) == 25
    assert len(reports) == MOST_SHUNTS_TOLD
    assert ["shunt list" in report.text for report in reports] == [False] * 9 + [True]
    house.clock.advance(days=1, minutes=1)
    eve.sends(b"From: eve@evil.example\r\nMessage-ID: <again@x>\r\n\r\nhi\r\n")
    house.works()
    assert len(house.director.receives()) == 1, "the next day it is reported again"


@pytest.mark.parametrize("policy", (Policy(mails_an_hour=5, match_mails_an_hour=9),))
def test_emails_in_a_bots_name_are_limited_too(house: House, policy: Policy) -> None:
    house.club = replace(house.club, policy=policy)
    [bot] = house.bots("random")
    house.match("lanko-68", house.player("Anna"), bot)
    eve = house.stranger("eve@evil.example")
    for number in range(8):
        head = f"From: {bot.address}\r\nSubject: [pbem 1]\r\nMessage-ID: <{number}@evil.example>"
        eve.sends(f"{head}\r\n\r\nhelp\r\n".encode())
    house.works()
    assert len(house.inbound(InboundState.KEPT)) == 3


MOVE = "[41-36]"
GREETING = "Dear Bert, what a long game this will be, I fear."


def test_confirmation_without_quoted_question_does_what_was_shown(
    house: House, anna: Person, turn: Received
) -> None:
    """A confirmation that names no email is compared with all emails except its question."""
    text = f"{GREETING}\n\n{MOVE}"
    anna.says(text, recipient=f"club@{HOST}", references=False, quoting=False, subject="[pbem 1]")
    house.works()
    [question] = anna.receives()
    anna.says("confirm", to=question)
    house.works()
    assert house.moves() == [MOVE]


def test_unclear_email_is_confirmed_without_treating_question_as_quote(
    house: House, anna: Person, turn: Received
) -> None:
    quoted = "\n".join(f"> {line}" for line in turn.text.split("\n"))
    text = f"{quoted}\n\n{GREETING}\n\nresign"
    anna.says(text, to=turn, references=False, quoting=False)
    house.works()
    [question] = anna.receives()
    assert question.kind == "is this what you want?"
    anna.says("confirm", to=question)
    house.works()
    assert house.state().result is not None


def test_email_parked_by_older_version_can_be_confirmed(
    house: House, anna: Person, turn: Received
) -> None:
    anna.says(MOVE, recipient=f"club@{HOST}", references=False, quoting=False)
    house.works()
    [question] = anna.receives()
    with writing(house.club) as work:
        [asked] = work.questions.waiting(1, house.clock.now())
        work.questions.settle(asked.id)
        work.questions.ask(replace(asked, data={"text": ""}))
    anna.says("confirm", to=question)
    house.works()
    assert house.moves() == [MOVE]


@pytest.mark.parametrize(
    "note", ("a\n" * 999, "x" * 19_990), ids=("of as many lines as may be", "of one word")
)
def test_longest_note_can_still_be_quoted(
    house: House, anna: Person, turn: Received, note: str
) -> None:
    anna.says(f"{MOVE}\n{note}", to=turn, quoting=False)
    house.works()
    bert = Person("Bert", "bert@mail.example", house.post)
    bert.says("show", to=bert.receives()[-1])
    house.works()
    assert "couldn't read all of your email" not in " ".join(bert.receives()[-1].text.split())
