"""`pbem mail explain`: explains an email to the operator without changing anything."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

import pytest

from pbem.inbox.explain import explain
from tests.conversations.house import HOST, House, Person

pytestmark = pytest.mark.parametrize("house", ("sqlite",), indirect=True)


@pytest.fixture
def anna(house: House) -> Person:
    """Anna, to move in S in match 1 against Bert."""
    anna = house.player("Anna")
    house.match("lanko-68", anna, house.player("Bert"))
    anna.receives()
    return anna


def told(house: House, text: str, to: str = f"club@{HOST}", **fields: str) -> dict[str, Any]:
    """Return the explanation of an email that is not sent."""
    headers = {"From": "Anna <anna@mail.example>", "To": to, **fields}
    lines = "".join(f"{name.replace('_', '-')}: {value}\n" for name, value in headers.items())
    raw = f"{lines}Message-ID: <x@mail.example>\n\n{text}\n"
    before = stored(house)
    shown = explain(house.club, raw.encode())
    assert stored(house) == before
    json.dumps(shown)
    return shown


def stored(house: House) -> list[str]:
    """Return everything in the database."""
    with sqlite3.connect(house.home / "pbem.sqlite") as connection:
        return list(connection.iterdump())


def test_explains_a_move_that_would_count(house: House, anna: Person) -> None:
    quote = "> [1-2]"
    shown = told(house, f"[41-36]\n\nWell met!\n\n{quote}", anna.latest.reply_to)
    assert shown["screening"] == {"verdict": "answer", "reason": ""}
    assert shown["kind"] == "answer"
    assert shown["sender"]["claimed"] == "anna@mail.example"
    assert (shown["sender"]["player"], shown["sender"]["proven_by"]) == ("Anna", "token")
    assert shown["sender"]["turn"] == 1
    assert (shown["match"]["id"], shown["match"]["turn"], shown["match"]["to_act"]) == (1, 1, "S")
    assert shown["fresh"].split() == ["[41-36]", "Well", "met!"]
    assert shown["quoted"] == quote
    assert (shown["commands"], shown["played"]) == (["41-36"], ["[41-36]"])
    assert shown["note"] == ["Well met!"]
    assert (shown["fate"], shown["refusal"]) == ("done", None)


def test_explains_why_a_move_would_be_refused(house: House, anna: Person) -> None:
    shown = told(house, "[41-20]", anna.latest.reply_to)
    assert (shown["fate"], shown["commands"], shown["played"]) == ("refused", ["41-20"], [])
    assert shown["refusal"]["name"] == "illegal_action"
    assert shown["refusal"]["reason"]


def test_explains_that_an_unproven_change_would_wait(house: House, anna: Person) -> None:
    shown = told(house, "resign", Subject="Re: [pbem 1] Lanko-68")
    assert (shown["fate"], shown["sender"]["proven"]) == ("parked", False)
    assert (shown["match"]["id"], shown["commands"]) == (1, ["resign"])


def test_explains_a_known_email_again_and_shows_its_result(house: House, anna: Person) -> None:
    mail = anna.says("[41-36]", quoting=False)
    house.works()
    shown = explain(house.club, mail.as_bytes())
    [recorded] = shown["recorded"]
    assert (recorded["id"], recorded["state"]) == (1, "done")
    assert shown["refusal"]["name"] == "not_your_turn"


def test_explains_a_robot_and_a_stranger(house: House, anna: Person) -> None:
    robot = told(house, "I am away", anna.latest.reply_to, Auto_Submitted="auto-replied")
    assert (robot["kind"], robot["fate"], robot["absence"]) == ("auto-reply", "ignored", True)
    assert "Auto-Submitted" in robot["screening"]["reason"]
    stranger = told(house, "hello", From="x@mail.example")
    assert (stranger["sender"]["player"], stranger["fate"]) == (None, "stranger")
