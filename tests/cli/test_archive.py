"""Test `pbem archive` as the operator, a reader and a player use it."""

from __future__ import annotations

import mailbox
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pbem.cli import command_line
from pbem.mail.outgoing.kinds import MatchOver
from pbem.mail.outgoing.letter import to_bytes
from pbem.matches.player_actions import resign
from pbem.run.bootstrap.club import build_club
from pbem.run.config import load_config
from pbem.service.club import Club
from pbem.service.play.change import apply
from pbem.service.post.post import post, view_of
from pbem.service.records.publish import publish_all
from pbem.service.work import writing
from tests.support.stored import claim

TEXT = "match-000001-lanrick-1893.txt"


def run(*words: str | Path) -> Result:
    said = [str(word) for word in words]
    return CliRunner().invoke(command_line(said), said)


@pytest.fixture
def private() -> Iterator[None]:
    """Make new files private from the start, as a `pbem` process does."""
    before = os.umask(0o077)
    yield
    os.umask(before)


@pytest.fixture
def archive(club_folder: Path, private: None) -> Path:
    """Return the archive of a club whose only match Anna resigned. Bert's emails are next to it."""
    assert run("init", "--defaults").exit_code == 0
    for name in ("Anna", "Bert"):
        assert run("member", "add", name, f"{name.lower()}@mail.example").exit_code == 0
    assert run("match", "new", "lanrick-1893", "Anna", "Bert").exit_code == 0
    config = load_config(club_folder / "pbem.toml")
    club = build_club(config)
    _resigns(club)
    with writing(club) as work:
        mails = [queued.mail for queued in claim(work, club.clock.now(), club.clock.now(), 9)]
    box = mailbox.mbox(club_folder / "bert.mbox")
    kept = mailbox.Maildir(club_folder / "bert", create=True)
    for mail in mails:
        if mail.recipient.startswith("bert"):
            raw = to_bytes(mail.letter)
            box.add(raw)
            kept.add(raw)
            (club_folder / "one.eml").write_bytes(raw)
    box.add("From: bert@mail.example\n\nHistory of match 1, entry 0: aaaa-aaaa-aaaa-aaaa.\n")
    box.close()
    club.storage.close()
    return config.archive_dir


def _resigns(club: Club) -> None:
    with writing(club) as work:
        match = work.lock_match(1)
        change = resign(match, 1, work.now)
        ended = apply(work, match, change, work.now)
        bert = view_of(work, ended, work.players.get(2))
        post(work, MatchOver(bert, author="Anna"), bert.you)
    assert publish_all(club.storage, club.archive, club.clock) == [1]


def test_publish_restores_removed_archive(archive: Path) -> None:
    before = {file.name: file.read_bytes() for file in archive.iterdir()}
    assert run("archive", "publish").stdout.startswith("0 written, 4 up to date\n")
    shutil.rmtree(archive)
    assert run("archive", "verify").exit_code == 1
    assert run("archive", "publish").stdout.startswith("4 written, 0 up to date\n")
    assert {file.name: file.read_bytes() for file in archive.iterdir()} == before
    (archive / TEXT).write_text("[Match")
    assert f"{TEXT} has changed\n1 written, 3 up to date" in run("archive", "publish").stdout
    assert run("archive", "publish", "--all").stdout.startswith("4 written\n")
    assert run("archive", "verify").exit_code == 0


def test_archive_verifies_without_club(archive: Path, tmp_path: Path) -> None:
    (tmp_path / "pbem.toml").unlink()
    done = run("archive", "verify", archive)
    assert (done.exit_code, done.output) == (
        0,
        "2 records agree with the rules and its heads; skipped: 2 other files\n",
    )
    text = (archive / TEXT).read_text()
    forged = tmp_path / "forged.txt"
    forged.write_text(text.replace("yellow  {resigns", "black  {resigns"))
    done = run("archive", "verify", forged)
    assert done.exit_code == 1
    assert "forged.txt: The history has been changed" in done.output
    assert "By the result, yellow resigned. By the history, black did." in done.output
    done = run("archive", "verify", tmp_path / "nowhere.txt")
    assert done.exit_code == 1
    assert "nowhere.txt: No such file" in done.output
    other = archive / "match-000001-lanrick-1893.json"
    other.write_text(other.read_text().replace('"Anna"', '"Zoe"'))
    done = run("archive", "verify", archive)
    assert "differs from match-000001-lanrick-1893.txt: the player on yellow is Zoe there" in (
        done.output
    )


@pytest.mark.parametrize("mails", ("bert.mbox", "bert", "one.eml"))
def test_player_audits_archive_without_club(archive: Path, tmp_path: Path, mails: str) -> None:
    (tmp_path / "pbem.toml").unlink()
    done = run("archive", "audit", tmp_path / mails, "--archive", archive)
    assert done.exit_code == 0, done.output
    count = "1 mail" if mails == "one.eml" else "2 mails"
    assert f"compared: {count} of 1 match\n" in done.output
    assert done.output.endswith("all agree with the archive\n")
    text = (archive / TEXT).read_text()
    (archive / TEXT).write_text(text.replace('[Days "5"]', '[Days "6"]'))
    assert run("archive", "audit", tmp_path / mails, "--archive", archive).exit_code == 1


def test_operator_audits_archive_from_configuration(archive: Path, tmp_path: Path) -> None:
    assert run("archive", "audit", tmp_path / "bert.mbox").exit_code == 0
    other = run("archive", "audit", tmp_path / "bert.mbox", "--club", "other@games.example")
    assert other.exit_code == 1
    assert "nothing was compared" in other.output
    assert "does not exist" in run("archive", "audit", "x", "--archive", "nowhere").output
    assert "x: No such file" in run("archive", "audit", "x").output


def test_match_show_prints_head(archive: Path) -> None:
    assert "\nHistory of match 1, entry 2: " in run("match", "show", "1").output
