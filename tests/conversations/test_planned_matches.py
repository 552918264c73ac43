"""Matches of every game, played with plans sent ahead and by hand, have the same record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from pbem.games.api import AnyGame, Seat
from pbem.games.replay import play_one
from pbem.matches.history import Kind
from pbem.testing.random_matches import listed
from tests.conversations.house import House, Person
from tests.conversations.post_office import Fakes
from tests.conversations.test_directing import record
from tests.fakes.clock import FakeClock
from tests.fakes.storage import FakeStorage
from tests.games.every_game import every_match

MARKS = (Kind.PLANNED, Kind.FORCED)
TURNS = 10


class ScriptTurn(NamedTuple):
    """A turn that is to be played, and another that is possible instead."""

    seat: Seat
    texts: tuple[str, ...]
    other: tuple[str, ...]


def script(game: AnyGame, players: int, seed: int) -> list[ScriptTurn]:
    """Return the first turns of a random match."""
    chance, turns = Random(seed), list[ScriptTurn]()
    position: Any = game.initial(players, {})
    while len(turns) < TURNS and game.to_act(position) is not None:
        seat = game.to_act(position)
        assert seat is not None
        texts, after = turn(game, position, chance)
        other, _ = turn(game, position, chance)
        turns.append(ScriptTurn(seat, texts, other))
        position = after
    return turns


def turn(game: AnyGame, position: Any, chance: Random) -> tuple[tuple[str, ...], Any]:
    """Return a random turn and the position after it."""
    texts, number, seat = list[str](), position.turn, game.to_act(position)
    while game.to_act(position) is not None and position.turn == number:
        end = game.closing(position)
        text = game.format(position, chance.choice(listed(game, position)))
        played = play_one(game, position, seat or "", end if end and len(texts) > 3 else text)
        texts.append(played.text)
        position = played.position
    return tuple(texts), position


def houses(path: Path, names: Sequence[str]) -> Iterator[House]:
    """Yield clubs for the same match."""
    for name in names:
        clock = FakeClock()
        (path / name).mkdir()
        with closing(House(Fakes(clock), FakeStorage(), clock, path / name)) as house:
            yield house


def people_of(house: House, players: int) -> list[Person]:
    names = ("Anna", "Bert", "Clara", "Dora", "Emil")[:players]
    return [house.player(name, mails="all") for name in names]


def by_seat(house: House, people: Sequence[Person]) -> dict[Seat, Person]:
    named = {person.name: person for person in people}
    return {seat: named[name] for seat, name in house.names().items()}


def sends(house: House, person: Person, text: str) -> None:
    person.receives()
    person.says(text)
    house.works()


def path(turns: Sequence[ScriptTurn], own: set[Seat], chance: Random) -> str:
    """Return a plan for some turns. The last is the author's."""
    segments, others = list[str](), list[str]()
    for each in turns:
        text = " ".join(each.texts)
        if each.seat in own:
            segments.append(f"if {', '.join(others)} then {text}")
            others = []
        else:
            others.append("any" if chance.random() < 0.2 else text)
    return "; ".join(segments)


def planned(
    house: House, people: Sequence[Person], turns: Sequence[ScriptTurn], chance: Random
) -> int:
    """Play turns with plans for most of them. Return the number of plans accepted."""
    seats = by_seat(house, people)
    played, sent = 0, 0
    while played < len(turns):
        for person in people:
            own = {seat for seat, whose in seats.items() if whose is person}
            if turns[played].seat in own or chance.random() < 0.3:
                continue
            ends = [at for at in range(played, len(turns)) if turns[at].seat in own]
            if not ends:
                continue
            upto = turns[played : chance.choice(ends[:3]) + 1]
            lines = [path(upto, own, chance)]
            if chance.random() < 0.5 and turns[played].other != turns[played].texts:
                decoy = " ".join(turns[played].other)
                lines.append(f"if {decoy} then resign" if chance.random() < 0.5 else "")
            sends(house, person, "\n".join(lines))
            sent += "is ready" in person.receives()[-1].text
            if chance.random() < 0.2:
                sends(house, person, "cancel plans")
        sends(house, seats[turns[played].seat], " ".join(turns[played].texts))
        seen = house.moves()
        expected = [text for each in turns for text in each.texts]
        assert seen == expected[: len(seen)], "nothing is played that was not planned"
        played = next(
            at
            for at in range(len(turns) + 1)
            if len([text for each in turns[:at] for text in each.texts]) >= len(seen)
        )
    return sent


@every_match
def test_planned_match_has_the_record_of_the_same_match_by_hand(
    tmp_path: Path, game: AnyGame, players: int
) -> None:
    seed = players
    turns = script(game, players, seed)
    records = []
    for name, house in zip(("hand", "plans"), houses(tmp_path, ("hand", "plans")), strict=True):
        people = people_of(house, players)
        house.match(game.info.key, *people)
        if name == "hand":
            seats = by_seat(house, people)
            for each in turns:
                sends(house, seats[each.seat], " ".join(each.texts))
        else:
            assert planned(house, people, turns, Random(seed)) > 0
        records.append(record(house))
    hand, ahead = records
    assert [each for each in ahead.entries if each.kind in MARKS]
    assert entries(ahead) == entries(hand)
    assert ahead.result == hand.result


def entries(found: Any) -> list[tuple[object, ...]]:
    """Return the history without times and marks."""
    kept = (each for each in found.entries if each.kind not in MARKS)
    return [(each.kind, each.turn, each.seat, each.text) for each in kept]
