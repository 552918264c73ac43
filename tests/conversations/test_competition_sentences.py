"""What the club says about competitions: terms in words, refusals, and rare ends."""

from __future__ import annotations

import pytest

from pbem.matches.announcement import Phase
from tests.conversations.house import House, Person
from tests.conversations.test_challenges import asks
from tests.conversations.test_competitions import (
    announced,
    closes,
    competition,
    directing,
    enter,
    people,
    phase,
)
from tests.conversations.test_directors_mail import plain

TWO, THREE = "lanrick-1893", "lanko-68"


@pytest.fixture
def dora(house: House) -> Person:
    return directing(house)


def said_to(house: House, person: Person, command: str = "") -> str:
    """Return all new emails to somebody, perhaps after a command, on one line."""
    if command:
        person.receives()
        person.says(command, recipient=house.address)
    house.works()
    return " ".join(plain(each) for each in person.receives())


def test_terms_are_announced_in_words(house: House, dora: Person) -> None:
    for terms, sentences in {
        f"tournament {TWO} order=lots": (
            "everybody meets everybody once one round after another",
            "players are numbered by lot",
        ),
        f"tournament {TWO} double concurrent order=rating max=6": (
            "everybody meets everybody twice all matches start at once",
            "players are numbered by their rating in this game",
            "with 6 players, each of you plays 10 matches at once",
        ),
        f"swiss {TWO} rounds=1 min=2": ("1 round ", "at least 2 players"),
        f"knock-out {TWO} repeat=2w": (
            "one match in each tie",
            "once it is over, I announce the next one, with 2 weeks to enter",
        ),
        f"knock-out {TWO} best-of=3 extra=1 level=lots third-place": (
            "best of 3 matches",
            "at most 1 replay of a level tie",
            "if a tie stays level, lots decide",
            "the losers of the semi-finals play for third place",
        ),
        f"league {TWO} division=4 moves=2": (
            "divisions of 4 players",
            "2 players of each division move up, and 2 down",
        ),
        f"set-league {THREE}": ("as many rounds as suit the number of players",),
        f"team-match {TWO} teams=Reds,Blues double": (
            "Reds against Blues the teams are drawn by lot",
            "two matches on each board",
        ),
        f"team-match {TWO} teams=Reds,Blues as-entered": (
            "players 1, 3, 5 and so on play for the first team, the others for the second",
            "one match on each board",
        ),
        f"ladder {TWO} reach=1": (
            "challenge the player just above you",
            "until the director closes it",
        ),
        f"open-house {TWO} at-once=2 until=2027-03-01": (
            "2 matches at a time for each player",
            "until 2027-03-01",
        ),
    }.items():
        shown = announced(house, dora, terms)
        for sentence in ("This would be announced", *sentences):
            assert sentence in shown, (terms, sentence)
    refused = said_to(house, dora, f"competition new knock-out {TWO} enter-until=2020-01-31")
    assert "entry cannot end on 2020-01-31, which is in the past" in refused


def test_command_that_is_not_possible_is_explained(house: House, dora: Person) -> None:
    anna, bert, clara = people(house, "Anna", "Bert", "Clara")
    for kind in ("knock-out", "ladder", "tournament"):
        announced(house, dora, f"{kind} {TWO}")
    enter(house, 1, (anna, bert))
    enter(house, 2, (anna, bert))
    enter(house, 3, (anna,))
    assert "competition 1 is not repeated" in asks(house, clara, "enter 1 always")
    said_to(house, dora, "competition off 3")
    assert "The reason: the director has called it off." in said_to(house, anna)
    assert "1 player. Called off." in asks(house, anna, "competitions")
    closes(house)
    for person, command, sentence in (
        (clara, "enter 1", "competition 1 has started, and nobody can enter it any more"),
        (anna, "bye 1", "players of competition 1 cannot ask for byes"),
        (anna, "withdraw 2", "Withdraw from competition 2 (ladder, Lanrick (1893)) for good?"),
        (anna, "confirm", "You have withdrawn from competition 2"),
        (anna, "enter 2", "you have withdrawn from competition 2 and can't enter it again"),
        (bert, "ladder 2 anna", "There is nobody you can challenge at the moment"),
        (bert, "withdraw 2", "Withdraw from competition 2 (ladder, Lanrick (1893)) for good?"),
        (bert, "confirm", "You have withdrawn from competition 2"),
        (dora, "competition start 1", "competition 1 has started"),
        (dora, "competition close 1", "competition 1 ends on its own"),
    ):
        assert sentence in said_to(house, person, command), command
    said_to(house, dora, "competition close 2")
    assert "competition 2 is over: ladder, Lanrick (1893). Nobody won." in said_to(house, anna)
    assert "0 players. Nobody won." in asks(house, bert, "competitions")


def test_repeated_league_with_too_few_entrants_is_announced_once_again(
    house: House, dora: Person
) -> None:
    anna, bert = people(house, "Anna", "Bert")
    announced(house, dora, f"league {TWO} division=3 repeat=1w")
    asks(house, anna, "enter 1 always")
    assert "You enter each time it is repeated." in asks(house, anna, "competition 1")
    closes(house)
    assert phase(house) is Phase.CALLED_OFF
    said = said_to(house, anna)
    assert "competition 1 (league, Lanrick (1893)) does not take place." in said
    assert "The reason: only 1 member has entered, and it needs 3." in said
    assert "you have entered competition 2: league" in said
    assert "you can enter competition 2: league" in said_to(house, bert)
    assert anna.player is not None
    assert competition(house, 2).players == (anna.player.id,)
    house.skips(days=9)
    assert phase(house, 2) is Phase.CALLED_OFF
    said = said_to(house, anna)
    assert "and it needs 3. The previous one did not take place either, so I don't" in said
    assert "there is no competition 3" in asks(house, anna, "competition 3")
