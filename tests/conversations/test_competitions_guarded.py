"""What outsiders see of competitions, and what neither dates, games nor entrants can break."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.site.values import Site
from pbem.matches.announcement import Phase
from pbem.service.club import Room
from pbem.service.post.attaching import certificate_of
from pbem.service.post.post import standing_of
from pbem.service.problems import problems_of
from pbem.service.reading_room.publish import publish_room
from pbem.service.status import status_of
from pbem.service.work import reading, writing
from tests.conversations.house import House, Person
from tests.conversations.test_challenges import asks, told
from tests.conversations.test_competitions import (
    NAMES,
    announced,
    closes,
    competition,
    decides,
    directing,
    enter,
    last_day,
    loses,
    pairs,
    people,
    phase,
)
from tests.conversations.test_directors_mail import plain, says
from tests.fakes.archive import FakeArchive
from tests.support.distributions import shelf


@pytest.fixture
def dora(house: House) -> Person:
    return directing(house)


NOBODYS = "there is no competition 1 that members enter"


@pytest.mark.parametrize("private", ("private", ""))
def test_table_of_a_private_series_is_for_its_players_and_directors(
    house: House, dora: Person, private: str
) -> None:
    house.club = replace(house.club, room=Room(Site("pbem", house.address), FakeArchive()))
    anna, bert, clara = people(house, "Anna", "Bert", "Clara")
    asks(house, anna, f"challenge bert lanrick-1893 series=2 {private}")
    asks(house, bert, "accept 1")
    for person in (anna, bert, dora):
        shown = says(house, person, "competition series 1", recipient=house.address)
        assert "Series 1, 2 games." in plain(shown)
    assert NOBODYS in asks(house, clara, "competition set 1")
    said = asks(house, clara, "competition series 1")
    assert (NOBODYS in said) == bool(private)
    assert ("0 games between" in said) != bool(private)


def test_hidden_members_are_named_only_to_players_and_directors(house: House, dora: Person) -> None:
    anna, bert, clara = people(house, "Anna", "Bert", "Clara")
    asks(house, anna, "set page hidden")
    for terms in ("ladder lanrick-1893", "knock-out lanrick-1893"):
        announced(house, dora, terms)
    for number in (1, 2):
        enter(house, number, (anna, bert))
    assert "Players: a member and Bert." in asks(house, bert, "competition 1")
    assert "Players: Anna and Bert." in asks(house, anna, "competition 1"), "her own name"
    shown = says(house, dora, "competition 1", recipient=house.address)
    assert "Players: Anna and Bert." in plain(shown), "directors decide about her by name"
    closes(house)
    assert "1 Anna and 2 Bert." in asks(house, bert, "competition 1"), "they play her"
    loses(house, bert)
    assert phase(house, 2) is Phase.ENDED
    for command in ("competition 1", "competition 2", "competitions", "ladder 1"):
        said = asks(house, clara, command)
        assert "a member" in said.casefold()
        assert "Anna" not in said
    for person in (bert, dora):
        shown = says(house, person, "competition 2", recipient=house.address)
        assert "Anna wins" in plain(shown)


def test_competition_that_fails_and_one_without_its_game_stop_no_other(
    house: House, dora: Person, tmp_path: Path
) -> None:
    anna, bert = people(house, "Anna", "Bert")
    with shelf(tmp_path / "site-packages") as here:
        here.install("toy-nim")
        announced(house, dora, f"open-house nim until={house.clock.now():%Y-12-31}")
        announced(house, dora, "ladder nim")
        for _ in range(2):
            announced(house, dora, "knock-out lanrick-1893")
        for number in (1, 2, 3, 4):
            enter(house, number, (anna, bert))
        with writing(house.club) as work:
            broken = work.competitions.lock(competition(house, 3).id)
            assert broken.announcement is not None
            endless = replace(broken.announcement, last_day=date.max)
            work.competitions.save(replace(broken, announcement=endless))
        closes(house)
        assert phase(house, 1) is Phase.RUNNING
        here.uninstall("toy-nim")
        house.skips(days=60)
        assert [phase(house, number) for number in (1, 4)] == [Phase.RUNNING, Phase.ENDED]
        assert "1 Anna and 2 Bert." in asks(house, anna, "competition 1")


def test_competition_that_cannot_pair_stops_no_clock_and_no_other(
    house: House, dora: Person
) -> None:
    everybody = people(house)
    announced(house, dora, f"open-house lanrick-1893 until={last_day(house, 200)}")
    announced(house, dora, "knock-out lanrick-1893")
    for number in (1, 2):
        enter(house, number, everybody)
    closes(house)
    broken: dict[str, Any] = {"at_once": None}
    with writing(house.club) as work:
        work.competitions.save(replace(work.competitions.lock(competition(house).id), **broken))
    loses(house, everybody[0])
    house.skips(days=60)
    house.skips(days=60)
    assert all(match.result for match in house.matches()), "every match ends on time"
    assert [phase(house, number) for number in (1, 2)] == [Phase.RUNNING, Phase.ENDED]
    said = [str(each) for each in problems_of(status_of(house.club), 60)]
    assert any("competition 1 does not proceed" in each for each in said)
    assert not any("competition 2" in each for each in said)


@pytest.mark.parametrize(
    ("terms", "entrants", "starts", "repeated"),
    (
        ("league lanrick-1893 division=4", 5, {"sizes": (5,)}, {"sizes": (4,)}),
        ("set-league lanko-68", 4, {"rounds": 4}, {"rounds": 0}),
    ),
)
def test_next_competition_has_the_terms_that_were_announced(
    house: House,
    dora: Person,
    terms: str,
    entrants: int,
    starts: dict[str, Any],
    repeated: dict[str, Any],
) -> None:
    everybody = people(house, *NAMES[:entrants])
    announced(house, dora, f"{terms} repeat=1w")
    enter(house, 1, everybody)
    closes(house)
    assert {key: getattr(competition(house), key) for key in starts} == starts
    while phase(house) is Phase.RUNNING:
        decides(house, random.Random(1))
    assert {key: getattr(competition(house, 2), key) for key in repeated} == repeated


def test_open_house_keeps_apart_members_who_block_each_other(house: House, dora: Person) -> None:
    anna, bert, *_ = everybody = people(house)
    asks(house, bert, "block anna")
    announced(house, dora, f"open-house lanrick-1893 until={last_day(house, 200)}")
    enter(house, 1, everybody)
    closes(house)
    for _ in range(12):
        decides(house, random.Random(1))
    met = Counter(pairs(house))
    assert anna.player is not None
    assert bert.player is not None
    assert met.pop(frozenset((anna.player.id, bert.player.id)), 0) == 0
    assert min(met.values()) > 1, "the others meet again without waiting for these two"
    asks(house, bert, "unblock anna")
    for _ in range(3):
        decides(house, random.Random(1))
    assert frozenset((anna.player.id, bert.player.id)) in pairs(house)


def test_stopped_competition_has_no_winners(house: House, dora: Person) -> None:
    anna, bert = people(house, "Anna", "Bert")
    announced(house, dora, "knock-out lanrick-1893")
    enter(house, 1, (anna, bert))
    closes(house)
    says(house, dora, "competition off 1")
    house.clock.advance(minutes=1)
    says(house, dora, "confirm")
    loses(house, bert)
    said = told(anna)
    assert "Called off." in said
    assert "wins the knock-out" not in said
    with reading(house.club) as work:
        standing = standing_of(work, competition(house))
    assert standing.winners == []
    assert certificate_of(standing, standing.of.players[0], "pbem") == ()
    pages = FakeArchive()
    house.club = replace(house.club, room=Room(Site("pbem", house.address), pages))
    assert house.club.room is not None
    publish_room(house.club.storage, house.club.room)
    [page] = (name for name in pages.names("competitions/") if "knock-out" in name)
    shown = (pages.read(page) or b"").decode()
    assert "Called off." in shown
    assert "wins the knock-out" not in shown


def test_email_after_entry_has_ended_does_not_enter(house: House, dora: Person) -> None:
    anna, bert = people(house, "Anna", "Bert")
    announced(house, dora, "knock-out lanrick-1893")
    enter(house, 1, (anna,))
    asks(house, bert, "competitions")
    house.clock.advance(days=11)
    assert "entry to competition 1 has ended" in asks(house, bert, "enter 1")
    assert phase(house) is Phase.CALLED_OFF


def test_director_enters_a_member_after_entry_has_ended(house: House, dora: Person) -> None:
    anna, _ = people(house, "Anna", "Bert")
    announced(house, dora, "knock-out lanrick-1893")
    enter(house, 1, (anna,))
    house.clock.advance(days=11)
    dora.says("competition enter 1 bert")
    house.works()
    answer, start = map(plain, dora.receives()[-2:])
    assert "Done" in answer
    assert "has started" in start
    assert phase(house) is Phase.RUNNING
