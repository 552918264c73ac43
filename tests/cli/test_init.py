"""Test `pbem init`: its questions, the answers it accepts and the files it writes."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pbem.cli import command_line
from pbem.cli.exit_statuses import ExitStatus
from pbem.run.config import load_config

GOOD = ("wojna", "club@games.example", "me@games.example", "data", "mail.example", "", "", "pass")


HIDING = (
    "cl\u200bub@x.example",
    '"club"@x.example',
    "cl(x)ub@x.example",
    "=?utf-8?q?club?=@x.example",
)
"""Addresses that hide something or that no email could come from."""


def init(path: Path, *answers: str) -> Result:
    typed = "".join(f"{answer}\n" for answer in answers)
    return CliRunner().invoke(command_line(["init"]), ["init", str(path)], input=typed)


def test_answers_are_configured(tmp_path: Path) -> None:
    path = tmp_path / "pbem.toml"
    written = init(path, *GOOD[:-1], 'pa"ss\\')
    assert written.exit_code == 0, written.output
    config = load_config(path)
    assert (config.club.name, config.club.address) == ("wojna", "club@games.example")
    assert config.club.director == "me@games.example"
    assert config.club.data_dir == tmp_path / "data"
    assert (config.imap.host, config.smtp.host) == ("mail.example", "mail.example")
    assert config.smtp.user == "club@games.example"
    assert config.imap.password.get_secret_value() == 'pa"ss\\'


@pytest.mark.parametrize(
    ("given", "host", "port", "security"),
    (
        ("mail.example", "mail.example", 0, "tls"),
        ("mail.example:993", "mail.example", 993, "tls"),
        ("mail.example:143", "mail.example", 143, "starttls"),
        (" mail.example:10993 ", "mail.example", 10993, "tls"),
        ("localhost", "localhost", 0, "none"),
        ("localhost:1143", "localhost", 1143, "none"),
        ("127.0.0.1:993", "127.0.0.1", 993, "tls"),
        ("[::1]:1143", "::1", 1143, "none"),
        ("::1", "::1", 0, "none"),
    ),
)
def test_server_is_given_with_its_port(
    tmp_path: Path, given: str, host: str, port: int, security: str
) -> None:
    path = tmp_path / "pbem.toml"
    written = init(path, *GOOD[:4], given, *GOOD[5:])
    assert written.exit_code == 0, written.output
    imap = load_config(path).imap
    assert (imap.host, imap.port, imap.security) == (host, port, security)


@pytest.mark.parametrize(
    ("place", "wrong", "reason"),
    (
        (0, "żółw", "without accents"),
        (0, "a" * 40, "up to 31 letters"),
        (1, "not an address", "it is not a plain email address, such as club@example.org"),
        (1, "club", "it is not a plain email address"),
        (1, "a-very-long-name-of-a-club-of-games@games.example", "at most 24 characters"),
        *((1, address, "it is not a plain email address") for address in HIDING),
        (2, HIDING[0], "it is not a plain email address"),
        (2, "nobody", "it is not a plain email address"),
        (2, "Club@Games.example", "that is the club's own address"),
        (2, "club+me@games.example", "that is the club's own address"),
        (4, "mail.example:imap", "imap is not a port"),
        (4, "mail.example:99999", "99999 is not a port"),
        (4, "https://mail.example", "the name of a server"),
        (5, "mail example", "the name of a server"),
    ),
)
def test_invalid_answer_is_explained_and_asked_again(
    tmp_path: Path, place: int, wrong: str, reason: str
) -> None:
    path = tmp_path / "pbem.toml"
    written = init(path, *GOOD[:place], wrong, *GOOD[place:])
    assert written.exit_code == 0, written.output
    assert reason in written.output
    assert load_config(path).club.director == "me@games.example"


def test_existing_file_is_refused_before_any_question(tmp_path: Path) -> None:
    path = tmp_path / "pbem.toml"
    path.write_text("kept")
    refused = init(path)
    assert refused.exit_code == 1
    assert (
        refused.output == f"pbem: {path} exists already and is not changed. Choose another name\n"
    )
    assert path.read_text() == "kept"


def test_missing_folder_is_created_private(tmp_path: Path) -> None:
    path = tmp_path / "etc" / "pbem" / "pbem.toml"
    assert init(path, *GOOD).exit_code == 0
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [file.name for file in path.parent.iterdir()] == ["pbem.toml"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody who may not write")
def test_unwritable_folder_is_refused() -> None:
    path = Path("/etc/pbem-of-nobody/pbem.toml")
    os.seteuid(65534)
    try:
        refused = init(path, *GOOD)
    finally:
        os.seteuid(0)
    assert refused.exit_code == ExitStatus.CONFIGURATION
    assert f"pbem: cannot write {path}: Permission denied\n" in refused.output


def test_file_in_place_of_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "etc").write_text("")
    refused = init(tmp_path / "etc" / "pbem.toml", *GOOD)
    assert refused.exit_code == ExitStatus.CONFIGURATION
    assert "cannot write " in refused.output


def test_invalid_environment_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_IMAP__PORT", "many")
    refused = init(tmp_path / "pbem.toml", *GOOD)
    assert refused.exit_code == ExitStatus.CONFIGURATION
    assert "[imap] port" in refused.output
    assert list(tmp_path.iterdir()) == []
