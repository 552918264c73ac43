"""Login to SMTP by access token, on a server that accepts nothing else."""

from __future__ import annotations

import logging
import traceback
from pathlib import Path

import pytest

from pbem.adapters.access_tokens import CachedTokens, GrantSettings, KeptToken, RefreshGrant
from pbem.adapters.smtp_transport import SmtpError, SmtpSettings, SmtpTransport
from pbem.ports.outbox import Delivery
from tests.support.smtp import ScriptedSmtp
from tests.support.token_logins import TokenSmtpServer
from tests.support.token_server import CLIENT_ID, CLIENT_SECRET, TokenServer, tells_a_secret

USER = "club@games.example"
MAIL = b"Subject: your turn\r\n\r\n[8-B]\r\n"
SOON = 5.0


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tokens(token_server: TokenServer, clock: Clock, tmp_path: Path) -> CachedTokens:
    """The club's access tokens."""
    refresh_token = token_server.consent(USER)
    settings = GrantSettings(
        f"{token_server.url}/token", CLIENT_ID, refresh_token, CLIENT_SECRET, section="[smtp.oauth]"
    )
    return CachedTokens(RefreshGrant(settings, KeptToken(tmp_path, settings)), clock)


def send(server: TokenSmtpServer | ScriptedSmtp, tokens: CachedTokens) -> Delivery:
    settings = SmtpSettings(server.host, server.port, USER, "", "none", SOON, tokens=tokens)
    assert not tells_a_secret(repr(settings))
    with SmtpTransport(settings).connect() as session:
        return session.send(USER, "anna@mail.example", MAIL).delivery


def refusal(server: TokenSmtpServer | ScriptedSmtp, tokens: CachedTokens) -> SmtpError:
    """Return the error that sending raises, with no secret in its traceback."""
    with pytest.raises(SmtpError) as caught:
        send(server, tokens)
    told = "".join(traceback.format_exception(caught.value))
    assert not tells_a_secret(told + repr(caught.value)), told
    return caught.value


@pytest.mark.parametrize(
    "mechanisms", (("XOAUTH2",), ("OAUTHBEARER",), ("PLAIN", "OAUTHBEARER", "XOAUTH2"))
)
def test_email_is_sent_with_either_mechanism(
    token_server: TokenServer, tokens: CachedTokens, mechanisms: tuple[str, ...]
) -> None:
    kept: list[bytes] = []
    with TokenSmtpServer(token_server, kept, mechanisms) as server:
        for _ in range(3):
            assert send(server, tokens) is Delivery.SENT
    assert kept == [MAIL] * 3
    assert len(token_server.forms) == 1


@pytest.mark.parametrize(("mechanism", "dummy"), (("XOAUTH2", b""), ("OAUTHBEARER", b"\1")))
def test_revoked_token_is_replaced_once(
    token_server: TokenServer, tokens: CachedTokens, clock: Clock, mechanism: str, dummy: bytes
) -> None:
    kept: list[bytes] = []
    with TokenSmtpServer(token_server, kept, (mechanism,)) as server:
        assert send(server, tokens) is Delivery.SENT
        token_server.withdraw_access(USER)
        clock.now += 600
        assert send(server, tokens) is Delivery.SENT
        assert server.acknowledged == [dummy], "RFC 7628 section 3.2.3, and XOAUTH2"
    assert len(kept) == 2
    assert len(token_server.forms) == 2


def test_withdrawn_consent_error_says_what_to_do(
    token_server: TokenServer, tokens: CachedTokens, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    token_server.withdraw_consent(USER)
    with TokenSmtpServer(token_server, []) as server:
        error = refusal(server, tokens)
    assert "rejected the refresh token: invalid_grant" in str(error)
    assert "It was withdrawn or has expired. Run pbem mail login." in str(error)
    assert error.setting == "refresh_token"
    assert server.connections == 0
    assert not tells_a_secret(caplog.text)


def test_refusal_that_repeats_the_token_is_not_quoted_in_full(
    token_server: TokenServer, tokens: CachedTokens, clock: Clock
) -> None:
    tokens.current()
    clock.now += 600
    kept: list[bytes] = []
    with TokenServer().running() as another, TokenSmtpServer(another, kept) as server:
        error = refusal(server, tokens)
        assert server.connections == 2
    assert str(error).startswith(f"127.0.0.1 refuses the access token of {USER}: 535 5.7.8 … …")
    assert "scope https://mail.example/" in str(error)
    assert error.setting == "token"
    assert kept == []
    assert len(token_server.forms) == 2


def test_temporary_server_failure_is_not_a_refusal(
    scripted: ScriptedSmtp, token_server: TokenServer, tokens: CachedTokens, clock: Clock
) -> None:
    tokens.current()
    clock.now += 600
    scripted.answers |= {
        "EHLO": ["250-test\r\n250 AUTH XOAUTH2"],
        "AUTH": ["454 4.7.0 Temporary authentication failure"],
    }
    error = refusal(scripted, tokens)
    assert "454 4.7.0" in str(error)
    assert error.setting == ""
    assert len(token_server.forms) == 1


@pytest.mark.parametrize("answer", ("334 *not base64*", "334 " + "A" * 5, "235-2.7.0\r\n334 ="))
def test_odd_challenge_is_an_error_in_a_sentence(
    scripted: ScriptedSmtp, tokens: CachedTokens, answer: str
) -> None:
    scripted.answers |= {"EHLO": ["250-test\r\n250 AUTH XOAUTH2"] * 2, "AUTH": [answer] * 2}
    refusal(scripted, tokens)


def test_server_without_either_mechanism_is_reported(
    scripted: ScriptedSmtp, tokens: CachedTokens
) -> None:
    scripted.answers["EHLO"] = ["250-test\r\n250 AUTH PLAIN LOGIN"]
    error = refusal(scripted, tokens)
    assert str(error) == "127.0.0.1 does not offer login by access token (XOAUTH2 or OAUTHBEARER)."
