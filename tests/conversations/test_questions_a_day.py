"""A member who asks a lot gets thirty answers a day, with a warning before they end."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.conversations.house import House
from tests.fakes.clock import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(datetime(2026, 11, 23, 20, tzinfo=UTC))


def test_last_answers_say_how_many_are_left(house: House) -> None:
    anna, bert = house.player("Anna", time_zone="Europe/Warsaw"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    anna.receives()
    for number in range(33):
        anna.says(f"show\n\n{number}", to=anna.read[0], quoting=False)
        house.works()
    answers = [" ".join(mail.text.split()) for mail in anna.receives()]
    assert len(answers) == 30
    assert not any("answers left" in each for each in answers[:27])
    assert "You have 2 answers left until 07:00 tomorrow, your time." in answers[27]
    assert "You have 1 answer left until 07:00 tomorrow, your time." in answers[28]
    assert "I answer 30 emails a day that change nothing, and this was the last" in answers[29]
    assert "emails in Anna's name" in house.director.receives()[0].text
    house.skips(days=9.9 / 24)  # 06:54 in Warsaw
    assert anna.receives() == []
    house.skips(days=0.2 / 24)
    [answer] = anna.receives()
    assert "| 30" in answer.text, "the first one left unanswered"
    anna.says("[41-36]", to=anna.read[0], quoting=False)
    anna.says("show", to=anna.read[0], quoting=False)
    house.works()
    assert house.moves() == ["[41-36]"]
    assert len(anna.receives()) == 2
