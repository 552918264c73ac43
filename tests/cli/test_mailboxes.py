"""Test configurations with several mailboxes, and errors in them."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli import command_line
from pbem.cli.exit_statuses import ExitStatus
from pbem.cli.new_config import Answers, write_config
from pbem.run.config import Config, ConfigError, load_config

CLUB = "club@games.example"


def configured(folder: Path, imap: str) -> Config:
    """Write and load a configuration with these lines in place of its mailbox."""
    path = folder / "pbem.toml"
    write_config(path, Answers(address=CLUB, director="director@games.example"))
    head, _, rest = path.read_text().partition("[imap]\n")
    tail = rest[rest.index("[smtp]\n") :]
    path.write_text(f"{head}{imap}\n{tail}")
    return load_config(path)


BOTH = """
[[imap]]
user = "club"
password = "a"
[[imap]]
name = "second"
user = "second"
address = "second@games.example"
[imap.oauth]
provider = "google"
client_id = "c"
refresh_token = "r"
"""


def test_each_mailbox_has_its_own_place_section_and_environment_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_IMAP__PASSWORD", "of the first")
    monkeypatch.setenv("PBEM_MAILBOXES__SECOND__HOST", "imap.example")
    config = configured(tmp_path, BOTH)
    first, second = config.imaps
    assert (first.place, second.place) == ("INBOX", "second:INBOX")
    assert (first.in_file, second.in_file) == ("[imap]", '[[imap]] "second"')
    assert (first.oauth_in_file, second.oauth_in_file) == (
        "[imap.oauth]",
        '[imap.oauth] of "second"',
    )
    assert first.password.get_secret_value() == "of the first"
    assert second.host == "imap.example"
    assert second.oauth is not None
    assert config.intakes == ("", "second")
    assert config.addresses == (CLUB, "second@games.example")


OTHER = '[[imap]]\n[[imap]]\nuser = "second"\n'


@pytest.mark.parametrize(
    ("imap", "said"),
    (
        (OTHER, "[[imap]]: each mailbox except the first needs a unique name"),
        (OTHER.replace("[[imap]]", '[[imap]]\nname = "a"'), "needs a unique name"),
        *(
            (f'{OTHER}name = "{name}"', f'[[imap]] "{name}" name: {name} is reserved')
            for name in ("first", "smtp", "lmtp")
        ),
        (f'{OTHER}name = "Two"', "a name has up to 31 lower-case letters, digits"),
        ('[[imap]]\n[[imap]]\nname = "two"', "two sections name the same mailbox"),
        (f'{OTHER}name = "two"\naddress = "director@games.example"', "director"),
        (f'{OTHER}name = "two"\naddress = "nobody"', '[[imap]] "two" address: it is not a plain'),
        (f'{OTHER}name = "two"\nport = 99999', '[[imap]] "two" port'),
        ("[mailboxes.two]\n", "put mailboxes in [[imap]], with a name"),
    ),
)
def test_invalid_mailboxes_are_refused(tmp_path: Path, imap: str, said: str) -> None:
    with pytest.raises(ConfigError) as told:
        configured(tmp_path, imap)
    assert said in str(told.value)
    assert "[]:" not in str(told.value)


def test_fetch_refuses_clubs_in_one_process_and_unknown_mailboxes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configured(tmp_path, BOTH)
    words = ["fetch", "--config", str(tmp_path / "pbem.toml"), "--mailbox", "third"]
    alone = CliRunner().invoke(command_line(words), words)
    assert alone.exit_code == ExitStatus.CONFIGURATION
    assert "pbem serve reads its mailbox" in alone.output
    monkeypatch.setenv("PBEM_DATABASE__URL", "postgresql://nobody@127.0.0.1:9/nothing")
    unknown = CliRunner().invoke(command_line(words), words)
    assert unknown.exit_code == 1
    assert "there is no mailbox third. The mailboxes are: first, second" in unknown.output
