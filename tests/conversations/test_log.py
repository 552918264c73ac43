"""The log of a day: senders, results and outgoing emails, but none of the text people wrote."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from io import StringIO

import pytest
import structlog

from pbem.cli.logs import log_to_stderr
from tests.conversations.house import House


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Iterator[StringIO]:
    """The lines of the log."""
    stream = StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    log_to_stderr()
    yield stream
    structlog.reset_defaults()


def told(log: StringIO, event: str) -> list[str]:
    """Return the lines of an event, without time and level."""
    return [line.partition("] ")[2] for line in log.getvalue().splitlines() if event in line]


def test_log_describes_a_whole_day(house: House, log: StringIO) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.post.add("eve@mail.example")
    house.match("lanko-68", anna, bert)
    house.works()
    anna.receives()
    house.works()
    moves = ["[41-36]\n\nA secret plan", "[41-36]", "help\nshow", "What a day!"]
    for text in moves:
        anna.says(text, subject="Private subject")
    anna.says("I am away", headers=[("Auto-Submitted", "auto-replied")], subject="Away: Korfu")
    anna.says("[1-2]", sender="Eve <eve@mail.example>")
    house.works()
    read = [re.sub(r"^mail read mail=\d+ ", "", line) for line in told(log, "mail read")]
    annas = "sender=anna@mail.example match=1"
    assert read == [
        f"{annas} fate=done reason='1 action'",
        f"{annas} fate=refused reason='not your turn'",
        f"{annas} fate=done reason='help, show'",
        f"{annas} fate=refused reason='no command'",
        "sender=anna@mail.example fate=ignored reason='automatic, it says Auto-Submitted'",
        "sender=eve@mail.example fate=stranger reason='no player has this address'",
    ]
    sent = [re.sub(r"outbox=\d+", "outbox=N", line) for line in told(log, "mail sent")]
    assert sent[:2] == [
        "mail sent outbox=N to=anna@mail.example match=1 kind=turn",
        "mail sent outbox=N to=bert@mail.example match=1 kind=position",
    ]
    assert "mail sent outbox=N to=bert@mail.example match=1 kind=turn" in sent
    assert "mail sent outbox=N to=eve@mail.example kind=unknown_sender" in sent
    for words in ("secret", "Private", "Korfu", "41-36", "What a day", "club+"):
        assert words not in log.getvalue()
