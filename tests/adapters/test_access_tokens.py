"""Access tokens from a token server or a command, and the token cache."""

from __future__ import annotations

import errno
import os
import stat
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from select import select
from ssl import SSLContext

import pytest

from pbem.adapters.access_tokens import (
    CachedTokens,
    GrantSettings,
    KeptToken,
    RefreshGrant,
    TokenCommand,
)
from pbem.adapters.access_tokens.settings import Issued
from pbem.adapters.connection import ConnectionProblem
from pbem.adapters.token_login import TokenError
from tests.support.certificates import Certificates
from tests.support.token_server import CLIENT_ID, CLIENT_SECRET, TokenServer, tells_a_secret

USER = "club@games.example"
SOON = 5.0


def trouble(ask: Callable[[], object]) -> TokenError:
    """Return the error that a request raises, with no secret in its traceback."""
    with pytest.raises(TokenError) as caught:
        ask()
    told = "".join(traceback.format_exception(caught.value))
    assert not tells_a_secret(told + repr(caught.value)), told
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)
    assert "Errno" not in str(caught.value)
    return caught.value


# A token server


@pytest.fixture
def settings(token_server: TokenServer) -> GrantSettings:
    refresh_token = token_server.consent(USER)
    return GrantSettings(
        f"{token_server.url}/token", CLIENT_ID, refresh_token, CLIENT_SECRET, timeout_s=SOON
    )


@pytest.fixture
def grant(settings: GrantSettings, tmp_path: Path) -> RefreshGrant:
    return RefreshGrant(settings, KeptToken(tmp_path, settings))


def test_a_refresh_token_gets_an_access_token(
    token_server: TokenServer, settings: GrantSettings, grant: RefreshGrant
) -> None:
    issued = grant()
    assert token_server.owner(issued.token) == USER
    assert issued.lifetime_s == 3600
    assert not tells_a_secret(repr(issued) + repr(settings))
    (form,) = token_server.forms
    assert form == {
        "grant_type": "refresh_token",
        "refresh_token": settings.refresh_token,
        "client_id": CLIENT_ID,
        "client_secret": CLIENT_SECRET,
    }


def test_scope_is_sent_and_missing_secret_is_left_out(
    token_server: TokenServer, settings: GrantSettings, tmp_path: Path
) -> None:
    public = replace(settings, client_secret="", scope="IMAP SMTP")
    error = trouble(RefreshGrant(public, KeptToken(tmp_path, public)))
    assert str(error).endswith(
        "invalid_client: The client is unknown. Set client_id and client_secret in [imap.oauth]."
    )
    assert "client_secret" not in token_server.forms[0]
    assert token_server.forms[0]["scope"] == "IMAP SMTP"


@pytest.mark.parametrize(
    ("told", "expected"),
    (
        *(("1800", 1800), (1.5e3, 1500), (None, 300), ("soon", 300), ([60], 300)),
        *((0, 60), (-3600, 60), ("1e9", 86400), (10**400, 300)),
        *((float("nan"), 300), (float("inf"), 86400), ("-inf", 60)),
    ),
)
def test_lifetime_is_read_in_many_forms(
    token_server: TokenServer, grant: RefreshGrant, told: object, expected: float
) -> None:
    token_server.lifetime = told
    assert grant().lifetime_s == expected


@pytest.mark.servers
def test_https_certificate_is_verified(
    server_tls: SSLContext, certificates: Certificates, tmp_path: Path
) -> None:
    with TokenServer(server_tls).running() as server:
        settings = GrantSettings(
            f"{server.url}/token",
            CLIENT_ID,
            server.consent(USER),
            CLIENT_SECRET,
            timeout_s=SOON,
            ca_file=certificates.ca_file,
        )
        assert RefreshGrant(settings, KeptToken(tmp_path, settings))().token
        for wrong, setting, said in (
            (replace(settings, ca_file=None), "ca_file", "is not trusted"),
            (replace(settings, ca_file=tmp_path / "none.pem"), "ca_file", "none.pem"),
            (
                replace(settings, token_url=server.url.replace("localhost", "127.1")),
                "token_url",
                "is for another name",
            ),
        ):
            error = trouble(RefreshGrant(wrong, KeptToken(tmp_path, wrong)))
            assert said in str(error)
            assert error.trouble.setting == setting
        assert len(server.forms) == 1


@pytest.mark.parametrize(
    ("url", "said"),
    (
        ("https://nowhere.invalid/token", "nowhere.invalid cannot be found"),
        ("http://127.0.0.1:1/token", "Nothing answers at 127.0.0.1, port 1"),
    ),
)
def test_unreachable_token_server_is_reported(
    settings: GrantSettings, tmp_path: Path, url: str, said: str
) -> None:
    wrong = replace(settings, token_url=url)
    error = trouble(RefreshGrant(wrong, KeptToken(tmp_path, wrong)))
    assert said in str(error)
    assert error.trouble.setting == "token_url"


def test_silent_token_server_times_out(
    token_server: TokenServer, settings: GrantSettings, tmp_path: Path
) -> None:
    token_server.go_on.clear()
    hasty = replace(settings, timeout_s=0.1)
    assert "did not answer in time" in str(trouble(RefreshGrant(hasty, KeptToken(tmp_path, hasty))))
    token_server.go_on.set()


@pytest.mark.parametrize(
    ("status", "body", "setting", "said"),
    (
        (200, b"<html>canary</html>", "token_url", "HTTP status 200 and no reason"),
        (302, b"", "token_url", "HTTP status 302"),
        (503, b"<html>later</html>", "", "returns no access token now (HTTP 503)"),
        (429, b"", "", "returns no access token now (HTTP 429)"),
        (200, b'["canary"]', "token_url", "HTTP status 200"),
        (200, b"[" * 70_000, "token_url", "HTTP status 200"),
        (200, b'{"access_token": ""}', "token_url", "returned no access token"),
        (200, b'{"access_token": "canary\\u0001"}', "token_url", "returned no access token"),
        (200, b'{"access_token": 7}', "token_url", "returned no access token"),
        (200, b'{"access_token": "canary", "token_type": "mac"}', "token_url", "not of the kind"),
        (400, b'{"error": "invalid_scope"}', "scope", "Set scope in [imap.oauth]"),
        (400, b'{"error": "unauthorized_client"}', "client_id", "Set client_id in [imap.oauth]"),
        (400, b'{"error": "odd", "error_description": "x\\u001b[2J\\ny"}', "", "odd: x [2J y."),
        (400, b'{"error": ["canary"]}', "token_url", "HTTP status 400"),
    ),
)
def test_odd_answers_are_reported_in_a_sentence(
    token_server: TokenServer,
    grant: RefreshGrant,
    status: int,
    body: bytes,
    setting: str,
    said: str,
) -> None:
    token_server.answers = [(status, body)]
    error = trouble(grant)
    assert said in str(error)
    assert error.trouble.setting == setting


@pytest.mark.parametrize("status", (302, 307, 308))
def test_redirect_does_not_forward_the_form(
    token_server: TokenServer, grant: RefreshGrant, status: int
) -> None:
    token_server.answers = [(status, b"")]
    assert f"HTTP status {status}" in str(trouble(grant))
    assert len(token_server.forms) == 1


# Rotating refresh tokens


def kept(folder: Path) -> list[Path]:
    return [file for file in folder.iterdir() if not file.suffix]


def test_newer_refresh_token_is_kept_private_to_the_owner(
    token_server: TokenServer, grant: RefreshGrant, settings: GrantSettings, tmp_path: Path
) -> None:
    token_server.rotates = True
    grant()
    grant()
    (file,) = kept(tmp_path)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    RefreshGrant(settings, KeptToken(tmp_path, settings))()
    assert len({form["refresh_token"] for form in token_server.forms}) == 3


def test_refresh_token_in_configuration_wins_over_kept_one(
    token_server: TokenServer, grant: RefreshGrant, settings: GrantSettings, tmp_path: Path
) -> None:
    token_server.rotates = True
    grant()
    anew = replace(settings, refresh_token=token_server.consent(USER))
    RefreshGrant(anew, KeptToken(tmp_path, anew))()
    assert token_server.forms[-1]["refresh_token"] == anew.refresh_token


def test_full_disk_does_not_prevent_login(
    token_server: TokenServer, grant: RefreshGrant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    token_server.rotates = True

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", full)
        for _ in range(2):
            grant()
    assert kept(tmp_path) == []
    token_server.rotates = False
    grant()
    assert [file.read_text().strip() for file in kept(tmp_path)] == [
        token_server.forms[-1]["refresh_token"]
    ]


@pytest.mark.parametrize("was_kept", (False, True))
def test_token_that_could_not_be_written_gives_way_to_a_new_login(
    token_server: TokenServer,
    grant: RefreshGrant,
    settings: GrantSettings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    was_kept: bool,
) -> None:
    token_server.rotates = True
    if was_kept:
        grant()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", full)
        grant()
    token_server.rotates = False
    token_server.withdraw_consent(USER)
    new = token_server.consent(USER)
    KeptToken(tmp_path, settings).replace({"refresh_token": new})
    assert grant().token
    assert [file.read_text().strip() for file in kept(tmp_path)] == [new]


def test_kept_token_readable_by_others_is_not_used(
    token_server: TokenServer, grant: RefreshGrant, tmp_path: Path
) -> None:
    token_server.rotates = True
    grant()
    kept(tmp_path)[0].chmod(0o640)
    assert "others can read it. Run: chmod 600" in str(trouble(grant))


def test_file_system_without_locks_is_reported(
    grant: RefreshGrant, token_server: TokenServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_left(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("fcntl.flock", none_left)
    assert "it cannot be locked: No locks available" in str(trouble(grant))
    assert token_server.forms == []


def test_two_processes_never_use_the_same_refresh_token(
    token_server: TokenServer, settings: GrantSettings, tmp_path: Path
) -> None:
    token_server.rotates = True
    grants = [RefreshGrant(settings, KeptToken(tmp_path, settings)) for _ in range(4)]
    threads = [threading.Thread(target=grant) for grant in grants]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    used = [form["refresh_token"] for form in token_server.forms]
    assert len(set(used)) == len(used) == 4


# The token cache


class Source:
    """A source that returns numbered tokens, or errors."""

    def __init__(self, lifetime_s: float = 3600.0) -> None:
        self.asked = 0
        self.fails = False
        self._lifetime_s = lifetime_s

    def __call__(self) -> Issued:
        self.asked += 1
        if self.fails:
            raise TokenError(ConnectionProblem(f"No {self.asked}."))
        return Issued(f"token-{self.asked}", self._lifetime_s)


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("lifetime_s", "good_for"), ((3600.0, 3540.0), (100.0, 50.0), (120.0, 60.0))
)
def test_token_is_used_until_shortly_before_it_expires(lifetime_s: float, good_for: float) -> None:
    clock, source = Clock(), Source(lifetime_s)
    tokens = CachedTokens(source, clock)
    assert tokens.current() == "token-1"
    clock.now += good_for - 1
    assert tokens.current() == "token-1"
    clock.now += 1
    assert tokens.current() == "token-2"


def test_refused_token_is_dropped_unless_fresh() -> None:
    clock = Clock()
    tokens = CachedTokens(Source(), clock)
    assert tokens.current() == "token-1"
    clock.now += 59
    assert not tokens.refused("token-1")
    assert tokens.current() == "token-1"
    clock.now += 1
    assert tokens.refused("token-1")
    assert tokens.current() == "token-2"
    assert tokens.refused("token-1"), "another thread has replaced it already"
    assert tokens.current() == "token-2"


def test_attempt_after_a_failure_waits() -> None:
    clock, source = Clock(), Source()
    tokens = CachedTokens(source, clock)
    source.fails = True
    assert str(trouble(tokens.current)) == "No 1."
    for _ in range(3):
        assert str(trouble(tokens.current)) == "No 1."
    clock.now += 1
    assert str(trouble(tokens.current)) == "No 2."
    clock.now += 2
    source.fails = False
    assert tokens.current() == "token-3"
    assert source.asked == 3


def test_threads_that_need_a_token_at_once_share_one_request(
    token_server: TokenServer, grant: RefreshGrant
) -> None:
    tokens = CachedTokens(grant)
    token_server.go_on.clear()
    got: list[str] = []
    threads = [threading.Thread(target=lambda: got.append(tokens.current())) for _ in range(8)]
    for thread in threads:
        thread.start()
    assert token_server.asking.wait(SOON)
    token_server.go_on.set()
    for thread in threads:
        thread.join()
    assert len(got) == 8
    assert len(set(got)) == len(token_server.forms) == 1


# A command


def command(*words: str, timeout_s: float = SOON) -> TokenCommand:
    """Return a token command that runs a Python program."""
    return TokenCommand((sys.executable, "-c", *words), "[imap]", {"PATH": "/bin"}, timeout_s)


@pytest.mark.servers
def test_first_line_of_output_is_the_token() -> None:
    issued = command("print('canary-access.7/+~_==');print('expires soon')")()
    assert issued.token == "canary-access.7/+~_=="
    assert not tells_a_secret(repr(issued))


@pytest.mark.servers
def test_command_gets_only_its_environment_and_no_shell() -> None:
    program = "import os, sys; print(*sorted(os.environ.keys() - {'LC_CTYPE'}), sys.argv[1])"
    said = str(trouble(command(program, "$PATH; echo")))
    assert "printed no access token" in said
    print_one = "import os; print('-'.join(sorted(os.environ.keys() - {'LC_CTYPE'})))"
    assert command(print_one)().token == "PATH"


@pytest.mark.servers
@pytest.mark.parametrize(
    ("program", "said"),
    (
        ("", "printed no access token in its first line"),
        ("print(); print('canary')", "printed no access token in its first line"),
        ('print(\'{"access_token": "canary"}\')', "printed no access token in its first line"),
        ("print('canary canary')", "printed no access token in its first line"),
        ("import sys; sys.exit('no  credentials\\nfor club')", "status 1: no credentials for club"),
        ("import sys; sys.exit(3)", "status 3: it gave no reason on standard error"),
        (
            "import sys; print('canary-access'); sys.exit('\\x1b[2J canary-access expired')",
            "status 1: [2J … expired",
        ),
    ),
)
def test_failed_command_is_quoted_without_its_output(program: str, said: str) -> None:
    error = trouble(command(program))
    assert said in str(error)
    assert str(error).startswith(f"The token_command in [imap] ({sys.executable}) ")
    assert error.trouble.setting == "token_command"


@pytest.mark.servers
def test_missing_command_is_reported() -> None:
    error = trouble(TokenCommand(("/no/such/program", "canary"), "[smtp]", {}, SOON))
    assert str(error) == (
        "The token_command in [smtp] (/no/such/program) cannot be run: No such file or directory."
    )


@pytest.mark.servers
def test_hanging_command_is_killed_with_its_children(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    program = f"echo canary; (exec 3>{pipe}; echo begun >&3; sleep 60) & wait"
    error = trouble(TokenCommand(("sh", "-c", program), "[imap]", {"PATH": "/usr/bin:/bin"}, 1.0))
    assert "did not finish within 1 s" in str(error)
    said = b""
    # The pipe ends once nobody holds its other end.
    while select([reader], [], [], SOON)[0] and (chunk := os.read(reader, 100)):
        said += chunk
    assert said == b"begun\n"
    assert select([reader], [], [], 0)[0], "a process is still alive"
    os.close(reader)


@pytest.mark.servers
def test_command_is_killed_on_close_and_not_run_again(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    program = f"(exec 3>{pipe}; echo begun >&3; sleep 60) & wait"
    slow = TokenCommand(("sh", "-c", program), "[imap]", {"PATH": "/usr/bin:/bin"}, 60.0)
    tokens = CachedTokens(slow, close=slow.close)
    said: list[str] = []
    asking = threading.Thread(target=lambda: said.append(str(trouble(tokens.current))))
    asking.start()
    with pipe.open() as reader:
        assert reader.readline() == "begun\n"
        tokens.close()
        assert reader.read() == "", "no process holds the other end"
    asking.join(SOON)
    assert said == ["The token_command in [imap] (sh) was killed."]
    assert "is no longer run" in str(trouble(slow))
