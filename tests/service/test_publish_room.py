"""Test that the reading room is written completely despite interruptions."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.adapters.db.unit_of_work import open_storage
from pbem.archive.site.values import MatchPage, Note, Site
from pbem.matches.competition_place import Place
from pbem.matches.competitions.set import MatchSet
from pbem.matches.history import Kind
from pbem.matches.imported import RatedName
from pbem.matches.match import MatchOptions
from pbem.matches.record.to_match import people_of
from pbem.matches.seat_changes import handed_on
from pbem.ports.room import PageKind
from pbem.ports.storage import Storage, UnitOfWork
from pbem.service.club import Public, Room
from pbem.service.reading_room.publish import publish_room
from pbem.service.reading_room.reading import RoomReading
from pbem.settings import notes, page
from tests.fakes.archive import FakeArchive
from tests.fakes.storage import FakeStorage
from tests.matches.playing import ANNA, BERT, CLARA, DORA, START, Contest, started
from tests.matches.records import resigned
from tests.service.stored_matches import ended, stored, two_turns_played, with_players
from tests.support import dying_publisher
from tests.support.dying_publisher import room_in

SITE = Site("pbem", "club@games.example")
RUNNING, OVER = "matches/match-000001-lanko-68", "matches/match-000002-lanko-68"


def room(store: FakeArchive | None = None, public: Public = Public.LIVE, delay: int = 0) -> Room:
    return Room(SITE, store or FakeArchive(), public, delay)


def files(of: Room) -> dict[str, bytes]:
    assert isinstance(of.store, FakeArchive)
    return of.store.files


def from_scratch(storage: Storage, like: Room) -> dict[str, bytes]:
    """Return the site written from scratch."""
    fresh = replace(like, store=FakeArchive())
    assert publish_room(storage, fresh, everything=True).finished
    return files(fresh)


def chosen(storage: Storage, key: str, value: str, player: int = ANNA) -> None:
    """Change a setting, like `set KEY VALUE`."""
    with storage.writing() as uow:
        uow.players.choose(player, key, value)
        uow.stale.mark(PageKind.PERSON, [player])


def made(storage: Storage, number: int, public: str) -> None:
    """Change a match like the director on the command line."""
    with storage.writing() as uow:
        uow.matches.save(replace(uow.matches.get(number), public=public))


@pytest.fixture
def storage() -> Storage:
    """Return a storage with match 1 running, match 2 ended, and match 3 the first of a set."""
    storage = with_players(FakeStorage())
    stored(storage, two_turns_played())
    stored(storage, ended())
    with storage.writing() as uow:
        players = (ANNA, BERT, CLARA)
        of = uow.competitions.add(MatchSet("lanko-68", players, MatchOptions(5, False), START))
    third = ended()
    third.match = replace(third.match, place=Place(of.id, 1, 1))
    stored(storage, third)
    return storage


def test_only_pages_about_the_match_are_rewritten_after_a_turn(
    storage: Storage,
) -> None:
    site = room()
    first = publish_room(storage, site)
    assert (first.finished, first.problems, first.written) == (True, [], len(files(site)))
    assert files(site) == from_scratch(storage, site)
    for name in ("index.html", f"{RUNNING}.html", f"{OVER}.html", f"members/{ANNA}.html"):
        assert name in files(site)
    again = publish_room(storage, site)
    assert (again.written, again.right, again.removed) == (0, 0, 0)
    before = dict(files(site))
    with storage.writing() as uow:
        later = START + timedelta(days=2)
        uow.matches.save(replace(uow.matches.lock(1), turn=9, turn_started_at=later))
    publish_room(storage, site)
    changed = {name for name in files(site) if files(site)[name] != before.get(name)}
    assert changed
    assert not [name for name in changed if "000001" not in name]
    assert files(site) == from_scratch(storage, site)


def test_lists_say_since_when_a_match_is_played_and_not_whose_turn_it_is(storage: Storage) -> None:
    pages = from_scratch(storage, room())
    assert b"Turn 3: Clara" in pages[f"{RUNNING}.html"]
    for name in ("running.html", "index.html", f"members/{ANNA}.html"):
        assert b"in play since" in pages[name]
        assert b"to move" not in pages[name]


def test_list_names_the_successor_once_the_delay_shows_the_takeover(storage: Storage) -> None:
    site = room(delay=1)
    publish_room(storage, site)
    with storage.writing() as uow:
        uow.matches.save(handed_on(uow.matches.lock(1), CLARA, DORA))
    publish_room(storage, site)
    assert b"Dora" not in files(site)["running.html"]
    with storage.writing() as uow:
        uow.matches.save(replace(uow.matches.lock(1), turn=5))
    publish_room(storage, site)
    assert b"Dora" in files(site)["running.html"]
    assert files(site) == from_scratch(storage, site)


@pytest.mark.parametrize(
    ("club", "shown"),
    ((Public.LIVE, [1, 2, 3]), (Public.ENDED, [2, 3]), (Public.NEVER, [])),
)
def test_hidden_matches_appear_nowhere(storage: Storage, club: Public, shown: list[int]) -> None:
    site = room()
    publish_room(storage, site)
    site = replace(site, public=club)
    publish_room(storage, site)
    assert _matches(site) == shown
    for number, public in ((1, "never"), (2, "ended"), (3, "live")):
        made(storage, number, public)
    publish_room(storage, site)
    assert _matches(site) == [2, 3]
    made(storage, 1, "live")
    made(storage, 2, "never")
    made(storage, 3, "never")
    publish_room(storage, site)
    assert _matches(site) == [1]
    assert not [name for name in files(site) if name.startswith(("competitions/set", "calendar/2"))]
    assert files(site) == from_scratch(storage, site)


def _matches(site: Room) -> list[int]:
    names = [name for name in files(site) if name.startswith("matches/") and name.endswith(".html")]
    return sorted({int(name.split("-")[1]) for name in names})


def test_member_shows_a_page_a_name_or_nothing(storage: Storage) -> None:
    site = room()
    publish_room(storage, site)
    chosen(storage, page.SETTING.key, page.NAME)
    publish_room(storage, site)
    assert f"members/{ANNA}.html" not in files(site)
    assert f"members/{BERT}.html" in files(site)
    chosen(storage, page.SETTING.key, page.HIDDEN)
    chosen(storage, page.SETTING.key, page.HIDDEN, BERT)
    publish_room(storage, site)
    told = [name for name, data in files(site).items() if b"Anna" in data or b"Bert" in data]
    assert [name for name in told if not name.startswith("help/")] == []
    assert files(site) == from_scratch(storage, site)


def test_page_has_no_club_numbers_of_players(storage: Storage) -> None:
    site = room()
    publish_room(storage, site)
    script = files(site)[f"{RUNNING}.js"].decode()
    data = json.loads(script.removeprefix("window.replayData=").removesuffix(";\n"))
    assert data["holders"] == {"S": 0, "W": 1, "N": 2, "E": 1}


def test_notes_are_shown_after_the_end_if_their_author_agrees(storage: Storage) -> None:
    site = room()
    with storage.writing() as uow:
        for number in (1, 2):
            for author, text in ((ANNA, "my open thought"), (BERT, "my own thought")):
                uow.notes.add(number, Note(1, author, text, START))
    chosen(storage, notes.SETTING.key, notes.PUBLIC)
    publish_room(storage, site)
    assert not [name for name, data in files(site).items() if b"my own thought" in data]
    assert [note.text for note in _read(storage, 2, 0).notes] == ["my open thought"]
    assert _read(storage, 1, 0).notes == ()


def test_running_match_is_shown_with_a_delay(storage: Storage) -> None:
    shown = {delay: _read(storage, 1, delay) for delay in (0, 1, 2, 9)}
    for delay, turns in ((0, ["[42-36]", "[18-19]"]), (1, ["[42-36]"]), (2, []), (9, [])):
        page = shown[delay]
        assert [action.text for action in page.actions] == turns
        assert (page.delayed, page.entry.match.turn) == (2 - len(turns), 1 + len(turns))
        assert [each.text for each in (page.record.entries if page.record else ())] == turns
    assert _read(storage, 2, delay=9) == _read(storage, 2, delay=0)


def test_offers_are_delayed_even_before_the_first_move(
    storage: Storage,
) -> None:
    contest = Contest(started("lanko-68", 3)).does(Kind.DRAW_OFFERED, ANNA)
    number = stored(storage, contest)
    for delay, kinds in ((0, [Kind.DRAW_OFFERED]), (1, []), (2, [])):
        page = _read(storage, number, delay)
        assert [each.kind for each in page.happenings] == kinds
        assert [each.kind for each in (page.record.entries if page.record else ())] == kinds
        assert (page.entry.match.offers == ()) == (not kinds)


def _read(storage: Storage, number: int, delay: int) -> MatchPage:
    with storage.reading() as uow:
        return RoomReading(room(delay=delay), uow).match_page(uow.matches.get(number))


class ReadOnly(FakeArchive):
    """A store whose folder cannot be written, not even for its lock."""

    @contextmanager
    def alone(self) -> Iterator[bool]:
        raise PermissionError(13, "Permission denied")
        yield False


def test_unwritable_folder_is_reported_in_a_sentence(storage: Storage) -> None:
    done = publish_room(storage, room(ReadOnly()))
    assert done.problems == ["The reading room cannot be written: Permission denied."]
    assert not done.finished


class Killed(BaseException):
    """Raised when the process is killed."""


class Steps:
    """Count steps, and kill at one of them."""

    def __init__(self, left: int) -> None:
        self.left = left

    def step(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Killed


class DyingStore(FakeArchive):
    """A store whose process dies before a certain write or removal."""

    def __init__(self, known: dict[str, bytes], steps: Steps) -> None:
        super().__init__()
        self.files, self._steps = known, steps

    def write(self, name: str, data: bytes) -> None:
        self._steps.step()
        super().write(name, data)

    def remove(self, name: str) -> None:
        self._steps.step()
        super().remove(name)


class DyingStorage:
    """A storage whose process dies before a certain commit."""

    def __init__(self, storage: Storage, steps: Steps) -> None:
        self._storage, self._steps = storage, steps
        self.reading, self.close, self.wake_by = storage.reading, storage.close, storage.wake_by
        self.wipe = storage.wipe

    @contextmanager
    def writing(self) -> Iterator[UnitOfWork]:
        with self._storage.writing() as uow:
            yield uow
            self._steps.step()


CHANGES: Iterable[Callable[[Storage], object]] = (
    lambda storage: None,
    lambda storage: stored(storage, ended()),
    lambda storage: chosen(storage, page.SETTING.key, page.NAME),
    lambda storage: made(storage, 2, "never"),
    lambda storage: chosen(storage, page.SETTING.key, page.FULL),
)


def test_run_after_a_kill_at_any_step_finishes(storage: Storage) -> None:
    site = room()
    for change in CHANGES:
        change(storage)
        for steps in (*range(0, 60, 3), *range(60, 400, 40)):
            with suppress(Killed):
                store = DyingStore(files(site), Steps(steps))
                dying = DyingStorage(storage, store._steps)
                publish_room(dying, replace(site, store=store))
        assert publish_room(storage, site).finished
        assert files(site) == from_scratch(storage, site)


@pytest.mark.servers
@pytest.mark.thorough
def test_killed_process_leaves_whole_pages_and_the_next_run_finishes(tmp_path: Path) -> None:
    url, site = f"sqlite:///{tmp_path}/pbem.sqlite", tmp_path / "site"
    with closing(open_storage(url)) as storage:
        with_players(storage)
        for contest in (two_turns_played(), ended()):
            stored(storage, contest)
        whole = room_in(tmp_path / "whole")
        assert publish_room(storage, whole).finished
        with storage.writing() as uow:
            uow.stale.mark_all()
    due = {name: whole.store.read(name) for name in whole.store.names()}
    statuses = [_publishes(url, site, count) for count in (5, 40)]
    assert statuses[0] == -signal.SIGKILL
    there = room_in(site).store
    for name in there.names():
        assert there.read(name) == due[name], name
    assert _publishes(url, site, 0) == 0
    assert {name: there.read(name) for name in there.names()} == due


def _publishes(url: str, site: Path, count: int) -> int:
    """Return the status of a publishing process, killed after some syncs or not at all."""
    words = [sys.executable, dying_publisher.__file__, url, str(site), str(count)]
    return subprocess.run(words, check=False, env={**os.environ, "PYTHONPATH": "."}).returncode


IMPORTED = "matches/imported-000001-lanko-68"
RECORDS_FROM = "Records from Alpha"


def test_member_who_is_hidden_is_not_named_where_imported_matches_are_rated(
    storage: Storage,
) -> None:
    site = room()
    record = replace(resigned(), club="Alpha", heads={})
    other = next(name for name in people_of(record).values() if name != "Anna")
    with storage.writing() as uow:
        uow.imported.add(record)
    publish_room(storage, site)
    assert f"{IMPORTED}.json" in files(site)
    chosen(storage, page.SETTING.key, page.HIDDEN)
    with storage.writing() as uow:
        uow.imported.rate(RatedName("Alpha", "Anna", ANNA))
    publish_room(storage, site)
    theirs = {name: data for name, data in files(site).items() if "imported" in name}
    assert not any(b"Anna" in data for data in theirs.values())
    assert all(b"a member" in theirs[name] for name in theirs if name.startswith("imported/"))
    assert other.encode() in theirs[f"{IMPORTED}.html"]
    assert not [name for name in theirs if name.endswith((".txt", ".json"))]
    chosen(storage, page.SETTING.key, page.NAME)
    publish_room(storage, site)
    assert b"Anna" in files(site)[f"{IMPORTED}.html"]
    assert f"{IMPORTED}.json" in files(site)
    assert files(site) == from_scratch(storage, site)


def test_club_is_listed_only_if_one_of_its_records_can_be_shown(storage: Storage) -> None:
    site = room()
    with storage.writing() as uow:
        uow.imported.add(replace(resigned(), club="Alpha", heads={}, game_key="gone-9"))
    publish_room(storage, site)
    assert RECORDS_FROM not in files(site)["calendar/index.html"].decode()
    with storage.writing() as uow:
        uow.imported.add(replace(resigned(), club="Alpha", heads={}, match_id=13))
    publish_room(storage, site)
    assert RECORDS_FROM in files(site)["calendar/index.html"].decode()
    [listed] = [files(site)[name].decode() for name in files(site) if name.startswith("imported/")]
    assert "1 match played there." in listed
    with storage.writing() as uow:
        uow.imported.remove("Alpha")
    publish_room(storage, site)
    assert not [name for name in files(site) if name.startswith("imported/")]
