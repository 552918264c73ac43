"""News of competitions: what directors and players learn about them without asking."""

from __future__ import annotations

import random

import pytest

from pbem.service.direct.announcing import Recipients
from pbem.service.direct.decide import SHELL
from pbem.service.direct.replacing import replace_in
from pbem.service.members.forget import forget
from pbem.service.work import writing
from tests.conversations.house import House, Person
from tests.conversations.test_challenges import asks, told
from tests.conversations.test_competitions import (
    announced,
    closes,
    decides,
    directing,
    directs,
    enter,
    loses,
    people,
    withdraws,
)
from tests.conversations.test_directors_mail import plain, says


@pytest.fixture
def dora(house: House) -> Person:
    return directing(house)


def reports(person: Person, of: str) -> list[str]:
    """Return the new emails to a director with some words."""
    return [said for said in map(plain, person.receives()) if of in said]


def test_directors_learn_that_a_competition_started_automatically(
    house: House, dora: Person
) -> None:
    everybody = people(house, "Anna", "Bert", "Clara")
    announced(house, dora, "knock-out lanrick-1893 max=2")
    enter(house, 1, everybody)
    dora.receives()
    closes(house)
    [report] = reports(dora, "has started automatically")
    assert "Competition 1 (knock-out, Lanrick (1893))" in report
    assert "automatically: 2 players, 1 waiting." in report
    announced(house, dora, "tournament lanrick-1893")
    enter(house, 2, everybody)
    says(house, dora, "competition start 2")
    assert not reports(dora, "has started automatically"), "she started it herself"


def test_director_who_entered_learns_once_that_a_competition_is_off(
    house: House, dora: Person
) -> None:
    announced(house, dora, "tournament lanrick-1893")
    says(house, dora, "enter 1")
    dora.receives()
    house.director.receives()
    closes(house)
    assert len(reports(dora, "does not take place")) == 1
    [report] = reports(house.director, "does not take place")
    assert "The reason: only 1 member has entered, and it needs 3." in report


def test_directors_learn_that_a_player_withdrew_and_may_enter_another(
    house: House, dora: Person
) -> None:
    anna, bert, _, emil = everybody = people(house)
    announced(house, dora, "swiss lanrick-1893 rounds=2")
    enter(house, 1, everybody)
    asks(house, bert, "withdraw 1")
    assert not reports(dora, "Bert has withdrawn"), "it has not started"
    asks(house, bert, "enter 1")
    closes(house)
    dora.receives()
    assert "You have withdrawn from competition 1" in withdraws(house, anna)
    [report] = reports(dora, "Anna has withdrawn from competition 1")
    assert "They play their current matches to the end." in report
    assert "competition enter 1 NAME pbem" not in report
    assert "pbem competition enter 1 NAME" in report
    directs(house, dora, "competition withdraw 1 clara")
    assert not reports(dora, "has withdrawn"), "she did it herself"
    with writing(house.club) as work:
        assert emil.player is not None
        forget(work, emil.player)
    house.works()
    [report] = reports(dora, "has left the club")
    assert "They have been withdrawn from competition 1." in report


def test_directors_learn_once_that_a_player_loses_on_time(house: House, dora: Person) -> None:
    anna, bert = people(house, "Anna", "Bert")
    announced(house, dora, "knock-out lanrick-1893 best-of=3 days=2")
    enter(house, 1, (anna, bert))
    closes(house)
    dora.receives()
    house.passes(days=13)
    first, *others = reports(dora, "ran out of time and has lost match 1 of competition 1")
    assert not others
    name = "Anna" if "Anna ran" in first else "Bert"
    assert f"replace {name} NAME in knock-out 1 competition withdraw 1 {name} REASON" in first
    assert f"pbem replace {name} NAME in knock-out 1" in first
    assert f"pbem competition withdraw 1 {name} REASON" in first
    flags = [match for match in house.matches() if match.result]
    assert len(flags) > 2, "one of them has lost twice"
    later = reports(house.director, "ran out of time")
    assert len(later) == 2, "each of them is reported once"


def test_player_with_a_later_bye_gets_an_email_about_the_round(house: House, dora: Person) -> None:
    everybody = people(house, "Anna", "Bert", "Clara", "Emil", "Frida")
    announced(house, dora, "swiss lanrick-1893 rounds=2")
    enter(house, 1, everybody)
    closes(house)
    rng = random.Random(1)
    for _ in range(2):
        decides(house, rng)
    house.works()
    with_bye = [each for each in everybody if "and you have a bye" in told(each)]
    [rests] = with_bye
    assert "round 2 of competition 1 (Swiss tournament, Lanrick (1893)) has started" in told(rests)
    assert "The bye gives you a point." in told(rests)
    assert "You'll get an email when the competition is over." in told(rests)
    assert "You take part. You have a bye in this round." in asks(house, rests, "competition 1")


def test_competition_says_who_is_out_and_who_has_withdrawn(house: House, dora: Person) -> None:
    anna, _, clara, emil = everybody = people(house)
    announced(house, dora, "knock-out lanrick-1893")
    enter(house, 1, everybody)
    assert "Players: Anna, Bert, Clara and Emil." in asks(house, anna, "competition 1")
    closes(house)
    loses(house, emil)
    said = asks(house, emil, "competition 1")
    assert "You have been knocked out." in said
    assert "withdraw 1" not in said
    assert "You take part." in asks(house, anna, "competition 1")
    withdraws(house, clara)
    said = asks(house, clara, "competition 1")
    assert "You have withdrawn." in said
    assert "Seeds: 1 Anna, 2 Bert and 4 Emil. Withdrawn: 3 Clara." in said
    assert "you have withdrawn from competition 1" in asks(house, clara, "withdraw 1")


def test_competition_that_was_stopped_says_so_once(house: House, dora: Person) -> None:
    everybody = people(house, "Anna", "Bert", "Clara")
    announced(house, dora, "tournament lanrick-1893")
    enter(house, 1, everybody)
    closes(house)
    directs(house, dora, "competition off 1")
    assert asks(house, everybody[0], "competition 1").count("Called off.") == 1
    assert asks(house, everybody[0], "competition tournament 1").count("Called off.") == 1


def test_set_league_says_truly_what_a_withdrawal_means(house: House, dora: Person) -> None:
    everybody = people(house, "Anna", "Bert", "Clara", "Emil", "Frida", "Gustav")
    anna = everybody[0]
    shown = announced(house, dora, "set-league lanko-68 rounds=2 concurrent")
    assert "You play your current set to the end." in shown
    enter(house, 1, everybody)
    closes(house)
    said = withdraws(house, anna)
    assert "You play your current set to the end." in said
    directs(house, dora, "competition withdraw 1 bert Ill")
    assert "The other matches of your set still start, and you can play them." in told(everybody[1])
    rng = random.Random(1)
    for _ in range(5):
        decides(house, rng)
    house.works()
    said = asks(house, anna, "competition 1")
    row = next(line for line in anna.latest.text.splitlines() if line[4:].startswith("Anna"))
    assert row.split()[3] == "-", "she has no bye, as she is not there"
    assert "Any two players who play in every round meet" in said


def test_members_get_an_email_when_an_entry_changes_hands_between_matches(house: House) -> None:
    anna, bert, clara, dora = people(house, "Anna", "Bert", "Clara", "Dora")
    house.tournament("lanrick-1893", anna, bert, clara)
    idle = next(
        each
        for each in (anna, bert, clara)
        if each.player and not any(each.player.id in match.players for match in house.matches())
    )
    with writing(house.club) as work:
        replace_in(work, Recipients("tournament", 1), idle.name, "Dora", "Ill", SHELL)
    house.works()
    said = told(dora)
    assert f"you have taken over the entry of {idle.name} in tournament 1 (Lanrick (1893))." in said
    assert "The reason: Ill." in said
    assert "withdraw 1" not in said
    assert "Dora has taken over your entry in tournament 1 (Lanrick (1893))." in told(idle)


def test_help_on_the_first_word_explains_all_commands_that_begin_with_it(
    house: House, dora: Person
) -> None:
    said = plain(says(house, dora, "help competition"))
    assert "competition [KIND] COMPETITION" in said
    assert "competition new TERMS" in said
