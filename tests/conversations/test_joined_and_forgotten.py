"""A member who joined by email can be erased, and nothing of the joining remains."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

from pbem.adapters.db.engine import open_engine
from pbem.adapters.db.unit_of_work import SqlStorage
from pbem.jobs.erase import wipe_files
from pbem.service.club import Joining
from tests.conversations.house import House, Person
from tests.conversations.post_office import Fakes
from tests.fakes.clock import FakeClock
from tests.support.traces import in_tables

NAME, ADDRESS = "Xaverine", "xaver@mail.example"


def says(house: House, person: Person, text: str) -> None:
    person.says(text)
    house.works()
    person.receives()


def test_nothing_of_a_request_to_join_is_left(
    sqlite_url: str, clock: FakeClock, tmp_path: Path
) -> None:
    engine = open_engine(sqlite_url)
    with closing(House(Fakes(clock), SqlStorage(engine), clock, tmp_path)) as house:
        policy = replace(house.club.policy, joining=Joining.APPROVAL)
        house.club = replace(house.club, policy=policy)
        somebody = house.stranger(ADDRESS)
        for text in ("Who are you?", "join director", f"join {NAME}", "confirm"):
            says(house, somebody, text)
        house.director.receives()
        says(house, house.director, "approve")
        somebody.receives()
        assert in_tables(engine, NAME) != set()
        for text in ("settings", "forget me", "confirm"):
            says(house, somebody, text)
        assert wipe_files(house.club)
        assert (in_tables(engine, NAME), in_tables(engine, ADDRESS)) == (set(), set())
    engine.dispose()
