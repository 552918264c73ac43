"""What a family of games brings besides its rules: bots, and formats of records."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from structlog.testing import capture_logs

from pbem.archive.files import ArchiveFile
from pbem.archive.site.values import Site
from pbem.archive.verify_files import verify_files
from pbem.games.api import Family
from pbem.games.transcript import RecordFormat, Transcript, TranscriptAction
from pbem.jobs.play_bots import play_bots
from pbem.matches.bots import Scene, Thinking, bots, family_bots
from pbem.service.club import Room
from pbem.service.problems import problems_of
from pbem.service.reading_room.publish import publish_room
from pbem.service.status import status_of
from tests.conversations.house import House, Person
from tests.fakes.archive import FakeArchive
from tests.support.more_games import more_games
from tests.toys.pocket_games import NIM


class Taker:
    """A bot that takes as many as it may."""

    def action(self, scene: Scene, thinking: Thinking) -> Any:
        return scene.actions(3)[-1]

    def gives_up(self, scene: Scene, seat: str, thinking: Thinking) -> bool:
        return False

    def takes_draw(self, scene: Scene, seat: str, thinking: Thinking) -> bool | None:
        return None


def takers(settings: Mapping[str, object]) -> Mapping[str, Any]:
    return {"taker": Taker()}


def no_takers(settings: Mapping[str, object]) -> Mapping[str, Any]:
    raise ValueError("takers is 'fast'. Write a number")


def write(transcript: Transcript) -> str:
    actions = [[each.seat, each.text, *each.notes] for each in transcript.actions]
    winners = None if transcript.winners is None else [*transcript.winners]
    return json.dumps({"players": [*transcript.players.values()], "r": winners, "a": actions})


def read(text: str) -> Sequence[Transcript]:
    found = json.loads(text)
    players = dict(zip(("first", "second"), found["players"], strict=True))
    actions = (TranscriptAction(seat, said) for seat, said, *_ in found["a"])
    winners = None if found["r"] is None else tuple(found["r"])
    return [Transcript("nim", players, tuple(actions), winners=winners)]


FORMAT = RecordFormat("Nim Notation", "nn", write, read)


@pytest.fixture
def nim() -> Iterator[None]:
    with more_games(nim=Family(api=1, games=(NIM,), bots=takers, formats=(FORMAT,))):
        yield


def asks(house: House, person: Person, line: str) -> str:
    person.says(line, quoting=False)
    house.works()
    return " ".join(person.receives()[-1].text.split())


@pytest.mark.usefixtures("nim")
def test_bot_of_a_family_plays_its_games_only(house: House) -> None:
    anna = house.player("Anna")
    said = asks(house, anna, "games")
    assert "bot-random, bot-greedy and bot-steady. For Nim only: bot-taker." in said
    assert "play bot-steady nim" in said
    said = asks(house, anna, "play bot-taker lancelot")
    assert "bot-taker does not play Lancelot. These do: bot-random, bot-greedy, bot-steady" in said
    asks(house, anna, "play bot-taker nim as=first")
    asks(house, anna, "take 1")
    play_bots(house.club)
    assert house.moves() == ["take 1", "take 3"]


def test_family_whose_bots_fail_disturbs_nobody(house: House) -> None:
    with more_games(nim=Family(api=1, games=(NIM,), bots=no_takers)):
        problems = {each.name: each.problem for each in family_bots()}
        assert problems["nim"] == "takers is 'fast'. Write a number"
        assert {"greedy", "random", "steady"} <= bots().keys()
        said = asks(house, house.player("Anna"), "play bot-taker nim")
        assert "there is no computer opponent bot-taker" in said


class Broken(Taker):
    """A bot whose program crashes until somebody fixes it."""

    works, tries = False, 0

    def action(self, scene: Scene, thinking: Thinking) -> Any:
        self.tries += 1
        if not self.works:
            raise OSError("the program has crashed")
        return super().action(scene, thinking)


def problems(house: House) -> list[str]:
    return [each.text for each in problems_of(status_of(house.club), 60)]


def test_broken_bot_is_tried_ever_less_often_and_holds_up_no_other(house: House) -> None:
    broken = Broken()

    def both(settings: Mapping[str, object]) -> Mapping[str, Any]:
        return {"broken": broken, "taker": Taker()}

    with more_games(nim=Family(api=1, games=(NIM,), bots=both)), capture_logs() as logs:
        anna = house.player("Anna")
        asks(house, anna, "games")
        for bot in ("broken", "broken", "taker"):
            asks(house, anna, f"play bot-{bot} nim as=second")
        assert house.moves(3) == ["take 3"]
        assert house.moves(1) == house.moves(2) == []
        assert "bot-broken has failed to answer in 2 matches" in problems(house)
        before = broken.tries
        for _ in range(2 * 60):
            house.clock.advance(seconds=30)
            play_bots(house.club)
        assert 10 <= broken.tries - before <= 20, "two matches: after 1, 2, 4, 8, 15 minutes and on"
        told = [
            (each["match"], "exc_info" in each) for each in logs if each["log_level"] == "error"
        ]
        assert sorted(told) == [(1, True), (2, True)]
        broken.works = True
        house.clock.advance(minutes=15)
        play_bots(house.club)
        assert house.moves(1) == house.moves(2) == ["take 3"]
        assert not any("bot-broken" in each for each in problems(house))


def test_bot_whose_family_no_longer_brings_it_is_named_in_the_status(house: House) -> None:
    with more_games(nim=Family(api=1, games=(NIM,), bots=takers)):
        anna = house.player("Anna")
        asks(house, anna, "games")
        asks(house, anna, "play bot-taker nim as=first")
    with more_games(nim=Family(api=1, games=(NIM,), bots=no_takers)), capture_logs() as logs:
        anna.says("take 1")
        house.works()
        (told,) = [each for each in logs if each["event"] == "bot has no answer"]
        assert told["bot"] == "taker"
        assert told["reason"] == "there is no such bot now. `pbem doctor` says why"
        assert "bot-taker has failed to answer in 1 match" in problems(house)


@pytest.mark.usefixtures("nim")
def test_match_is_published_in_the_format_of_its_game(house: House) -> None:
    store = FakeArchive()
    house.club = replace(house.club, room=Room(Site("pbem", house.address), store))
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("nim", anna, bert)
    texts = ("set notes public", "take 3\n\nA bold start", "take 2", "take 2")
    for person, text in zip((anna, anna, bert, anna), texts, strict=True):
        person.receives()
        person.says(text)
        house.works()
    assert house.club.room is not None
    publish_room(house.club.storage, house.club.room)
    data = store.files["matches/match-000001-nim.nn"]
    told = json.loads(data)
    assert told["players"] == ["Anna", "Bert"]
    assert told["r"] == ["first"]
    assert told["a"][0] == ["first", "take 3", "Anna: A bold start"]
    assert b"as Nim Notation" in store.files["matches/match-000001-nim.html"]
    assert verify_files([ArchiveFile("match.nn", data)]).problems == []
    for old, new, problem in (
        (b'"take 3"', b'"take 9"', "match 1: action 1: take 9"),
        (b'["first"]', b'["second"]', "by the rules, it ends by last-one, with another result"),
        (b"{", b"[", "it cannot be read"),
    ):
        (said,) = verify_files([ArchiveFile("x.nn", data.replace(old, new, 1))]).problems
        assert problem in said
