"""Login to IMAP by access token, on a Dovecot that accepts nothing else."""

from __future__ import annotations

import base64
import logging
import threading
import traceback
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from pbem.adapters.access_tokens import CachedTokens, KeptToken, RefreshGrant
from pbem.adapters.imap_mailbox import ImapError, ImapMailbox, ImapSettings, ImapWatch
from pbem.adapters.token_login import AccessTokens
from pbem.ports.inbound import MailboxError
from tests.support.certificates import Certificates
from tests.support.imap import ScriptedImap
from tests.support.posts import MAIL
from tests.support.relay import Relay
from tests.support.token_logins import TokenDovecot
from tests.support.token_server import TokenServer, tells_a_secret

SOON = 5.0


@dataclass
class Account:
    """The club's mailbox at a provider: its mail server and its token server."""

    user: str
    home: TokenDovecot
    tokens: AccessTokens
    now: list[float]
    refresh_token: str

    @property
    def authority(self) -> TokenServer:
        return self.home.authority

    @property
    def settings(self) -> ImapSettings:
        port = self.home.dovecot.imap_port
        return ImapSettings(
            "127.0.0.1", port, self.user, "", "none", timeout_s=SOON, tokens=self.tokens
        )

    def arrives(self) -> None:
        self.home.dovecot.deliver("anna@mail.example", self.user, MAIL)

    def pass_(self, seconds: float) -> None:
        self.now[0] += seconds

    def clock(self) -> float:
        return self.now[0]


@pytest.fixture
def account(token_dovecot: TokenDovecot, domain: str, tmp_path: Path) -> Account:
    user = f"club@{domain}"
    token_dovecot.dovecot.add(user, "no password is asked for")
    refresh_token = token_dovecot.authority.consent(user)
    settings = token_dovecot.grant_settings(refresh_token)
    now = [0.0]
    grant = RefreshGrant(settings, KeptToken(tmp_path, settings))
    tokens = CachedTokens(grant, lambda: now[0])
    return Account(user, token_dovecot, tokens, now, refresh_token)


class OneToken:
    """A source that always returns the same token."""

    def current(self) -> str:
        return "canary-access"

    def refused(self, token: str) -> bool:
        return True

    def close(self) -> None:
        pass


def refusal(mailbox: ImapMailbox) -> ImapError:
    """Return the error that opening it raises, with no secret in its traceback."""
    with pytest.raises(ImapError) as caught:
        mailbox.open()
    told = "".join(traceback.format_exception(caught.value))
    assert not tells_a_secret(told + repr(caught.value)), told
    assert str(caught.value).endswith(".")
    return caught.value


@pytest.mark.parametrize("missing", (b"", b" AUTH=XOAUTH2"))
def test_email_is_fetched_with_either_mechanism(account: Account, missing: bytes) -> None:
    def edit(said: bytes) -> bytes:
        return said.replace(missing, b"")

    account.arrives()
    with (
        Relay(account.home.dovecot.imap_port, edit) as relay,
        closing(ImapMailbox(replace(account.settings, port=relay.port))) as mailbox,
    ):
        mailbox.open()
        (uid,) = mailbox.unhandled(0)
        assert mailbox.fetch([uid])[0].raw.endswith(MAIL)


@pytest.mark.parametrize("security", ("tls", "starttls"))
def test_login_works_through_tls(
    account: Account, certificates: Certificates, security: str
) -> None:
    dovecot = account.home.dovecot
    settings = replace(
        account.settings,
        host="localhost",
        port=dovecot.imaps_port if security == "tls" else dovecot.imap_port,
        security=security,  # type: ignore[arg-type]
        ca_file=certificates.ca_file,
    )
    with closing(ImapMailbox(settings)) as mailbox:
        mailbox.open()


def test_mailbox_and_watch_share_one_token(account: Account) -> None:
    with (
        closing(ImapMailbox(account.settings)) as mailbox,
        closing(ImapWatch(account.settings)) as watch,
    ):
        mailbox.open()
        assert watch.wait(SOON)
        account.arrives()
        assert watch.wait(SOON)
    assert len(account.authority.forms) == 1


@pytest.mark.parametrize("missing", (b"", b" AUTH=XOAUTH2"))
def test_revoked_token_is_replaced_at_once(account: Account, missing: bytes) -> None:
    def edit(said: bytes) -> bytes:
        return said.replace(missing, b"")

    account.tokens.current()
    account.pass_(600)
    account.authority.withdraw_access(account.user)
    with (
        Relay(account.home.dovecot.imap_port, edit) as relay,
        closing(ImapMailbox(replace(account.settings, port=relay.port))) as mailbox,
    ):
        mailbox.open()
    assert len(account.authority.forms) == 2


def test_new_token_is_tried_when_server_hangs_up_on_a_bad_one(
    account: Account,
) -> None:
    account.tokens.current()
    account.pass_(600)
    account.authority.withdraw_access(account.user)

    def edit(said: bytes) -> bytes:
        if b" NO [AUTHENTICATIONFAILED]" in said:
            relay.cut()
        return said

    with (
        Relay(account.home.dovecot.imap_port, edit) as relay,
        closing(ImapMailbox(replace(account.settings, port=relay.port))) as mailbox,
    ):
        mailbox.open()
    assert len(account.authority.forms) == 2


def test_expired_token_is_never_sent(account: Account) -> None:
    account.tokens.current()
    account.authority.withdraw_access(account.user)
    account.pass_(3600)
    with closing(ImapMailbox(account.settings)) as mailbox:
        mailbox.open()
    assert len(account.authority.forms) == 2


def test_watch_reconnects_after_a_cut_with_a_new_token(account: Account) -> None:
    with (
        Relay(account.home.dovecot.imap_port) as relay,
        closing(ImapWatch(replace(account.settings, port=relay.port))) as watch,
    ):
        assert watch.wait(SOON)
        account.pass_(600)
        account.authority.withdraw_access(account.user)
        relay.cut()
        with pytest.raises(MailboxError):
            watch.wait(SOON)
        account.arrives()
        assert watch.wait(SOON), "email may have come while it was disconnected"
        account.arrives()
        assert watch.wait(SOON)


def test_rotated_refresh_tokens_keep_working(account: Account) -> None:
    account.authority.rotates = True
    for _ in range(3):
        with closing(ImapMailbox(account.settings)) as mailbox:
            mailbox.open()
        account.authority.withdraw_access(account.user)
        account.pass_(3600)
    used = [form["refresh_token"] for form in account.authority.forms]
    assert used[0] == account.refresh_token
    assert len(set(used)) == 3


def test_withdrawn_consent_error_says_what_to_do(account: Account) -> None:
    account.authority.withdraw_consent(account.user)
    with closing(ImapMailbox(account.settings)) as mailbox:
        error = refusal(mailbox)
    assert "localhost rejected the refresh token: invalid_grant" in str(error)
    assert "It was withdrawn or has expired. Run pbem mail login." in str(error)
    assert error.setting == "refresh_token"


def test_token_for_another_user_is_refused_in_a_sentence(
    account: Account, token_dovecot: TokenDovecot, domain: str
) -> None:
    other = f"other@{domain}"
    token_dovecot.dovecot.add(other, "")
    with closing(ImapMailbox(replace(account.settings, user=other))) as mailbox:
        error = refusal(mailbox)
    assert f"refuses the access token of {other}: [AUTHENTICATIONFAILED]" in str(error)
    assert error.setting == "token"
    assert len(account.authority.forms) == 1, "a fresh token that is refused is not replaced"


@pytest.mark.parametrize("missing", (b"", b" AUTH=XOAUTH2"))
def test_report_in_the_challenge_is_quoted(account: Account, missing: bytes) -> None:
    def edit(said: bytes) -> bytes:
        return said.replace(missing, b"")

    with Relay(account.home.dovecot.imap_port, edit) as relay:
        settings = replace(account.settings, port=relay.port, tokens=OneToken())
        with closing(ImapMailbox(settings)) as mailbox:
            assert "status" in str(refusal(mailbox))


def test_no_secret_is_logged(account: Account, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    account.tokens.current()
    account.pass_(600)
    account.authority.withdraw_access(account.user)
    with (
        closing(ImapMailbox(account.settings)) as mailbox,
        closing(ImapWatch(account.settings)) as watch,
    ):
        mailbox.open()
        assert watch.wait(SOON)
    account.authority.withdraw_consent(account.user)
    account.pass_(3600)
    with closing(ImapMailbox(account.settings)) as mailbox:
        refusal(mailbox)
    assert "AUTHENTICATE" in caplog.text, "the log of imapclient is checked"
    assert not tells_a_secret(caplog.text)
    assert not tells_a_secret(repr(account.settings))


def test_close_reaches_a_thread_waiting_for_a_token(account: Account) -> None:
    account.authority.asking.clear()
    account.authority.go_on.clear()
    mailbox = ImapMailbox(account.settings)
    ended = threading.Event()

    def work() -> None:
        try:
            mailbox.open()
        except MailboxError:
            ended.set()

    thread = threading.Thread(target=work)
    thread.start()
    assert account.authority.asking.wait(SOON)
    mailbox.close()
    account.authority.go_on.set()
    assert ended.wait(SOON)
    thread.join()


# Servers with odd answers


def scripted(server: ScriptedImap, capability: str = "AUTH=XOAUTH2") -> ImapSettings:
    server.answers["CAPABILITY"] = f"* CAPABILITY IMAP4rev1 {capability}\r\n{{tag}} OK done"
    return replace(server.settings(SOON), password="", tokens=OneToken())


def test_server_without_either_mechanism_is_reported(scripted_imap: ScriptedImap) -> None:
    with closing(ImapMailbox(scripted(scripted_imap, "AUTH=PLAIN"))) as mailbox:
        error = refusal(mailbox)
    assert "does not offer login by access token (XOAUTH2 or OAUTHBEARER)" in str(error)


def test_server_failure_is_not_a_refusal(scripted_imap: ScriptedImap) -> None:
    scripted_imap.answers["AUTHENTICATE"] = "{tag} NO [UNAVAILABLE] Internal error"
    with closing(ImapMailbox(scripted(scripted_imap))) as mailbox:
        error = refusal(mailbox)
    assert "cannot check the login of club now: [UNAVAILABLE] Internal error." in str(error)
    assert error.setting == ""
    assert scripted_imap.connections == 1


@pytest.mark.parametrize(
    "answer",
    (
        "{tag} NO [AUTHENTICATIONFAILED] canary-access is not good",
        "{tag} BAD canary-access",
        "* BYE canary-access\r\n{tag} NO no",
        "{tag} NO " + base64.b64encode(b"user=club\1auth=Bearer canary-access\1\1").decode(),
        "{tag} NO " + "x" * 290 + " canary-access",
    ),
)
def test_server_answer_with_the_token_is_not_quoted_in_full(
    scripted_imap: ScriptedImap, answer: str
) -> None:
    scripted_imap.answers["AUTHENTICATE"] = answer
    with closing(ImapMailbox(scripted(scripted_imap))) as mailbox:
        refusal(mailbox)


def test_same_token_is_not_sent_twice(scripted_imap: ScriptedImap) -> None:
    scripted_imap.answers["AUTHENTICATE"] = "{tag} NO no"
    with closing(ImapMailbox(scripted(scripted_imap))) as mailbox:
        refusal(mailbox)
    assert scripted_imap.connections == 1
