"""Test `pbem doctor` and `pbem poll` with access tokens, and common mistakes."""

from __future__ import annotations

import sys
import traceback

import pytest

from pbem.adapters.access_tokens import PROVIDERS, Provider
from pbem.run.config import ConfigError, load_config
from tests.support.posts import MAIL
from tests.support.token_logins import TokenClub
from tests.support.token_server import tells_a_secret


def test_one_refresh_token_serves_imap_and_smtp(token_club: TokenClub) -> None:
    token_club.write(
        f"[imap.oauth]\n{token_club.oauth(token_club.authority.consent(token_club.user))}"
    )
    result = token_club.run()
    assert result.exit_code == 0, result.output
    for section in ("imap", "smtp", "policy"):
        assert f"ok   {section}: " in result.output
    assert len(token_club.authority.forms) == 1
    assert token_club.smtp.connections == 2, "one for each sender it tries"


def test_equal_oauth_sections_are_one_account(token_club: TokenClub) -> None:
    token_club.authority.rotates = True
    oauth = token_club.oauth(token_club.authority.consent(token_club.user))
    token_club.write(f"[imap.oauth]\n{oauth}", f"[smtp.oauth]\n{oauth}")
    assert token_club.run().exit_code == 0
    assert len(token_club.authority.forms) == 1


def test_rotated_token_is_used_by_the_next_process(token_club: TokenClub) -> None:
    token_club.authority.rotates = True
    token_club.write(
        f"[imap.oauth]\n{token_club.oauth(token_club.authority.consent(token_club.user))}"
    )
    for _ in range(3):
        assert token_club.run().exit_code == 0
    folder = token_club.path.parent / "club" / "oauth"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert all(file.stat().st_mode & 0o777 == 0o600 for file in folder.iterdir())


def test_provider_implies_token_url_and_scope(
    token_club: TokenClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = Provider(f"{token_club.authority.url}/token", "https://mail.example/")
    monkeypatch.setitem(PROVIDERS, "google", there)
    oauth = token_club.oauth(
        token_club.authority.consent(token_club.user), token_url="", provider="google"
    )
    token_club.write(f"[imap.oauth]\n{oauth}")
    assert token_club.run().exit_code == 0
    assert token_club.authority.forms[0]["scope"] == "https://mail.example/"


def test_token_command_serves_imap_and_smtp(token_club: TokenClub) -> None:
    token = token_club.authority.issue(token_club.user)
    token_club.write(f'token_command = ["{sys.executable}", "-c", "print(\'{token}\')"]')
    result = token_club.run()
    assert result.exit_code == 0, result.output


def test_poll_with_a_token_fetches_email(token_club: TokenClub) -> None:
    token_club.write(
        f"[imap.oauth]\n{token_club.oauth(token_club.authority.consent(token_club.user))}"
    )
    token_club.home.dovecot.deliver("anna@mail.example", token_club.user, MAIL)
    result = token_club.run("poll")
    assert result.exit_code == 0, result.output
    assert "1" in result.output


def test_environment_can_set_oauth_secrets(
    token_club: TokenClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    token_club.write(f"[imap.oauth]\n{token_club.oauth('')}")
    monkeypatch.setenv(
        "PBEM_IMAP__OAUTH__REFRESH_TOKEN", token_club.authority.consent(token_club.user)
    )
    assert token_club.run().exit_code == 0


def test_withdrawn_consent_is_reported_for_both_servers(token_club: TokenClub) -> None:
    token_club.write(f"[imap.oauth]\n{token_club.oauth('canary-withdrawn')}")
    result = token_club.run()
    told = " ".join(result.output.split())
    assert result.exit_code == 1
    for section in ("imap", "smtp"):
        assert f"BAD {section}: localhost rejected the refresh token" in told
    assert "It was withdrawn or has expired. Run pbem mail login." in told
    assert " consent: " not in told
    assert len(token_club.authority.forms) == 1, "the failed request is not repeated at once"


def test_token_for_another_mailbox_is_reported(token_club: TokenClub) -> None:
    token_club.write(
        f"[imap.oauth]\n{token_club.oauth(token_club.authority.consent('bob@mail.example'))}"
    )
    told = " ".join(token_club.run().output.split())
    for section in ("imap", "smtp"):
        assert f"BAD {section}: 127.0.0.1 refuses the access token of {token_club.user}" in told
        assert f"Is user in [{section}] the mailbox whose owner consented" in told


def test_failing_token_command_is_reported(token_club: TokenClub) -> None:
    program = "import sys; print('canary-access'); sys.exit('gpg: no secret key')"
    token_club.write(f'token_command = ["{sys.executable}", "-c", "{program}"]')
    told = " ".join(token_club.run().output.split())
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
    token_club: TokenClub, imap: str, said: str
) -> None:
    token_club.write(imap)
    result = token_club.run()
    assert result.exit_code == 1
    assert said in " ".join(result.output.split())
    with pytest.raises(ConfigError) as caught:
        load_config(token_club.path)
    assert not tells_a_secret("".join(traceback.format_exception(caught.value)))


def test_token_without_user_is_refused(token_club: TokenClub) -> None:
    token_club.write('token_command = ["x"]')
    token_club.path.write_text(
        token_club.path.read_text().replace(f'user = "{token_club.user}"', "")
    )
    assert "[imap]: set user to the address of the mailbox" in token_club.run().output
