"""Records of ended matches are written, whatever is interrupted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from pbem.archive.files import ArchiveFile, read_record
from pbem.matches.match import MatchOptions
from pbem.matches.sets import MatchSet
from pbem.service.ports import Storage, UnitOfWork
from pbem.service.publish_archive import publish_all
from tests.fakes.archive import FakeArchive
from tests.fakes.clock import FakeClock
from tests.fakes.storage import FakeStorage
from tests.matches.playing import ANNA, BERT, CLARA, START
from tests.service.stored_matches import begun, ended, stored, unarchived, with_players

CLOCK = FakeClock(START)


class Killed(BaseException):
    """The process was killed here."""


class DiesBeforeWriting:
    """A storage of a process that is killed when it first wants to write."""

    def __init__(self, storage: Storage) -> None:
        self.reading = storage.reading
        self.close = storage.close

    @contextmanager
    def writing(self) -> Iterator[UnitOfWork]:
        raise Killed
        yield


class DiesAfter(FakeArchive):
    """An archive in which only so many files can be written."""

    def __init__(self, files: int, error: BaseException) -> None:
        super().__init__()
        self.left, self.error = files, error

    def write(self, name: str, data: bytes) -> None:
        if self.left == 0:
            raise self.error
        self.left -= 1
        super().write(name, data)


@pytest.fixture
def storage() -> Storage:
    return with_players(FakeStorage())


def test_an_ended_match_is_written_and_marked(storage: Storage) -> None:
    archive, match_id = FakeArchive(), stored(storage, ended())
    assert publish_all(storage, archive, CLOCK) == [match_id]
    assert archive.names() == [
        "index.txt",
        "match-000001-lanko-68.json",
        "match-000001-lanko-68.txt",
    ]
    record = replace(ended().record(), match_id=match_id)
    for name in archive.names()[1:]:
        assert read_record(ArchiveFile(name, archive.files[name])) == record
    assert b"Bert wins" in archive.files["index.txt"]
    assert unarchived(storage) == []


def test_a_match_that_is_played_is_left_alone(storage: Storage) -> None:
    archive = FakeArchive()
    stored(storage, begun())
    assert publish_all(storage, archive, CLOCK) == []
    assert archive.names() == []


@pytest.mark.parametrize("files", (0, 1, 2))
def test_a_crash_between_files_is_made_good(storage: Storage, files: int) -> None:
    match_id = stored(storage, ended())
    archive = DiesAfter(files, Killed())
    with pytest.raises(Killed):
        publish_all(storage, archive, CLOCK)
    assert unarchived(storage) == [match_id]
    archive.left = 99
    assert publish_all(storage, archive, CLOCK) == [match_id]
    assert len(archive.names()) == 3


def test_a_crash_before_the_mark_is_made_good(storage: Storage) -> None:
    archive, match_id = FakeArchive(), stored(storage, ended())
    with pytest.raises(Killed):
        publish_all(DiesBeforeWriting(storage), archive, CLOCK)
    before = dict(archive.files)
    assert unarchived(storage) == [match_id]
    assert publish_all(storage, archive, CLOCK) == [match_id]
    assert {name: archive.files[name] for name in before} == before
    assert unarchived(storage) == []


@pytest.mark.parametrize("files", (0, 1, 2))
def test_a_full_disk_is_waited_for(storage: Storage, files: int) -> None:
    """The index is the last of the three files."""
    match_id = stored(storage, ended())
    archive = DiesAfter(files, OSError(28, "No space left on device"))
    assert publish_all(storage, archive, CLOCK) == []
    assert unarchived(storage) == [match_id]
    archive.left = 99
    assert publish_all(storage, archive, CLOCK) == [match_id]


def test_every_ended_match_is_published(storage: Storage) -> None:
    archive = FakeArchive()
    first, _, third = (stored(storage, contest) for contest in (ended(), begun(), ended()))
    assert publish_all(storage, archive, CLOCK) == [first, third]
    assert [name for name in archive.names() if name.endswith(".txt")] == [
        "index.txt",
        "match-000001-lanko-68.txt",
        "match-000003-lanko-68.txt",
    ]
    assert archive.files["index.txt"].startswith(b"2 matches have ended.")


def test_a_match_of_a_set_brings_the_table_of_the_set(storage: Storage) -> None:
    # Clara, Bert and Anna entered in this order, so Bert is solo in match 2; he gets 96 points.
    archive, contest = FakeArchive(), ended()
    with storage.writing() as uow:
        options = MatchOptions()
        match_set = uow.sets.add(MatchSet(0, "lanko-68", (CLARA, BERT, ANNA), options, START))
    contest.match = replace(contest.match, set_id=match_set.id, set_index=2)
    stored(storage, contest)
    publish_all(storage, archive, CLOCK)
    lines = archive.files["set-000001-lanko-68.txt"].decode().splitlines()
    assert lines[2:6] == [
        "           1      2      3    sum",
        "Clara      .    -96      .    -96",
        "Bert       .    +96      .    +96",
        "Anna       .    -96      .    -96",
    ]
