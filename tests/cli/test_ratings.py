"""`pbem standing` and `pbem ratings`, as the operator uses them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pbem.cli import command_line
from pbem.matches.player_actions import resign
from pbem.run.bootstrap.club import build_club
from pbem.run.config import load_config
from pbem.service.play.change import apply
from pbem.service.rating import rate_waiting
from pbem.service.records.publish import publish_all
from pbem.service.work import writing


def run(*words: str) -> Result:
    return CliRunner().invoke(command_line(words), list(words))


def lines(*words: str) -> list[str]:
    done = run(*words)
    assert done.exit_code == 0, done.output
    return done.stdout.splitlines()


@pytest.fixture
def private() -> Iterator[None]:
    """Make new files private from the start, as a `pbem` process does."""
    before = os.umask(0o077)
    yield
    os.umask(before)


@pytest.fixture
def archive(club_folder: Path, private: None) -> Path:
    """The archive of a club whose only match Anna resigned. It is rated."""
    assert run("init", "--defaults").exit_code == 0
    for name in ("Anna", "Bert"):
        assert run("member", "add", name, f"{name.lower()}@mail.example").exit_code == 0
    assert run("match", "new", "lanrick-1893", "Anna", "Bert").exit_code == 0
    config = load_config(club_folder / "pbem.toml")
    club = build_club(config)
    with writing(club) as work:
        match = work.lock_match(1)
        apply(work, match, resign(match, 1, work.now), work.now)
    publish_all(club.storage, club.archive, club.clock)
    rate_waiting(club)
    club.storage.close()
    return config.archive_dir


def test_standing_lists_ratings_and_the_seats_share(archive: Path) -> None:
    assert archive.is_dir()
    seats = "Lanrick (1893), 2 sides, 1 match: yellow 0.0 % ± 54.4, black 100.0 % ± 54.4"
    due = [
        "Bert  1579 ± 484, 1 match, provisional",
        "Anna  1421 ± 484, 1 match, provisional",
        f"{seats} (even would be 50.0 %)",
    ]
    assert lines("standing") == due
    assert lines("standing", "lanrick-1893") == due
    assert lines("standing", "lanko-68") == ["nobody has a rating yet"]
    assert lines("standing", "anna") == [
        "all games  1421 ± 484, 1 match, provisional",
        "Lanrick (1893)  1421 ± 484, 1 match, provisional",
    ]
    found = json.loads(run("standing", "lanrick-1893", "--json").stdout)
    assert [(each["name"], each["rating"]) for each in found["people"]] == [
        ("Bert", 1579),
        ("Anna", 1421),
    ]
    assert [each["share"] for each in found["seats"]] == [0, 1]
    assert run("standing", "Clara").exit_code != 0


def rebuilt(matches: int, missing: int = 0, superfluous: int = 0) -> str:
    wrong = f"{missing} missing, 0 different, {superfluous} superfluous"
    return f"rated matches: {matches}; kept ratings: {wrong}"


def test_ratings_are_rebuilt_from_the_archive(archive: Path) -> None:
    assert lines("ratings", "rebuild") == [rebuilt(1)]
    for file in archive.glob("match-*"):
        file.unlink()
    assert lines("ratings", "rebuild") == [rebuilt(0, superfluous=1)]
    assert lines("standing") == ["nobody has a rating yet"]
    assert run("archive", "publish").exit_code == 0
    assert lines("ratings", "rebuild") == [rebuilt(1, missing=1)]
    (archive / "match-000001-lanrick-1893.json").write_text("{}")
    broken = run("ratings", "rebuild")
    assert broken.exit_code != 0
    assert "match-000001-lanrick-1893.json cannot be read" in broken.output
