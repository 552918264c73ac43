"""Traces of an erased member in the club's files and tables: none."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Engine

from pbem.adapters.archive_files import FileArchive
from pbem.adapters.db.engine import open_engine
from pbem.adapters.db.unit_of_work import SqlStorage
from pbem.archive.site.values import Site
from pbem.jobs.erase import clear_mailbox, wipe_files
from pbem.service.club import Room
from pbem.service.members.names import rename
from pbem.service.members.own_addresses import change_addresses
from pbem.service.reading_room.publish import publish_room
from pbem.service.records.verify import verify_all
from pbem.service.work import writing
from tests.conversations.house import HOST, House, Person
from tests.conversations.post_office import Servers
from tests.fakes.clock import FakeClock
from tests.support.databases import BOTH
from tests.support.traces import in_files, in_tables

NAME, ADDRESS, OTHER = "Änne Żółć", "Anne.Zolc@mail.example", "anne@wohnung.example"
BEFORE, GONE = "Wilhelmina Zaun", "mina@frueher.example"
WORDS = (NAME, "Żółć", ADDRESS, OTHER, "my cat Mitzi is ill", BEFORE, GONE)


@pytest.fixture(params=BOTH)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """An engine for the club's database."""
    engine = open_engine(request.getfixturevalue(f"{request.param}_url"))
    yield engine
    engine.dispose()


@pytest.fixture
def house(engine: Engine, servers: Servers, clock: FakeClock, tmp_path: Path) -> Iterator[House]:
    """A club on servers, with a reading room."""
    with closing(House(servers, SqlStorage(engine), clock, tmp_path)) as house:
        room = Room(Site("pbem", house.address), FileArchive(tmp_path / "site"))
        house.club = replace(house.club, room=room)
        yield house


def anne_of(house: House) -> Person:
    """Anne, whose name and addresses have many spellings, and other people before her."""
    person, earlier = house.stranger(ADDRESS), house.stranger(GONE)
    house.post.add(OTHER)
    earlier.says("hello, who is there?")  # from a stranger whom no row names yet
    house.works()
    with writing(house.club) as work:
        player = earlier.player = work.players.add(BEFORE, [GONE, OTHER])
    house.match("lanko-68", house.player("Dora"), earlier)  # the emails of others name them
    with writing(house.club) as work:
        player = rename(work, player, NAME)
        person.player = change_addresses(work, player, [ADDRESS, OTHER])
    person.name = NAME
    return person


def published(house: House) -> None:
    """Process everything and write the pages."""
    house.works()
    assert house.club.room is not None
    publish_room(house.club.storage, house.club.room)


def lives(house: House, anne: Person, bert: Person, clara: Person) -> None:
    """Leave every kind of trace: matches, notes, a bounce, an absence, questions."""
    house.match("lanko-68", anne, bert)
    anne.receives()
    anne.says("set notes public")
    house.works()
    anne.says("[42-36]\nmy cat Mitzi is ill", to=anne.read[0])
    house.works()
    bert.receives()
    bert.says(f"resign\nget well, {NAME}!")
    house.works()
    bert.receives()
    bert.says("confirm")
    house.works()
    house.match("lancelot", anne, bert, clara)
    house.series("lanrick-1893", anne, bert, 3)
    for person in (anne, bert, clara):
        person.receives()
    bert.says("help")
    clara.says("I am away", headers=(("Auto-Submitted", "auto-replied (vacation)"),))
    anne.says("address add new@anne.example")
    house.stranger("new@anne.example")
    thief = house.stranger("thief@mail.example")
    thief.says("resign", recipient=house.address, sender=ADDRESS, subject="[pbem 2]")
    house.works()
    anne.receives()


def test_files_and_tables_hold_nothing_of_an_erased_member(
    house: House, engine: Engine, tmp_path: Path
) -> None:
    anne, bert, clara = anne_of(house), house.player("Bert"), house.player("Clara")
    lives(house, anne, bert, clara)
    published(house)
    places = {"inbound.raw", "outbox.text", "outbox.html", "players.name", "addresses.address"}
    assert places <= {place for word in WORDS for place in in_tables(engine, word)}
    assert any("archive" in name for name in in_files(tmp_path, NAME))
    assert any("site" in name for name in in_files(tmp_path, NAME))
    anne.says("forget me", to=anne.read[0])
    house.works()
    anne.receives()
    anne.says("confirm")
    published(house)
    assert clear_mailbox(house.club, house.mailbox) > 0
    assert wipe_files(house.club)
    assert {word: in_tables(engine, word) for word in WORDS} == {word: set() for word in WORDS}
    assert {word: in_files(tmp_path, word) for word in WORDS} == {word: set() for word in WORDS}
    lying = b"".join(house.post.inbox(f"club@{HOST}"))
    assert ADDRESS.lower().encode() not in lying.lower()
    assert list(verify_all(house.club.storage, house.club.archive)) == []
