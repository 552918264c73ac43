"""The first consent, at an authorisation server that checks every parameter."""

from __future__ import annotations

import os
import socket
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
import urllib3

from pbem.adapters.access_tokens import PROVIDERS, GrantSettings, KeptToken, RefreshGrant
from pbem.adapters.access_tokens.consent import Loopback, by_device
from pbem.adapters.token_login import TokenError
from tests.support.authorisation_server import (
    MICROSOFT,
    AuthorisationServer,
    Registration,
    visited,
)
from tests.support.token_server import CLIENT_ID, CLIENT_SECRET, tells_a_secret

USER = "club@games.example"
SOON = 10.0


@pytest.fixture
def google(authority: AuthorisationServer) -> GrantSettings:
    return GrantSettings(
        f"{authority.url}/token",
        CLIENT_ID,
        client_secret=CLIENT_SECRET,
        scope=PROVIDERS["google"].scope,
        timeout_s=SOON,
        user=USER,
        authorize_url=f"{authority.url}/authorize",
        provider=PROVIDERS["google"],
    )


@pytest.fixture
def microsoft(authority: AuthorisationServer) -> GrantSettings:
    authority.registered(MICROSOFT)
    return GrantSettings(
        f"{authority.url}/token",
        CLIENT_ID,
        scope=PROVIDERS["microsoft"].scope,
        timeout_s=SOON,
        user=USER,
        provider=PROVIDERS["microsoft"],
    )


class Waiting:
    """A login that waits for the browser, in a thread."""

    def __init__(self, settings: GrantSettings, patience_s: float = SOON) -> None:
        self.loopback = Loopback(settings)
        self.port = self.loopback.server_port
        self.url = self.loopback.url
        self.said: list[str] = []
        reading, self.typing = os.pipe()
        self._typed = reading
        self._pool = ThreadPoolExecutor(1)
        self._code: Future[str] = self._pool.submit(
            self.loopback.code, self._typed, self.said.append, patience_s
        )

    def typed(self, text: str) -> None:
        os.write(self.typing, text.encode())

    def at(self, path: str) -> str:
        """Return an address at the port."""
        return f"http://127.0.0.1:{self.port}{path}"

    @property
    def is_waiting(self) -> bool:
        return not self._code.done()

    def granted(self) -> dict[str, Any]:
        """Wait for the code and exchange it."""
        return self.loopback.granted(self._code.result(SOON))

    def close(self) -> None:
        self.loopback._answer = self.loopback._answer or {"code": "closed"}
        os.close(self.typing)
        self._pool.shutdown()
        os.close(self._typed)
        self.loopback.server_close()


@pytest.fixture
def login(google: GrantSettings) -> Iterator[Waiting]:
    waiting = Waiting(google)
    yield waiting
    waiting.close()


def refusal(ask: Callable[[], object]) -> str:
    """Return the sentence of an error, with no secret in its traceback."""
    with pytest.raises(TokenError) as caught:
        ask()
    told = "".join(traceback.format_exception(caught.value))
    assert not tells_a_secret(told + repr(caught.value)), told
    assert str(caught.value).endswith(".")
    return str(caught.value)


# In a browser


def test_consent_at_google_gives_a_refresh_token(
    authority: AuthorisationServer, login: Waiting
) -> None:
    page = visited(authority.consented(login.url))
    assert page.status == 200
    assert page.headers["Cache-Control"] == "no-store"
    assert not tells_a_secret(page.data.decode())
    granted = login.granted()
    assert authority.owner(granted["access_token"]) == USER
    assert authority.objections == []


def test_consent_at_microsoft_needs_no_secret_and_comes_back_to_localhost(
    authority: AuthorisationServer, microsoft: GrantSettings
) -> None:
    waiting = Waiting(microsoft)
    visited(authority.consented(waiting.url).replace("localhost", "127.0.0.1"))
    assert waiting.granted()["refresh_token"]
    assert authority.objections == []
    waiting.close()


@pytest.mark.parametrize("whole", (True, False))
def test_pasted_address_counts_like_a_visit(
    authority: AuthorisationServer, login: Waiting, whole: bool
) -> None:
    address = authority.consented(login.url)
    pasted = f"  {address}\r" if whole else f"/?{urlsplit(address).query}"
    login.typed(f"\nhttp://127.0.0.1/?code=canary-other&state=wrong\n{pasted[:50]}")
    login.typed(f"{pasted[50:]}\n")
    assert login.granted()["refresh_token"]
    (said,) = login.said
    assert "does not belong to this login" in said


def test_end_of_input_leaves_the_browser_time(
    authority: AuthorisationServer, login: Waiting
) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), login.typing)
    visited(authority.consented(login.url))
    assert login.granted()["refresh_token"]


@pytest.mark.parametrize(
    "query",
    (
        "",
        "favicon.ico",
        "?code=canary-stolen",
        "?code=canary-stolen&state=",
        "?code=canary-stolen&state=wrong",
        "?error=access_denied&state=wrong",
        "?code=canary-stolen&state=%C3%A9",
        "?state={state}",
        "?code=canary-stolen&code=canary-mine&state={state}",
        "?code=canary-stolen&state={state}&state=wrong",
    ),
)
def test_visit_by_another_page_does_not_end_the_wait(
    authority: AuthorisationServer, login: Waiting, query: str
) -> None:
    state = dict(parse_qsl(urlsplit(login.url).query))["state"]
    page = visited(login.at(f"/{query.format(state=state)}"))
    assert page.status == 404
    assert state not in page.data.decode()
    assert login.is_waiting
    visited(authority.consented(login.url))
    assert login.granted()["refresh_token"]
    assert [form["code"] for form in authority.forms] == authority.codes


def test_silent_and_rude_visitors_do_not_end_the_wait(
    authority: AuthorisationServer, login: Waiting, capfd: pytest.CaptureFixture[str]
) -> None:
    with socket.create_connection(("127.0.0.1", login.port)):
        pass
    with socket.create_connection(("127.0.0.1", login.port)) as rude:
        rude.sendall(b"\x16\x03\x01 nonsense\r\n\r\n")
        rude.shutdown(socket.SHUT_WR)
        rude.recv(100)
    with urllib3.PoolManager(retries=False) as pool:
        assert pool.request("POST", login.at("/"), body=b"x").status == 501
    visited(authority.consented(login.url))
    assert login.granted()["refresh_token"]
    assert capfd.readouterr() == ("", "")


def test_second_visit_finds_nobody_listening(
    authority: AuthorisationServer, google: GrantSettings
) -> None:
    waiting = Waiting(google)
    address = authority.consented(waiting.url)
    visited(address)
    waiting.granted()
    waiting.close()
    with pytest.raises(urllib3.exceptions.HTTPError):
        visited(address)


def test_replayed_code_is_refused_and_withdraws_the_token(
    authority: AuthorisationServer, login: Waiting, google: GrantSettings
) -> None:
    visited(authority.consented(login.url))
    granted = login.granted()
    assert "no longer valid. To try again, run pbem mail login." in refusal(login.granted)
    stolen = replace(google, refresh_token=granted["refresh_token"])
    assert authority.objections[-1].endswith("is unknown or spent.")
    assert "invalid_grant" in refusal(RefreshGrant(stolen, KeptToken(Path("/tmp"), stolen)))


def test_code_of_another_login_is_refused(
    authority: AuthorisationServer, login: Waiting, google: GrantSettings
) -> None:
    """A page cannot make us log in to its own mailbox, even if it knew the state."""
    with Loopback(google) as other:
        stolen = dict(parse_qsl(urlsplit(authority.consented(other.url)).query))
    state = dict(parse_qsl(urlsplit(login.url).query))["state"]
    visited(login.at(f"/?{urlencode({'code': stolen['code'], 'state': state})}"))
    assert "no longer valid" in refusal(login.granted)
    assert authority.objections == ["redirect_uri differs from the first one"]


def test_declined_consent_is_reported(authority: AuthorisationServer, login: Waiting) -> None:
    authority.registered(Registration(error="access_denied"))
    visited(authority.consented(login.url))
    assert refusal(login.granted) == (
        "The consent was declined. To try again, run pbem mail login."
    )


def test_other_error_is_quoted_in_one_line(authority: AuthorisationServer, login: Waiting) -> None:
    authority.registered(Registration(error="temporarily\n\x1b[2J_unavailable"))
    visited(authority.consented(login.url))
    assert "localhost gives no consent: temporarily [2J_unavailable." in refusal(login.granted)


def test_nobody_consents_in_time(google: GrantSettings) -> None:
    waiting = Waiting(google, patience_s=0.05)
    assert (
        refusal(waiting.granted) == "Nobody consented in time. To try again, run pbem mail login."
    )
    waiting.close()


def test_taken_port_is_reported(login: Waiting, google: GrantSettings) -> None:
    said = refusal(lambda: Loopback(google, login.port))
    assert said.endswith("Address already in use. Choose another with --port.")


def test_port_answers_only_this_machine(login: Waiting) -> None:
    assert login.loopback.server_address[0] == "127.0.0.1"


def test_provider_without_a_page_for_consent_is_reported(google: GrantSettings) -> None:
    other = replace(
        google, authorize_url="", provider=PROVIDERS["google"]._replace(authorize_url="")
    )
    with Loopback(other) as loopback:
        assert "Set authorize_url in [imap.oauth]" in refusal(lambda: loopback.url)


def test_answer_without_a_refresh_token_is_reported(
    authority: AuthorisationServer, login: Waiting
) -> None:
    authority.registered(Registration(without_refresh_token=True))
    visited(authority.consented(login.url))
    assert "localhost issued no refresh token." in refusal(login.granted)


def test_wrong_client_is_reported(
    authority: AuthorisationServer, login: Waiting, google: GrantSettings
) -> None:
    visited(authority.consented(login.url))
    authority.client_secret = "canary-other"
    assert refusal(login.granted) == (
        "localhost gives no consent: invalid_client: client_secret is wrong. Set client_id and"
        " client_secret in [imap.oauth]."
    )


# The server of these tests


@pytest.mark.parametrize(
    ("name", "wrong"),
    (
        ("response_type", "token"),
        ("client_id", "other"),
        ("redirect_uri", "http://localhost:8000"),
        ("redirect_uri", "http://127.0.0.1:8000/"),
        ("redirect_uri", "http://127.0.0.1:8000?x"),
        ("scope", "https://mail.google.com/ profile"),
        ("state", "short"),
        ("code_challenge", "short"),
        ("code_challenge_method", "plain"),
        ("login_hint", "anna@games.example"),
        ("access_type", "online"),
        ("prompt", "none"),
        ("nonce", "unasked"),
    ),
)
def test_server_refuses_a_wrong_request_for_consent(
    authority: AuthorisationServer, login: Waiting, name: str, wrong: str
) -> None:
    page, query = authority.url + "/authorize", dict(parse_qsl(urlsplit(login.url).query))
    assert visited(f"{page}?{urlencode(query)}").status == 302
    assert visited(f"{page}?{urlencode({**query, name: wrong})}").status == 400
    assert visited(f"{page}?{urlencode(query)}&{name}=twice").status == 400
    query.pop(name, None)
    assert (visited(f"{page}?{urlencode(query)}").status == 302) == (name == "nonce")


@pytest.mark.parametrize(
    ("name", "wrong"),
    (
        ("grant_type", "password"),
        ("client_id", "other"),
        ("client_secret", "other"),
        ("redirect_uri", "http://127.0.0.1:8000"),
        ("code", "canary-other"),
        ("code_verifier", "a" * 64),
        ("code_verifier", ""),
        ("scope", "unasked"),
    ),
)
def test_server_refuses_a_wrong_exchange(
    authority: AuthorisationServer, google: GrantSettings, name: str, wrong: str
) -> None:
    with Loopback(google) as ours:
        pass
    code = dict(parse_qsl(urlsplit(authority.consented(ours.url)).query))["code"]
    form = {
        "grant_type": "authorization_code",
        "client_id": CLIENT_ID,
        "client_secret": CLIENT_SECRET,
        "code": code,
        "redirect_uri": ours.redirect_uri,
        "code_verifier": ours.verifier,
        name: wrong,
    }
    with urllib3.PoolManager(retries=False) as pool:
        url = f"{authority.url}/token"
        answer = pool.request("POST", url, fields=form, encode_multipart=False)
    assert answer.status == 400
    assert "access_token" not in answer.json()


# Device codes


@pytest.mark.parametrize("slower", ("slow_down", "503", "429", "0"))
def test_device_code_is_asked_about_at_the_given_interval_or_more_slowly(
    authority: AuthorisationServer, microsoft: GrantSettings, slower: str
) -> None:
    pending = ("authorization_pending", slower, "authorization_pending")
    authority.registered(replace(MICROSOFT, pending=pending))
    said: list[str] = []
    granted = by_device(microsoft, said.append, authority.wait)
    assert "Open https://microsoft.example/devicelogin in any browser" in said[0]
    assert said[1] == "\nHQRT-PLVW\n"
    assert authority.owner(granted["access_token"]) == USER
    assert authority.objections == []
    assert authority.now == 5 + 5 + 10 + 10


def test_server_notices_impatience(
    authority: AuthorisationServer, microsoft: GrantSettings
) -> None:
    waits = iter((1.0, 5.0, 20.0))
    by_device(microsoft, print, lambda _: authority.wait(next(waits)))
    assert authority.objections == ["asked too early"] * 2


@pytest.mark.parametrize(
    ("error", "said"),
    (
        ("access_denied", "The consent was declined."),
        ("authorization_declined", "The consent was declined."),
        ("expired_token", "Nobody entered the code in time."),
        ("odd", "localhost gives no consent: odd."),
        ("404", "localhost answered with HTTP status 404 and no reason. Check token_url in"),
    ),
)
def test_end_of_a_device_code_is_reported(
    authority: AuthorisationServer, microsoft: GrantSettings, error: str, said: str
) -> None:
    authority.registered(replace(MICROSOFT, pending=("authorization_pending", error)))
    assert refusal(lambda: by_device(microsoft, print, authority.wait)).startswith(said)


@pytest.mark.parametrize(
    ("answer", "said"),
    (
        ("authorization_pending", "Nobody entered the code in time."),
        ("503", "localhost returns no access token now (HTTP 503)."),
    ),
)
def test_device_code_expires_without_consent(
    authority: AuthorisationServer, microsoft: GrantSettings, answer: str, said: str
) -> None:
    authority.registered(replace(MICROSOFT, pending=(answer,) * 999, code_lifetime=20))
    assert said in refusal(lambda: by_device(microsoft, print, authority.wait))
    assert authority.now == 20


def test_google_has_no_device_code_for_email(google: GrantSettings) -> None:
    assert "Leave out --device." in refusal(lambda: by_device(google, print, print))


# What is kept


def test_running_club_uses_a_new_consent(
    authority: AuthorisationServer, login: Waiting, google: GrantSettings, tmp_path: Path
) -> None:
    running = RefreshGrant(google, KeptToken(tmp_path, google))
    said = refusal(running)
    assert said == "Nobody has consented to the use of this mailbox yet. Run pbem mail login."
    visited(authority.consented(login.url))
    KeptToken(tmp_path, google).replace(login.granted())
    assert authority.owner(running().token) == USER
    authority.withdraw_consent(USER)
    lately = f"{running.kept.renewal().at:%Y-%m-%d}"  # type: ignore[union-attr]
    assert f"It last worked on {lately}. It was withdrawn or has expired." in refusal(running)


def test_new_consent_replaces_the_configured_token(
    authority: AuthorisationServer, login: Waiting, google: GrantSettings, tmp_path: Path
) -> None:
    old = replace(google, refresh_token="canary-withdrawn")
    visited(authority.consented(login.url))
    KeptToken(tmp_path, old).replace(login.granted())
    assert RefreshGrant(old, KeptToken(tmp_path, old))().token


def test_each_user_and_scope_has_its_own_consent(google: GrantSettings, tmp_path: Path) -> None:
    KeptToken(tmp_path, google).replace({"refresh_token": "canary-first"})
    second = replace(google, user="second@games.example", mailbox="second")
    said = refusal(KeptToken(tmp_path, second).newest)
    assert said.endswith("Run pbem mail login --mailbox second.")
    narrow = replace(google, scope="smtp")
    assert "Nobody has consented" in refusal(KeptToken(tmp_path, narrow).newest)


def test_expiry_is_noted_until_a_newer_token_has_none(
    google: GrantSettings, tmp_path: Path
) -> None:
    kept = KeptToken(tmp_path, google)
    kept.replace({"refresh_token": "canary-1", "refresh_token_expires_in": 604_800})
    first = kept.renewal()
    assert first is not None
    assert first.expires == first.at + timedelta(days=7)
    kept.note_renewal({})
    again = kept.renewal()
    assert again is not None
    assert again.expires == first.expires
    kept.note_renewal({"refresh_token": "canary-2"})
    last = kept.renewal()
    assert last is not None
    assert last.expires is None


def test_full_disk_refuses_a_new_consent_and_leaves_the_dates(
    google: GrantSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    kept, granted = KeptToken(tmp_path, google), {"refresh_token": "canary-1"}
    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", full)
        said = refusal(lambda: kept.replace(granted))
        assert "The new refresh token cannot be written: No space left on device" in said
        assert [file.suffix for file in tmp_path.iterdir()] == [".lock"]
    kept.replace(granted)
    before = kept.renewal()
    monkeypatch.setattr("os.fsync", full)
    kept.note_renewal({"refresh_token_expires_in": 60})
    assert kept.renewal() == before
