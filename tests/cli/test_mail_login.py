"""Test `pbem mail login`: from a configuration without a token to a club that reads its mailbox."""

from __future__ import annotations

import os
import re
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.support.authorisation_server import (
    MICROSOFT,
    MICROSOFT_SCOPE,
    Registration,
    visited,
)
from tests.support.token_logins import TokenClub
from tests.support.token_server import tells_a_secret

SOON = 60.0


def google(club: TokenClub) -> str:
    """Return the configuration of a mailbox at Google."""
    club.authority.registered(Registration(mailbox=club.user))
    page = f"{club.authority.url}/authorize"
    oauth = club.oauth("", provider="google", authorize_url=page)
    return f"[imap.oauth]\n{oauth}"


def microsoft(club: TokenClub) -> str:
    """Return the configuration of a mailbox at Microsoft, for a public client."""
    club.authority.registered(replace(MICROSOFT, mailbox=club.user))
    return f"[imap.oauth]\n{club.oauth('', provider='microsoft', client_secret='')}"


class Typing:
    """`pbem mail login` in a terminal, and what it has printed."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.printed = ""
        self.url = self._read_until(r"^(http\S+)$")
        self.port = int(self._read_until(r"^ssh -L (\d+):127\.0\.0\.1:\1 SERVER$"))

    def _read_until(self, pattern: str) -> str:
        """Return the group in the first line that matches."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.printed += line
            if found := re.match(pattern, line):
                return found[1]
        pytest.fail(self.printed)

    def ended(self, typed: str = "") -> int:
        """Type something and return the exit status."""
        out, _ = self._process.communicate(typed, timeout=SOON)
        self.printed += out
        assert not tells_a_secret(self.printed), self.printed
        assert "Traceback" not in self.printed
        return self._process.returncode


@contextmanager
def login(club: TokenClub, *options: str) -> Iterator[Typing]:
    words = ["mail", "login", "--config", str(club.path), *options]
    with subprocess.Popen(
        [sys.executable, "-m", "pbem", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            yield Typing(process)
        finally:
            process.kill()


def kept(club: TokenClub) -> list[Path]:
    """Return the files with refresh tokens."""
    return [each for each in club.path.parent.glob("club/oauth/*") if not each.suffix]


def test_login_at_google_in_a_browser(token_club: TokenClub) -> None:
    token_club.write(google(token_club))
    assert "Nobody has consented to the use of this mailbox yet. Run pbem mail login." in " ".join(
        token_club.run().output.split()
    )
    with login(token_club) as typing:
        address = token_club.authority.consented(typing.url)
        assert urlsplit(address).netloc == f"127.0.0.1:{typing.port}"
        visited(address)
        assert typing.ended() == 0
    assert "ok   imap: " in typing.printed
    assert "ok   smtp: " in typing.printed
    assert token_club.authority.objections == []
    (file,) = kept(token_club)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    result = token_club.run()
    assert result.exit_code == 0, result.output


def test_login_at_microsoft_by_pasting_the_address(token_club: TokenClub) -> None:
    token_club.write(microsoft(token_club))
    token_club.authority.rotates = True
    with login(token_club) as typing:
        address = token_club.authority.consented(typing.url)
        assert urlsplit(address).netloc == f"localhost:{typing.port}"
        assert typing.ended(f"http://localhost/?code=x\n{address}\n") == 0
    assert "Paste the whole address" in typing.printed
    assert token_club.authority.objections == []
    told = " ".join(token_club.run().output.split())
    assert re.search(
        r"ok consent: the consent in \[imap.oauth\] lasts until 20\d\d-\d\d-\d\d if unused,"
        r" and each renewal extends it; last renewed 20\d\d-\d\d-\d\d \d\d:\d\d UTC",
        told,
    ), told


def test_login_at_microsoft_with_a_device_code(
    token_club: TokenClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    token_club.write(microsoft(token_club))
    authority = token_club.authority
    authority.registered(replace(authority.client, pending=("authorization_pending", "slow_down")))
    monkeypatch.setattr("time.sleep", authority.wait)
    result = token_club.run("mail", "login", "--device")
    assert result.exit_code == 0, result.output
    assert "Open https://microsoft.example/devicelogin in any browser" in result.output
    assert "\nHQRT-PLVW\n" in result.output
    assert authority.objections == []
    assert {form.get("scope") for form in authority.forms} == {None, MICROSOFT_SCOPE}


UNACCEPTED = (
    ("anna@games.example", "", "127.0.0.1 refuses the access token of club@"),
    ("anna@games.example", "port = 1", "Nothing answers at 127.0.0.1, port 1."),
    ("", 'folder = "none"', "The folder none cannot be opened"),
)
"""Who consents, a setting, and the error. Only in the last does the mailbox accept the consent."""


def test_consent_counts_once_the_mailbox_accepts_it(token_club: TokenClub) -> None:
    authority = token_club.authority
    token_club.write(google(token_club))
    with login(token_club) as typing:
        visited(authority.consented(typing.url))
        assert typing.ended() == 0
    (file,) = kept(token_club)
    before, usual = file.read_text(), token_club.path.read_text()
    for user, setting, said in UNACCEPTED:
        config = usual
        if setting.startswith("port"):
            config = config.replace(f"port = {token_club.home.dovecot.imap_port}", "")
        token_club.path.write_text(config.replace("[imap]", f"[imap]\n{setting}"))
        authority.registered(Registration(mailbox=token_club.user, user=user))
        with login(token_club) as typing:
            visited(authority.consented(typing.url))
            assert typing.ended()
            told = " ".join(typing.printed.split())
        assert said in told
        assert told.endswith("Nothing was changed.") == bool(user)
        assert (file.read_text() == before) == bool(user)


def test_second_login_replaces_a_withdrawn_consent(token_club: TokenClub) -> None:
    token_club.write(google(token_club))
    for _ in range(2):
        with login(token_club) as typing:
            visited(token_club.authority.consented(typing.url))
            assert typing.ended() == 0
        token_club.authority.withdraw_consent(token_club.user)
    told = " ".join(token_club.run().output.split())
    assert re.search(r"It last worked on 20\d\d-\d\d-\d\d\. It was withdrawn", told)
    assert " consent: " not in told
    assert len(kept(token_club)) == 1


def test_consent_that_expires_soon_is_a_tip(token_club: TokenClub) -> None:
    oauth = google(token_club)
    token_club.write(oauth)
    testing = {"refresh_token_expires_in": 604_799}
    token_club.authority.registered(Registration(mailbox=token_club.user, further=testing))
    with login(token_club) as typing:
        visited(token_club.authority.consented(typing.url))
        assert typing.ended() == 0
    assert re.search(r"tip +consent: .* expires 20", typing.printed)
    assert "Run pbem mail login before then." in " ".join(typing.printed.split())


def test_declined_consent_keeps_nothing(token_club: TokenClub) -> None:
    token_club.write(google(token_club))
    token_club.authority.registered(Registration(mailbox=token_club.user, error="access_denied"))
    with login(token_club) as typing:
        visited(token_club.authority.consented(typing.url))
        assert typing.ended() == 1
    assert "pbem: The consent was declined." in typing.printed
    assert kept(token_club) == []


def test_port_can_be_chosen(token_club: TokenClub) -> None:
    token_club.write(google(token_club))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = token_club.run("mail", "login", "--port", str(port))
        assert refused.exit_code == 1
        assert "Choose another with --port." in refused.output
    with login(token_club, "--port", str(port)) as typing:
        assert typing.port == port


def test_smtp_can_have_a_consent_of_its_own(token_club: TokenClub) -> None:
    authority = token_club.authority
    authority.registered(Registration(mailbox=token_club.user))
    page = f"{authority.url}/authorize"
    oauth = token_club.oauth("", provider="google", authorize_url=page)
    imap = f"[imap.oauth]\n{token_club.oauth(authority.consent(token_club.user))}"
    token_club.write(imap, f"[smtp.oauth]\n{oauth}")
    told = " ".join(token_club.run().output.split())
    assert "BAD smtp: Nobody has consented" in told
    assert "Run pbem mail login --mailbox smtp." in told
    with login(token_club, "--mailbox", "smtp") as typing:
        visited(authority.consented(typing.url))
        assert typing.ended() == 0
    assert token_club.run().exit_code == 0


@pytest.mark.parametrize(
    ("oauth", "words", "said"),
    (
        (False, (), "no section asks for consent. Write [imap.oauth] into the configuration"),
        (True, ("--mailbox", "second"), "second needs no consent. These do: first"),
        (True, ("--device",), "This provider allows no email by device code. Leave out --device."),
    ),
)
def test_login_without_a_fitting_section_is_refused(
    token_club: TokenClub, oauth: bool, words: tuple[str, ...], said: str
) -> None:
    token_club.write(google(token_club) if oauth else 'password = "x"')
    result = token_club.run("mail", "login", *words)
    assert result.exit_code == 1
    assert said in " ".join(result.output.split())


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_root_is_told_to_log_in_as_the_club(token_club: TokenClub) -> None:
    token_club.write(google(token_club))
    folder = token_club.path.parent / "club"
    folder.mkdir(mode=0o700)
    os.chown(folder, 12345, 12345)
    result = token_club.run("mail", "login")
    assert result.exit_code == 78
    assert "runuser -u 12345 -- pbem" in " ".join(result.output.split())
    assert list(folder.iterdir()) == []
