"""Test `pbem doctor` and `pbem poll` with access tokens, and common mistakes."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pbem.adapters.access_tokens import PROVIDERS, Provider
from pbem.cli import command_line
from pbem.run.config import ConfigError, load_config
from tests.support.posts import MAIL
from tests.support.token_logins import TokenDovecot, TokenSmtpServer
from tests.support.token_server import CLIENT_ID, CLIENT_SECRET, TokenServer, tells_a_secret


@dataclass
class Setup:
    """A club whose mailbox requires access tokens."""

    path: Path
    user: str
    home: TokenDovecot
    smtp: TokenSmtpServer

    @property
    def authority(self) -> TokenServer:
        return self.home.authority

    def write(self, imap: str, smtp: str = "") -> None:
        """Write a configuration with these lines about the logins."""
        self.path.write_text(f"""
[club]
address = "{self.user}"
data_dir = "club"
secret = "a canary, and long enough"
[imap]
host = "127.0.0.1"
port = {self.home.dovecot.imap_port}
security = "none"
user = "{self.user}"
{imap}
[smtp]
host = "127.0.0.1"
port = {self.smtp.port}
security = "none"
user = "{self.user}"
{smtp}
""")
        self.path.chmod(0o600)

    def oauth(self, refresh_token: str, **others: str) -> str:
        """Return the lines of a section such as [imap.oauth], without its heading."""
        values = {
            "token_url": f"{self.authority.url}/token",
            "client_id": CLIENT_ID,
            "client_secret": CLIENT_SECRET,
            "refresh_token": refresh_token,
            **others,
        }
        return "\n".join(f'{key} = "{value}"' for key, value in values.items() if value)

    def run(self, command: str = "doctor") -> Result:
        result = CliRunner().invoke(command_line([command]), [command, "--config", str(self.path)])
        assert not tells_a_secret(result.output), result.output
        assert "Traceback" not in result.output
        return result


@pytest.fixture
def setup(token_dovecot: TokenDovecot, domain: str, tmp_path: Path) -> Iterator[Setup]:
    user = f"club@{domain}"
    token_dovecot.dovecot.add(user, "no password is asked for")
    with TokenSmtpServer(token_dovecot.authority, []) as smtp:
        yield Setup(tmp_path / "pbem.toml", user, token_dovecot, smtp)


def test_one_refresh_token_serves_imap_and_smtp(setup: Setup) -> None:
    setup.write(f"[imap.oauth]\n{setup.oauth(setup.authority.consent(setup.user))}")
    result = setup.run()
    assert result.exit_code == 0, result.output
    for section in ("imap", "smtp", "policy"):
        assert f"ok   {section}: " in result.output
    assert len(setup.authority.forms) == 1
    assert setup.smtp.connections == 2, "one for each sender it tries"


def test_equal_oauth_sections_are_one_account(setup: Setup) -> None:
    setup.authority.rotates = True
    oauth = setup.oauth(setup.authority.consent(setup.user))
    setup.write(f"[imap.oauth]\n{oauth}", f"[smtp.oauth]\n{oauth}")
    assert setup.run().exit_code == 0
    assert len(setup.authority.forms) == 1


def test_rotated_token_is_used_by_the_next_process(setup: Setup) -> None:
    setup.authority.rotates = True
    setup.write(f"[imap.oauth]\n{setup.oauth(setup.authority.consent(setup.user))}")
    for _ in range(3):
        assert setup.run().exit_code == 0
    folder = setup.path.parent / "club" / "oauth"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert all(file.stat().st_mode & 0o777 == 0o600 for file in folder.iterdir())


def test_provider_implies_token_url_and_scope(
    setup: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = Provider(f"{setup.authority.url}/token", "https://mail.example/")
    monkeypatch.setitem(PROVIDERS, "google", there)
    oauth = setup.oauth(setup.authority.consent(setup.user), token_url="", provider="google")
    setup.write(f"[imap.oauth]\n{oauth}")
    assert setup.run().exit_code == 0
    assert setup.authority.forms[0]["scope"] == "https://mail.example/"


def test_token_command_serves_imap_and_smtp(setup: Setup) -> None:
    token = setup.authority.issue(setup.user)
    setup.write(f'token_command = ["{sys.executable}", "-c", "print(\'{token}\')"]')
    result = setup.run()
    assert result.exit_code == 0, result.output


def test_poll_with_a_token_fetches_email(setup: Setup) -> None:
    setup.write(f"[imap.oauth]\n{setup.oauth(setup.authority.consent(setup.user))}")
    setup.home.dovecot.deliver("anna@mail.example", setup.user, MAIL)
    result = setup.run("poll")
    assert result.exit_code == 0, result.output
    assert "1" in result.output


def test_environment_can_set_oauth_secrets(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    setup.write(f"[imap.oauth]\n{setup.oauth('')}")
    monkeypatch.setenv("PBEM_IMAP__OAUTH__REFRESH_TOKEN", setup.authority.consent(setup.user))
    assert setup.run().exit_code == 0


def test_withdrawn_consent_is_reported_for_both_servers(setup: Setup) -> None:
    setup.write(f"[imap.oauth]\n{setup.oauth('canary-withdrawn')}")
    result = setup.run()
    told = " ".join(result.output.split())
    assert result.exit_code == 1
    for section in ("imap", "smtp"):
        assert f"BAD {section}: localhost rejected the refresh token" in told
    assert "set refresh_token in [imap.oauth] to the new one" in told
    assert len(setup.authority.forms) == 1, "the failed request is not repeated at once"


def test_token_for_another_mailbox_is_reported(setup: Setup) -> None:
    setup.write(f"[imap.oauth]\n{setup.oauth(setup.authority.consent('bob@mail.example'))}")
    told = " ".join(setup.run().output.split())
    for section in ("imap", "smtp"):
        assert f"BAD {section}: 127.0.0.1 refuses the access token of {setup.user}" in told
        assert f"Is user in [{section}] the mailbox whose owner consented" in told


def test_failing_token_command_is_reported(setup: Setup) -> None:
    program = "import sys; print('canary-access'); sys.exit('gpg: no secret key')"
    setup.write(f'token_command = ["{sys.executable}", "-c", "{program}"]')
    told = " ".join(setup.run().output.split())
    assert f"BAD imap: The token_command in [imap] ({sys.executable}) ended with status 1" in told
    assert "gpg: no secret key" in told


@pytest.mark.parametrize(
    ("imap", "said"),
    (
        ('password = "canary"\ntoken_command = ["x"]', "[imap]: set only one of password"),
        ('token_command = "canary"', "[imap] token_command: "),
        ('[imap.oauth]\nrefresh_token = "canary"', "[imap] oauth.client_id: "),
        (
            '[imap.oauth]\nclient_id = "x"\nrefresh_token = "canary"',
            '[imap] oauth: set provider to "google" or "microsoft", or set token_url',
        ),
        (
            '[imap.oauth]\nprovider = "canary"\nclient_id = "x"\nrefresh_token = "canary"',
            "[imap] oauth.provider: ",
        ),
        (
            '[imap.oauth]\nclient_id = "x"\nrefresh_token = "canary"\ntoken_url = "http://a.example"',
            "[imap] oauth: token_url must begin with https",
        ),
        (
            '[imap.oauth]\nclient_id = "x"\nrefresh_token = "x"\ntoken_url = "https://canary@a"',
            "[imap] oauth.token_url: ",
        ),
    ),
)
def test_invalid_login_settings_are_refused_without_secrets(
    setup: Setup, imap: str, said: str
) -> None:
    setup.write(imap)
    result = setup.run()
    assert result.exit_code == 1
    assert said in " ".join(result.output.split())
    with pytest.raises(ConfigError) as caught:
        load_config(setup.path)
    assert not tells_a_secret("".join(traceback.format_exception(caught.value)))


def test_token_without_user_is_refused(setup: Setup) -> None:
    setup.write('token_command = ["x"]')
    setup.path.write_text(setup.path.read_text().replace(f'user = "{setup.user}"', ""))
    assert "[imap]: set user to the address of the mailbox" in setup.run().output
