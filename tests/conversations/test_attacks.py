"""What somebody tried who wanted harm, and what came of it."""

from __future__ import annotations

import pytest

from pbem.service import process_incoming
from pbem.service.ports import InboundState
from tests.conversations.house import House, Person, Received


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


def test_whoever_finds_a_mail_that_is_set_aside_does_not_fill_the_directors_mailbox(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_incoming, "judge", _broken)
    eve = house.stranger("eve@evil.example")
    for number in range(25):
        eve.sends(f"From: eve@evil.example\r\nMessage-ID: <{number}@x>\r\n\r\nhi\r\n".encode())
    house.works()
    reports = house.director.receives()
    assert len(house.inbound(InboundState.SHUNTED)) == 25
    assert len(reports) == process_incoming.MOST_SHUNTS_TOLD
    assert ["shunt list" in report.text for report in reports] == [False] * 9 + [True]
    house.clock.advance(days=1, minutes=1)
    eve.sends(b"From: eve@evil.example\r\nMessage-ID: <again@x>\r\n\r\nhi\r\n")
    house.works()
    assert len(house.director.receives()) == 1, "the next day it is told again"
