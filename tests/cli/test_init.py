"""Test `pbem init`: its questions, the answers it accepts and the files it writes."""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from pydantic import BaseModel, SecretStr
from typer.testing import CliRunner, Result

from pbem.cli import command_line, new_config
from pbem.cli.exit_statuses import ExitStatus
from pbem.cli.new_config import Answers
from pbem.run.config import Config, OAuthSection, load_config

GOOD = (
    *("wojna", "club@games.example", "me@games.example"),
    *("", "", "", ""),
    *("data", "mail.example", "", "", "pass"),
)
CHOICES, IMAP, SMTP = 3, 8, 9
"""Places of the first question with a default in all clubs, and of the mail servers."""
SETTING = re.compile(r"# (\w+ = .+|\[[a-z.]+\])")
"""Matches a setting, or a section, that is commented out."""


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


def test_enter_accepts_the_default_that_each_question_shows(tmp_path: Path) -> None:
    path = tmp_path / "pbem.toml"
    told = init(path, *GOOD).output
    for shown in ("[en]", "closed [open]", "(0: none) [5]", "off [live]"):
        assert shown in told
    config = load_config(path)
    assert (config.club.language, config.club.joining, config.club.bot_matches) == ("en", "open", 5)
    assert (config.site.enabled, config.site.public) == (True, "live")


def test_club_of_the_service_is_in_the_folder_it_may_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(new_config, "SERVICE_CONFIG", tmp_path)
    monkeypatch.setattr(new_config, "SERVICE_DATA", f"{tmp_path}/elsewhere")
    asked, not_asked = tmp_path / "asked.toml", tmp_path / "defaults.toml"
    told = init(asked, *GOOD[:7], "", *GOOD[8:]).output
    assert f"[{tmp_path}/elsewhere]" in told.replace("\n", "")
    words = ["init", str(not_asked), "--defaults"]
    CliRunner().invoke(command_line(words), words)
    for path in (asked, not_asked):
        assert load_config(path).club.data_dir == tmp_path / "elsewhere"


OPTIONS = ("--language=en", "--joining=closed", "--bot-matches=0", "--reading-room=off")


@pytest.mark.parametrize("answers", ((*GOOD[:CHOICES], *GOOD[CHOICES + 4 :]), None))
def test_options_are_configured_and_not_asked_about(
    tmp_path: Path, answers: tuple[str, ...] | None
) -> None:
    path = tmp_path / "pbem.toml"
    words = ["init", str(path), *OPTIONS, *([] if answers else ["--defaults"])]
    typed = "".join(f"{answer}\n" for answer in answers or ())
    written = CliRunner().invoke(command_line(words), words, input=typed)
    assert written.exit_code == 0, written.output
    config = load_config(path)
    assert (config.club.joining, config.club.bot_matches) == ("closed", 0)
    assert not config.site.enabled


def test_defaults_are_those_of_the_questions(tmp_path: Path) -> None:
    asked, not_asked = tmp_path / "asked.toml", tmp_path / "defaults.toml"
    usual = Answers()
    people = ("", usual.address, usual.director, *4 * ("",))
    init(asked, *people, "", "localhost", "localhost", "", "")
    words = ["init", str(not_asked), "--defaults"]
    assert CliRunner().invoke(command_line(words), words).exit_code == 0
    differing = [
        one
        for one, other in zip(
            asked.read_text().splitlines(), not_asked.read_text().splitlines(), strict=True
        )
        if one != other
    ]
    assert {line.partition(" = ")[0] for line in differing} == {"secret", "user", "embedded"}


def sections() -> Iterator[tuple[str, type[BaseModel]]]:
    """Yield the sections of a configuration with their names. All mailboxes are in `imap`."""
    for name, field in Config.model_fields.items():
        for kind in (field.annotation, *get_args(field.annotation)):
            if isinstance(kind, type) and issubclass(kind, BaseModel) and name != "mailboxes":
                yield name, kind
    yield "imap.oauth", OAuthSection


def as_written(default: object) -> object:
    """Return a default as it is in a file, where an empty text means none."""
    if isinstance(default, SecretStr):
        return default.get_secret_value()
    if default is None or isinstance(default, Path):
        return f"{default or ''}"
    return list(default) if isinstance(default, tuple) else default


def test_every_setting_is_in_the_file_with_its_default(tmp_path: Path) -> None:
    path = tmp_path / "pbem.toml"
    init(path, *GOOD)
    active = tomllib.loads(path.read_text())
    shown = tomllib.loads(re.sub(rf"(?m)^{SETTING.pattern}$", r"\1", path.read_text()))
    shown["imap.oauth"] = shown["imap"].pop("oauth")
    for name, section in sections():
        fields = section.model_fields
        assert set(shown[name]) == set(fields) - {"oauth"}, name
        for key in shown[name].keys() - active.get(name, {}).keys():
            default = as_written(fields[key].get_default(call_default_factory=True))
            if not fields[key].is_required():
                assert shown[name][key] == default, (name, key)


def test_every_setting_is_explained_in_the_line_above(tmp_path: Path) -> None:
    path = tmp_path / "pbem.toml"
    init(path, *GOOD)
    before = ""
    for line in path.read_text().splitlines():
        if re.match(r"(# )?\w+ = ", line):
            assert before.startswith("# "), line
            assert not SETTING.fullmatch(before), line
        before = line


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
    written = init(path, *GOOD[:IMAP], given, *GOOD[SMTP:])
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
        (CHOICES, "klingon", "The languages are: en"),
        (CHOICES + 1, "everybody", "enter one of these words: open, approval, closed"),
        (CHOICES + 2, "many", "enter a whole number from 0 to"),
        (CHOICES + 3, "always", "enter one of these words: live, ended, off"),
        (IMAP, "mail.example:imap", "imap is not a port"),
        (IMAP, "mail.example:99999", "99999 is not a port"),
        (IMAP, "https://mail.example", "the name of a server"),
        (SMTP, "mail example", "the name of a server"),
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


def test_folder_with_a_database_is_reported(tmp_path: Path) -> None:
    (tmp_path / "club").mkdir()
    (tmp_path / "club" / "pbem.sqlite").touch()
    written = CliRunner().invoke(
        command_line(), ["init", "--defaults", str(tmp_path / "pbem.toml")]
    )
    assert written.exit_code == 0
    assert "pbem.sqlite exists already, so this club continues with its members" in written.output


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
