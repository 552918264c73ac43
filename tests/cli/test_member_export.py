"""Test `pbem member export`, which packs a member's data into one file."""

from __future__ import annotations

import json
from email import message_from_bytes, policy
from pathlib import Path
from zipfile import ZipFile

import pytest
from typer.testing import CliRunner, Result

from pbem.archive.files import ArchiveFile, read_record
from pbem.cli import command_line


def run(*words: str) -> Result:
    return CliRunner().invoke(command_line(words), list(words))


@pytest.fixture
def club(club_folder: Path) -> Path:
    """Return the folder of a club in which Annabella plays Bert."""
    assert run("init", "--defaults").exit_code == 0
    for name, address in (("Annabella", "a17@mail.example"), ("Bert", "bert@mail.example")):
        assert run("member", "add", name, address, "--time-zone", "Europe/Paris").exit_code == 0
    assert run("match", "new", "lanko-68", "Annabella", "Bert").exit_code == 0
    assert run("member", "role", "Bert", "director").exit_code == 0
    assert run("leave", "Annabella", "7", "days").exit_code == 0
    return club_folder


def test_export_is_private_readable_and_complete(club: Path) -> None:
    told = run("member", "export", "annabella")
    assert told.exit_code == 0, told.output
    path = club / "member-1.zip"
    assert "member-1.zip: " in told.output
    assert path.stat().st_mode & 0o777 == 0o600
    with ZipFile(path) as packed:
        assert packed.testzip() is None
        files = {name: packed.read(name) for name in packed.namelist()}
    readme = files["README.txt"].decode()
    assert "What pbem keeps about Annabella" in readme
    assert max(map(len, readme.splitlines())) <= 110
    assert json.loads(files["addresses.json"])[0]["address"] == "a17@mail.example"
    (leave,) = json.loads(files["leaves.json"])
    assert leave["first_day"] < leave["last_day"]
    record = read_record(ArchiveFile("x.json", files["matches/match-000001-lanko-68.json"]))
    assert "Bert" in str(record)
    mails = [name for name in files if name.startswith("mails-to-you/")]
    assert len(mails) == len(json.loads(files["mails_to_you.json"])) > 0
    for mail in mails:
        letter = message_from_bytes(files[mail], policy=policy.default)
        assert "a17@mail.example" in str(letter["To"])
    assert not any(b"bert@mail.example" in content for content in files.values())
    (decision,) = json.loads(files["decisions.json"])
    assert decision["line"].startswith("leave Annabella")


def test_exported_decision_of_a_director_names_people(club: Path) -> None:
    assert run("member", "export", "Bert", str(club / "b.zip")).exit_code == 0
    with ZipFile(club / "b.zip") as packed:
        (decision,) = json.loads(packed.read("decisions.json"))
    assert (decision["line"], decision["by"]) == ("role Bert director", None)


def test_export_does_not_overwrite_a_file(club: Path) -> None:
    (club / "member-1.zip").write_text("mine")
    refused = run("member", "export", "Annabella")
    assert refused.exit_code == 1
    assert "member-1.zip: File exists" in refused.output
    assert (club / "member-1.zip").read_text() == "mine"
    assert "there is no member Nobody" in run("member", "export", "Nobody").output
