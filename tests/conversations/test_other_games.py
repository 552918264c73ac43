"""Lanrick and Lancelot by email: whole matches, several phases in an email, one of many resigns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from pbem.games.api import AnyGame
from pbem.service.records.verify import verify_all
from tests.conversations.house import House, Person


class Opponents:
    """Players who apply the rules as the club does, and hurry towards an end."""

    def __init__(self, house: House, *people: Person, seed: int = 1) -> None:
        self.house = house
        self.people = {person.player.id: person for person in people if person.player}
        self.chance = Random(seed)
        self.phases: Counter[str] = Counter()

    def play(self, turns: int = 2000) -> None:
        """Answer turn emails until the match has ended."""
        for _ in range(turns):
            match = self.house.state()
            if match.player_to_act is None:
                return
            person = self.people[match.player_to_act]
            person.receives()
            assert person.latest.kind == "your turn"
            person.says("\n".join(self._turn()), quoting=False)
            self.house.works()
            assert self.house.state().turn > match.turn or self.house.state().result
        pytest.fail("the match does not end")

    def _turn(self) -> Iterable[str]:
        """Return the actions of one seat's turn, one per line, without the closing `.`."""
        match, position = self.house.state(), self.house.position()
        game, seat, turn = match.game, match.to_act, match.turn
        while game.to_act(position) == seat and position.turn == turn:
            action = self._choice(game, position)
            text = game.format(position, action)
            self.phases[getattr(position, "phase", "play")] += 1
            if text == "ix":
                self.phases["ix"] += 1
            position = game.play(position, action)
            if text != ".":
                yield text
            elif game.to_act(position) == seat:
                return

    def _choice(self, game: AnyGame, position: Any) -> Any:
        """Take the interchange if possible, otherwise often an action that brings a man nearer."""
        actions = list(game.legal_actions(position))
        texts = [game.format(position, action) for action in actions]
        if "ix" in texts and self.chance.random() < 0.5:
            return actions[texts.index("ix")]
        rendezvous = game.squares(position).get("rendezvous") or []
        if rendezvous and self.chance.random() < 0.85:
            gains = [nearer(text, rendezvous) for text in texts]
            return self.chance.choice(
                [a for a, g in zip(actions, gains, strict=True) if g == max(gains)]
            )
        return self.chance.choice(actions)


def nearer(text: str, rendezvous: list[str]) -> int:
    """Return how many king's steps an action brings a man nearer to the rendezvous."""
    squares = re.findall(r"[a-h][1-8]", text)
    if len(squares) != 2:
        return 0
    start, to = (min(distance(square, each) for each in rendezvous) for square in squares)
    return start - to


def distance(one: str, other: str) -> int:
    """Return the king's steps between two squares."""
    return max(abs(ord(a) - ord(b)) for a, b in zip(one, other, strict=True))


def well_ended(house: House, termination: str) -> None:
    """Check that the match ended this way and that its record agrees."""
    result = house.state().result
    assert result is not None
    assert result.termination == termination
    assert list(verify_all(house.club.storage, house.club.archive)) == []


@pytest.mark.thorough
def test_whole_match_of_lanrick_1881(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanrick-1881", anna, bert)
    opponents = Opponents(house, anna, bert)
    opponents.play()
    well_ended(house, "four-taken")
    assert opponents.phases["mark"] >= 3, "at least two rendezvous after the first"
    for phase in ("place", "remove", "disperse", "equalise", "muster"):
        assert opponents.phases[phase] > 0, phase


@pytest.mark.thorough
def test_whole_match_of_lanrick_1893(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanrick-1893", anna, bert)
    opponents = Opponents(house, anna, bert, seed=3)
    opponents.play()
    well_ended(house, "last-man")
    assert opponents.phases["ix"] > 0
    assert opponents.phases["replace"] > 0
    assert opponents.phases["mark"] >= 2, "the second rendezvous has an even number of squares"


@pytest.mark.thorough
def test_five_play_lancelot_with_excalibur(house: House) -> None:
    people = [house.player(name) for name in ("Anna", "Bert", "Clara", "Dan", "Eve")]
    house.match("lancelot", *people, excalibur=1, diagonals=1, target=2)
    opponents = Opponents(house, *people)
    opponents.play()
    well_ended(house, "target")
    assert house.moves()[0].startswith("*")
    for person in people:
        person.receives()
        assert person.latest.kind == "the match is over"


def test_resigned_seat_among_three_passes_from_then_on(house: House) -> None:
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    house.match("lancelot", anna, bert, clara)
    for person, text in (
        (anna, "F6"),
        (bert, "resign"),
        (bert, "confirm"),
        (clara, "G7"),
        (anna, "H8"),
    ):
        person.receives()
        person.says(text, quoting=False)
        house.works()
    assert house.moves() == ["F6", "resign", "G7", "H8"]
    assert house.state().to_act == "yellow"
    clara.receives()
    assert "Bert resigns. The others continue." in " ".join(
        mail.text.replace("\n", " ") for mail in clara.read
    )
    house.resigns(clara)
    well_ended(house, "resignation")
    result = house.state().result
    assert result is not None
    assert result.winners == ("red",)


def test_turn_of_steps_ends_with_the_email(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanrick-1893", anna, bert)
    anna.receives()
    anna.says("@d5", quoting=False)
    house.works()
    bert.receives()
    bert.says("h8-g7", quoting=False)
    house.works()
    assert house.moves() == ["@d5", "h8-g7", "."]
    [receipt] = bert.receives()
    assert "Done: h8-g7 ." in receipt.text
    assert "2 black  h8-g7 ." in anna.receives()[-1].text


def example_played(house: House, *players: Person) -> Iterable[str]:
    """Play the example of the rules page. Return the latest receipt after each email."""
    turns = (
        *("@d5", "a4-c6", "g1-d4 h5-f7", "h8-e5 b8-d6", "a1-c3 a7-c5 e8-e7", "d1-f3 h2-f4"),
        *("f7-d5 e7-e6 c3-c4 *f4", "f3-e4 @d5", "c5-a5", "c6-a8 d6-d8", "c4-a2 d4-a1"),
        *("e5-h5 e4-f3", "a1~d1 e6-g8 ...", "d5-e4", "f3-h1"),
    )
    for text in turns:
        person = next(p for p in players if p.player and p.player.id == house.state().player_to_act)
        person.receives()
        person.says(text, quoting=False)
        house.works()
        yield " ".join(person.receives()[-1].text.split())


def test_receipt_says_how_many_squares_the_turn_counts(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanrick-1893", anna, bert)
    said = [
        re.findall(r"This turn uses (\d of your \d) squares\.", each)
        for each in example_played(house, anna, bert)
    ]
    counted = [" ".join(each) for each in said]
    assert counted == [
        *("", "2 of your 2", "5 of your 5", "5 of your 5", "5 of your 5", "4 of your 5"),
        *("4 of your 5", "1 of your 4", "2 of your 2", "4 of your 4", "5 of your 5"),
        *("4 of your 4", "3 of your 5", "4 of your 5", "2 of your 4"),
    ]


def test_receipts_of_other_games_count_no_squares(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lancelot", anna, bert)
    anna.receives()
    anna.says("F6", quoting=False)
    house.works()
    assert "This turn uses" not in anna.receives()[-1].text
    assert all("This turn uses" not in mail.text for mail in bert.receives())
