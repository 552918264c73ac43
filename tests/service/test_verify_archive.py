"""Test the findings of `pbem archive verify`."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.ports.storage import Storage
from pbem.service.records.publish import publish_all
from pbem.service.records.verify import verify_all
from tests.fakes.archive import FakeArchive
from tests.fakes.clock import FakeClock
from tests.fakes.storage import FakeStorage
from tests.matches.playing import START
from tests.service.stored_matches import ended, stored, two_turns_played, with_players

TEXT, JSON = "match-000001-lanko-68.txt", "match-000001-lanko-68.json"


@pytest.fixture
def storage() -> Storage:
    return with_players(FakeStorage())


@pytest.fixture
def archive(storage: Storage) -> FakeArchive:
    """Return the archive of a storage with an ended match 1 and a running match 2."""
    stored(storage, ended())
    stored(storage, two_turns_played())
    archive = FakeArchive()
    publish_all(storage, archive, FakeClock(START))
    return archive


def problems(storage: Storage, archive: FakeArchive) -> list[str]:
    return list(verify_all(storage, archive))


def test_intact_archive_has_no_problems(storage: Storage, archive: FakeArchive) -> None:
    assert problems(storage, archive) == []


def test_empty_club_has_no_problems() -> None:
    assert problems(FakeStorage(), FakeArchive()) == []


def test_unwritten_record_is_reported(storage: Storage, archive: FakeArchive) -> None:
    stored(storage, ended())
    assert problems(storage, archive) == [
        "Match 3: It has ended, but its record has not been written yet."
    ]


def test_lost_file_is_reported(storage: Storage, archive: FakeArchive) -> None:
    del archive.files[JSON]
    assert problems(storage, archive) == [f"Match 1: {JSON} is missing in the archive."]


def test_damaged_file_is_reported(storage: Storage, archive: FakeArchive) -> None:
    archive.files[TEXT] = archive.files[TEXT].replace(b'"12', b"12").replace(b'h "1"', b'h "1')
    assert problems(storage, archive) == [
        f'Match 1: {TEXT} cannot be read: line 3: \'[Match "1]\' is not a tag like [Match "12"].'
    ]


def test_altered_move_is_reported(storage: Storage, archive: FakeArchive) -> None:
    archive.files[TEXT] = archive.files[TEXT].replace(b"[18-19]", b"[26-27]")
    assert problems(storage, archive) == [
        f"Match 1: {TEXT} differs from the database: action 2 differs."
    ]


def test_altered_result_is_reported(storage: Storage, archive: FakeArchive) -> None:
    archive.files[JSON] = archive.files[JSON].replace(b'"days": 5', b'"days": 50')
    assert problems(storage, archive) == [
        f"Match 1: {JSON} differs from the database: days is 50 there, 5 here."
    ]


def test_other_line_ends_are_no_problem(storage: Storage, archive: FakeArchive) -> None:
    archive.files[TEXT] = archive.files[TEXT].replace(b"\n", b"\r\n")
    assert problems(storage, archive) == []


def test_schema_of_an_older_pbem_is_no_problem(storage: Storage, archive: FakeArchive) -> None:
    archive.files["record.schema.json"] = b"{}"
    assert problems(storage, archive) == []


def test_file_of_an_unknown_match_is_reported(storage: Storage, archive: FakeArchive) -> None:
    archive.files["match-000009-lanko-68.txt"] = archive.files[TEXT]
    assert problems(storage, archive) == [
        "match-000009-lanko-68.txt is the record of a match that the database does not have."
    ]


def test_unplayable_action_is_reported(storage: Storage) -> None:
    contest = two_turns_played()
    actions = [contest.actions[0], contest.actions[1]._replace(text="[18-A]")]
    stored(storage, contest, actions)
    assert problems(storage, FakeArchive()) == [
        "Match 1: Action 2, [18-A] by W in turn 2, cannot be played: square A is occupied."
    ]


def test_passes_against_the_rules_are_reported(storage: Storage) -> None:
    contest = two_turns_played()
    actions = [contest.actions[0]._replace(passed=("W", "N")), contest.actions[1]]
    stored(storage, contest, actions)
    assert problems(storage, FakeArchive()) == [
        "Match 1: Passes after action 1 are W, N, but by the rules none."
    ]


def test_match_that_differs_from_its_actions_is_reported(storage: Storage) -> None:
    contest = two_turns_played()
    contest.match = replace(contest.match, turn=4, to_act="E", actions=3)
    stored(storage, contest)
    assert problems(storage, FakeArchive()) == [
        "Match 1: It has 3 actions, but those stored are numbered 1, 2.",
        "Match 1: It is at turn 4 of E, but its actions lead to turn 3 of N.",
    ]
