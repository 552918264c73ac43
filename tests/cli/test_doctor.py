"""Test `pbem doctor` with a real Dovecot, a real SMTP server and common mistakes."""

from __future__ import annotations

import json
import re
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pbem.cli import command_line
from pbem.cli.new_config import Answers, write_config
from tests.support.certificates import Certificates
from tests.support.dovecot import Dovecot
from tests.support.smtp import SmtpServer

PASSWORD = "open sesame"


@dataclass
class Setup:
    """A valid configuration of a club, which tests break."""

    path: Path

    def with_(self, section: str, **values: str | int) -> Setup:
        """Change values in a section."""
        head, mark, rest = self.path.read_text().partition(f"[{section}]\n")
        assert mark
        body, nxt, tail = rest.partition("\n[")
        for key, value in values.items():
            body = re.sub(rf"^{key} = .*\n?", "", body, flags=re.MULTILINE)
            body += f"\n{key} = {value!r}".replace("'", '"')
        self.path.write_text(head + mark + body + nxt + tail)
        return self

    def examined(self, *more: str) -> Result:
        """Run doctor."""
        words = ["doctor", "--config", str(self.path), *more]
        return CliRunner().invoke(command_line(["doctor"]), words)


@pytest.fixture
def smtp(server_tls: ssl.SSLContext) -> Iterator[SmtpServer]:
    """Run a server that requires STARTTLS and a login."""
    with SmtpServer(
        lambda *_: None, security="starttls", context=server_tls, logins={"club": PASSWORD}
    ) as server:
        yield server


@pytest.fixture
def setup(
    dovecot: Dovecot, smtp: SmtpServer, certificates: Certificates, domain: str, tmp_path: Path
) -> Setup:
    address = f"club@{domain}"
    dovecot.add(address, PASSWORD)
    path = tmp_path / "pbem.toml"
    write_config(path, Answers(address=address))
    trusted = str(certificates.ca_file)
    return (
        Setup(path)
        .with_("imap", port=dovecot.imaps_port, user=address, password=PASSWORD, ca_file=trusted)
        .with_("imap", security="tls")
        .with_("smtp", port=smtp.port, user="club", password=PASSWORD, ca_file=trusted)
        .with_("smtp", security="starttls")
    )


def test_working_club_has_no_problems(setup: Setup) -> None:
    result = setup.examined("--json")
    assert result.exit_code == 0, result.output
    told = {each["subject"]: each for each in json.loads(result.output)}
    assert {
        *("configuration", "data", "database", "reading room", "clock", "disk"),
        *("imap", "smtp", "policy"),
    } <= told.keys()
    assert {each["state"] for each in told.values()} <= {"ok", "advice"}
    assert f"{setup.path.parent}/club/pbem.sqlite" in told["database"]["text"]
    assert PASSWORD not in result.output


def test_second_mailbox_is_named_as_in_the_file(setup: Setup, domain: str) -> None:
    more = f'address = "two@{domain}"\nfolder = "Moves"\n'
    text = setup.path.read_text()
    mailbox = text[text.index("[imap]\n") : text.index("[smtp]\n")]
    second = f'[[imap]]\nname = "second"\n{mailbox.removeprefix("[imap]")}{more}'
    second = re.sub(r'^folder = "INBOX"\n|^address = ""\n', "", second, flags=re.MULTILINE)
    first = mailbox.replace("[imap]", "[[imap]]")
    setup.path.write_text(text.replace(mailbox, f"{first}\n{second}\n"))
    told = " ".join(setup.examined().output.split())
    assert "BAD imap second: " in told
    assert 'Set folder in [[imap]] "second" to an existing folder' in told


@pytest.mark.parametrize(
    ("section", "values", "sentence", "remedy"),
    (
        ("imap", {"host": "no-such-host.invalid"}, "cannot be found", "Set host in [imap]"),
        ("smtp", {"host": "no-such-host.invalid"}, "cannot be found", "Set host in [smtp]"),
        ("imap", {"port": 1}, "Nothing answers", "Set port in [imap]"),
        ("smtp", {"port": 1}, "Nothing answers", "Set port in [smtp]"),
        ("imap", {"password": "wrong"}, "refuses the login", "Set user and password in [imap]"),
        ("smtp", {"password": "wrong"}, "refuses the login", "Set user and password in [smtp]"),
        ("imap", {"ca_file": ""}, "is not trusted", "Set ca_file in [imap]"),
        ("smtp", {"ca_file": ""}, "is not trusted", "Set ca_file in [smtp]"),
        ("imap", {"folder": "Moves"}, "folder Moves cannot be opened", "Set folder in [imap]"),
    ),
)
def test_problem_names_the_key_that_fixes_it(
    setup: Setup, section: str, values: dict[str, str | int], sentence: str, remedy: str
) -> None:
    result = setup.with_(section, **values).examined()
    told = " ".join(result.output.split())
    assert result.exit_code == 1
    assert f"BAD {section}:" in told
    assert sentence in told
    assert remedy in told
    assert told.count("BAD") == 1
    assert PASSWORD not in told
    assert "Traceback" not in told


@pytest.mark.parametrize(
    ("only_from", "section", "remedy"),
    (
        ("somebody@else.example", "smtp", "Set user in [smtp]"),
        ("club@{domain}", "policy", "Set bounce_addresses in [policy] to false"),
    ),
)
def test_restriction_on_senders_names_the_setting_to_change(
    setup: Setup, smtp: SmtpServer, domain: str, only_from: str, section: str, remedy: str
) -> None:
    smtp.only_from = only_from.format(domain=domain)
    told = " ".join(setup.examined().output.split())
    assert f"BAD {section}:" in told
    assert "Sender address rejected" in told
    assert remedy in told
    assert told.count("BAD") == 1


def test_unopenable_database_is_reported(setup: Setup) -> None:
    result = setup.with_("database", url="sqlite:////nowhere/at/all/pbem.sqlite").examined()
    assert result.exit_code == 1
    assert "BAD  database" in result.output
    assert "url in [database]" in " ".join(result.output.split())


def test_lost_database_is_reported(setup: Setup) -> None:
    assert setup.examined().exit_code == 0
    [database] = setup.path.parent.rglob("pbem.sqlite")
    database.unlink()
    told = " ".join(setup.examined().output.split())
    assert "BAD database: the database" in told
    assert "Restore a backup" in told
    assert not database.exists()


def test_invalid_configuration_stops_the_examination(setup: Setup) -> None:
    result = setup.with_("imap", security="maybe").examined()
    assert result.exit_code == 1
    assert "[imap] security" in result.output
