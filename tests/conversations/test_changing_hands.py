"""Seats that change hands: to a partner, to a bot meanwhile, to a substitute."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from pbem.matches.history import Kind
from pbem.matches.match import Match, MatchSummary
from pbem.service.hands.change import hand_to_bot, partner_of, take_over
from pbem.service.work import Work, writing
from tests.conversations.house import ON_BOTH, House, Person
from tests.conversations.test_directing import legal, plays, record

pytestmark = ON_BOTH


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


@pytest.fixture
def clara(house: House) -> Person:
    return house.player("Clara")


def changes(house: House, change: Callable[[Work, MatchSummary], Match]) -> None:
    """What was agreed for the match happens in it."""
    with writing(house.club) as work:
        change(work, work.matches.lock(1))
    house.works()


def partner_goes_on(house: House, person: Person) -> None:
    def change(work: Work, match: MatchSummary) -> Match:
        assert person.player is not None
        partner = partner_of(work, match, person.player)
        assert partner is not None
        return take_over(work, match, partner, person.player, work.now)

    changes(house, change)


def bot_goes_on(house: House, person: Person) -> None:
    def change(work: Work, match: MatchSummary) -> Match:
        assert person.player is not None
        return hand_to_bot(work, match, person.player, work.now)

    changes(house, change)


def told(person: Person) -> str:
    """All that somebody has been mailed since the last look, in one line."""
    return " ".join(" ".join(each.text for each in person.receives()).split())


def test_a_partner_plays_both_seats_with_their_own_time(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    dora = house.player("Dora")
    house.match("lanko-68", anna, bert, clara, dora, time="bank=30 inc=1")
    anna.receives()
    house.passes(days=10)
    partner_goes_on(house, anna)
    assert list(house.names().values()) == ["Clara", "Bert", "Clara", "Dora"]
    turn = clara.receives()[-1]
    assert turn.kind == "your turn"
    assert "Clara plays on in the place of Anna." in turn.text
    assert "Clara plays on in your place" in told(anna)
    clock, now = house.state().clock, house.clock.now()
    assert clock.left(clara.player.id, now) > timedelta(days=29.9)  # the ten days were Anna's
    for person in (clara, bert, clara, dora):
        plays(house, person, legal(house))
    found = record(house)
    assert found.player_count == 4
    assert dict(found.players)["S"] == "Anna"
    assert not found.substitutes
    plays(house, clara, "resign")
    assert house.state().result.winners == ("W", "E")
    record(house)


def test_a_bot_plays_until_its_player_writes(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    anna.receives()
    bot_goes_on(house, anna)
    assert "bot-greedy plays for Anna until they write." in told(bert)
    assert "so bot-greedy plays for you now" in told(anna)
    assert len(house.moves()) == 1
    plays(house, bert, legal(house))
    assert len(house.moves()) == 3
    anna.says("Sorry, I was ill.")
    house.works()
    assert list(house.names().values()) == ["Anna", "Bert", "Anna", "Bert"]
    assert "Anna is back, and plays on in the place of bot-greedy." in told(bert)
    plays(house, bert, legal(house))
    plays(house, anna, legal(house))
    kinds = [entry.kind for entry in record(house).entries]
    assert kinds.count(Kind.KEPT) == kinds.count(Kind.GIVEN_BACK) == 1
