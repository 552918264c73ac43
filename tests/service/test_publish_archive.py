"""Test that records of ended matches are written despite interruptions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from pbem.archive.files import ArchiveFile, read_record
from pbem.matches.competition_place import Place
from pbem.matches.competitions.set import MatchSet
from pbem.matches.match import MatchOptions
from pbem.ports.storage import Storage, UnitOfWork
from pbem.service.records.imports import publish_imported
from pbem.service.records.publish import publish_again, publish_all, whole_index
from tests.fakes.archive import FakeArchive
from tests.fakes.clock import FakeClock
from tests.fakes.storage import FakeStorage
from tests.matches.playing import ANNA, BERT, CLARA, START
from tests.matches.records import resigned
from tests.service.stored_matches import ended, stored, two_turns_played, unarchived, with_players

CLOCK = FakeClock(START)


class Killed(BaseException):
    """Raised when the process is killed."""


class DiesBeforeWriting:
    """A storage whose process is killed before its first write."""

    def __init__(self, storage: Storage) -> None:
        self.reading = storage.reading
        self.close = storage.close
        self.wake_by = storage.wake_by
        self.wipe = storage.wipe

    @contextmanager
    def writing(self) -> Iterator[UnitOfWork]:
        raise Killed
        yield


class DiesAfter(FakeArchive):
    """An archive that accepts a limited number of files."""

    def __init__(self, files: int, error: BaseException) -> None:
        super().__init__()
        self.left, self.error = files, error

    def write(self, name: str, data: bytes) -> None:
        if self.left == 0:
            raise self.error
        self.left -= 1
        super().write(name, data)


class ForgetsWhileWriting(FakeArchive):
    """An archive in which a club is forgotten while one of its files is written."""

    def __init__(self, storage: Storage) -> None:
        super().__init__()
        self.storage = storage

    def write(self, name: str, data: bytes) -> None:
        super().write(name, data)
        with self.storage.writing() as uow:
            for club in uow.imported.clubs():
                uow.imported.remove(club)


class RefusesOne(FakeArchive):
    """An archive that cannot write the first imported record."""

    def write(self, name: str, data: bytes) -> None:
        if name.startswith("imported-000001-"):
            raise OSError("no space left")
        super().write(name, data)


@pytest.fixture
def storage() -> Storage:
    return with_players(FakeStorage())


def test_ended_match_is_written_and_marked(storage: Storage) -> None:
    archive, match_id = FakeArchive(), stored(storage, ended())
    assert publish_all(storage, archive, CLOCK) == [match_id]
    assert archive.names() == [
        "index.txt",
        "match-000001-lanko-68.json",
        "match-000001-lanko-68.txt",
        "record.schema.json",
    ]
    record = replace(ended().record(), match_id=match_id)
    for name in archive.names()[1:3]:
        assert read_record(ArchiveFile(name, archive.files[name])) == record
    assert b"Bert wins" in archive.files["index.txt"]
    assert unarchived(storage) == []


def test_running_match_is_left_alone(storage: Storage) -> None:
    archive = FakeArchive()
    stored(storage, two_turns_played())
    assert publish_all(storage, archive, CLOCK) == []
    assert archive.names() == []


@pytest.mark.parametrize("files", (0, 1, 2, 3))
def test_crash_between_files_is_repaired(storage: Storage, files: int) -> None:
    match_id = stored(storage, ended())
    archive = DiesAfter(files, Killed())
    with pytest.raises(Killed):
        publish_all(storage, archive, CLOCK)
    assert unarchived(storage) == [match_id]
    archive.left = 99
    assert publish_all(storage, archive, CLOCK) == [match_id]
    assert len(archive.names()) == 4


def test_crash_before_the_mark_is_repaired(storage: Storage) -> None:
    archive, match_id = FakeArchive(), stored(storage, ended())
    with pytest.raises(Killed):
        publish_all(DiesBeforeWriting(storage), archive, CLOCK)
    before = dict(archive.files)
    assert unarchived(storage) == [match_id]
    assert publish_all(storage, archive, CLOCK) == [match_id]
    assert {name: archive.files[name] for name in before} == before
    assert unarchived(storage) == []


@pytest.mark.parametrize("files", (0, 1, 2, 3))
def test_publish_continues_after_a_full_disk(storage: Storage, files: int) -> None:
    """The index and the schema follow the record's two files."""
    match_id = stored(storage, ended())
    archive = DiesAfter(files, OSError(28, "No space left on device"))
    assert publish_all(storage, archive, CLOCK) == []
    assert unarchived(storage) == [match_id]
    archive.left = 99
    assert publish_all(storage, archive, CLOCK) == [match_id]


def test_every_ended_match_is_published(storage: Storage) -> None:
    archive = FakeArchive()
    first, _, third = (
        stored(storage, contest) for contest in (ended(), two_turns_played(), ended())
    )
    assert publish_all(storage, archive, CLOCK) == [first, third]
    assert [name for name in archive.names() if name.endswith(".txt")] == [
        "index.txt",
        "match-000001-lanko-68.txt",
        "match-000003-lanko-68.txt",
    ]
    assert archive.files["index.txt"].startswith(b"2 matches have ended.")


def test_match_of_a_set_adds_the_table_of_the_set(storage: Storage) -> None:
    # Clara, Bert and Anna entered in this order, so Bert is solo in match 2, and gets 96 points.
    archive, contest = FakeArchive(), ended()
    with storage.writing() as uow:
        options = MatchOptions()
        match_set = uow.competitions.add(MatchSet("lanko-68", (CLARA, BERT, ANNA), options, START))
    contest.match = replace(contest.match, place=Place(match_set.id, 2, 2))
    stored(storage, contest)
    publish_all(storage, archive, CLOCK)
    lines = archive.files["set-000001-lanko-68.txt"].decode().splitlines()
    assert lines[2:6] == [
        "           1      2      3    sum",
        "Clara      .    -96      .    -96",
        "Bert       .    +96      .    +96",
        "Anna       .    -96      .    -96",
    ]


def test_continued_index_equals_a_new_one(storage: Storage) -> None:
    archive = FakeArchive()
    with storage.writing() as uow:
        options, players = MatchOptions(), (CLARA, BERT, ANNA)
        first, second = (
            uow.competitions.add(MatchSet("lanko-68", players, options, START)) for _ in range(2)
        )
    for place in (None, Place(second.id, 1, 1), Place(first.id, 1, 1), None, Place(first.id, 2, 2)):
        contest = ended()
        contest.match = replace(contest.match, place=place)
        stored(storage, contest)
        publish_all(storage, archive, CLOCK)
        assert archive.files["index.txt"] == _index(storage)
    for damaged in (b"", b"nothing", archive.files["index.txt"][:-40], b"1 match has ended.\n"):
        archive.files["index.txt"] = damaged
        stored(storage, ended())
        publish_all(storage, archive, CLOCK)
        assert archive.files["index.txt"] == _index(storage)


def _index(storage: Storage) -> bytes:
    with storage.reading() as uow:
        return whole_index(uow).data


# ------------------------------------------------------------------ publishing on command


@pytest.fixture
def published(storage: Storage) -> FakeArchive:
    """Return the archive of a set and two other matches, one of them running."""
    options = MatchOptions(draw_offers=False, game={"repetition": 1, "quiet_limit": 200})
    with storage.writing() as uow:
        match_set = uow.competitions.add(MatchSet("lanko-68", (CLARA, BERT, ANNA), options, START))
    of_set = ended()
    of_set.match = replace(of_set.match, place=Place(match_set.id, 2, 2))
    for contest in (of_set, two_turns_played(), ended()):
        stored(storage, contest)
    archive = FakeArchive()
    publish_all(storage, archive, CLOCK)
    return archive


def test_removed_archive_is_written_again(storage: Storage, published: FakeArchive) -> None:
    archive = FakeArchive()
    done = publish_again(storage, archive, CLOCK)
    assert archive.files == published.files
    assert sorted(done.missing) == published.names()
    assert (done.different, done.again, done.problems) == ([], [], [])


@pytest.mark.parametrize("number", range(7))
def test_missing_or_different_file_is_written_again(
    storage: Storage, published: FakeArchive, number: int
) -> None:
    before, name = dict(published.files), published.names()[number]
    assert len(before) == 7
    published.files[name] += b" "
    done = publish_again(storage, published, CLOCK)
    assert (done.missing, done.different, len(done.again)) == ([], [name], 6)
    del published.files[name]
    assert publish_again(storage, published, CLOCK).missing == [name]
    assert published.files == before


def test_all_files_are_written_on_request(storage: Storage, published: FakeArchive) -> None:
    written: list[str] = []

    class Counting(FakeArchive):
        def write(self, name: str, data: bytes) -> None:
            written.append(name)

    counting = Counting()
    counting.files = dict(published.files)
    publish_again(storage, counting, CLOCK)
    assert written == []
    done = publish_again(storage, counting, CLOCK, everything=True)
    assert sorted(written) == sorted(done.again) == published.names()


def test_change_in_the_database_does_not_replace_existing_files(
    storage: Storage, published: FakeArchive
) -> None:
    before = dict(published.files)
    with storage.writing() as uow:
        match = uow.matches.get(3)
        assert match.result is not None
        result = replace(match.result, winners=("S", "N"))
        uow.matches.save(replace(match, result=result))
    done = publish_again(storage, published, CLOCK, everything=True)
    told = "The history has been changed: entry 5, the result does not agree with its head."
    assert done.problems == [
        f"Match 3: its record is not written: {told}",
        "The index and all tables are left as they are.",
    ]
    assert published.files == before


def test_full_disk_is_reported_file_by_file(storage: Storage) -> None:
    stored(storage, ended())
    archive = DiesAfter(1, OSError(28, "No space left on device"))
    done = publish_again(storage, archive, CLOCK)
    assert len(done.missing) == 1
    assert "cannot be written: No space left" in done.problems[0]
    assert unarchived(storage) == [1]


class Renames(FakeArchive):
    """An archive that renames Anna while its first file is written."""

    def __init__(self, storage: Storage) -> None:
        super().__init__()
        self.storage: Storage | None = storage

    def write(self, name: str, data: bytes) -> None:
        super().write(name, data)
        if self.storage is not None:
            with self.storage.writing() as uow:
                uow.players.rename(ANNA, "Johanna")
                uow.matches.archive_again(ANNA)
            self.storage = None


def test_name_changed_meanwhile_is_written_next_time(storage: Storage) -> None:
    archive, match_id = Renames(storage), stored(storage, ended())
    assert publish_all(storage, archive, CLOCK) == []
    assert unarchived(storage) == [match_id]
    assert publish_all(storage, archive, CLOCK) == [match_id]
    assert b"Johanna" in archive.files["match-000001-lanko-68.txt"]
    assert b"Johanna" in archive.files["index.txt"]


def test_club_forgotten_while_its_records_are_written_leaves_no_file(storage: Storage) -> None:
    with storage.writing() as uow:
        uow.imported.add(resigned())
    archive = ForgetsWhileWriting(storage)
    publish_imported(storage, archive)
    assert not archive.files


def test_imported_record_that_cannot_be_written_holds_up_no_other(storage: Storage) -> None:
    with storage.writing() as uow:
        uow.imported.add(resigned())
        uow.imported.add(replace(resigned(), match_id=13, heads={}))
    archive = RefusesOne()
    publish_imported(storage, archive)
    assert "imported-000002-lanko-68.json" in archive.files
    with storage.reading() as uow:
        assert uow.imported.unwritten() == [1]
