"""The club of the demonstration: `pbem serve --embedded` in its own folder, and its players."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from types import TracebackType
from typing import Any, NamedTuple, Self

from pbem.extras.demo.time_limit import DemoFailed, TimeLimit
from pbem.extras.embedded.pop3 import maildir_of
from pbem.run.config import FILE_NAME, environment_without_settings

STOP_S = 10.0
"""SIGTERM ends the service within this many seconds, whatever it is doing."""
DOVECOT = (Path("/usr/lib/dovecot/imap"), Path("/usr/libexec/dovecot/imap"))
_SERVERS = r"^SMTP (\S+):(\d+)  POP3 \S+:(\d+)$"


class MailPorts(NamedTuple):
    """Addresses of the club's mail servers."""

    host: str
    smtp_port: int
    pop3_port: int


class ClubProcess:
    """The service with its output, and its director's commands."""

    def __init__(self, folder: Path, deadline: TimeLimit) -> None:
        self._deadline = deadline
        self._config = folder / FILE_NAME
        self._log = folder / "serve.log"
        self._mail = folder / "club" / "embedded" / "mail"
        self._process: subprocess.Popen[bytes] | None = None
        self.archive = folder / "club" / "archive"
        self.reading_room = folder / "club" / "site" / "index.html"

    def set_up(self) -> None:
        """Write a configuration, add the players and start their set.

        It has no limits on emails, since nobody here needs protection.
        """
        self.director("init", "--defaults", str(self._config), config=False)
        text = self._config.read_text("utf-8")
        text, found = re.subn(r"(?m)^# (\w*mails_an_hour) = \d+$", r"\1 = 0", text)
        assert found == 2, "pbem init writes the limits"
        self._config.write_text(text, "utf-8")
        self._run("pbem.extras.demo.start_set", str(self._config))

    def director(self, *arguments: str, config: bool = True) -> str:
        """Run a pbem command and return its output. Raises DemoFailed if it fails."""
        return self._run("pbem", *arguments, *(("--config", str(self._config)) if config else ()))

    def _run(self, module: str, *arguments: str) -> str:
        called = f"{module} {' '.join(arguments)}"
        try:
            done = subprocess.run(
                [sys.executable, "-m", module, *arguments],
                env=environment_without_settings(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=self._deadline.left_s,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise DemoFailed(f"no time was left for {called}") from None
        if done.returncode:
            raise DemoFailed(f"{called} failed: {(done.stdout + done.stderr).strip()}")
        return done.stdout

    def __enter__(self) -> Self:
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "pbem", "serve", "--embedded", "--config", self._config],
                env=environment_without_settings(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                process_group=0,
            )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    def stop(self) -> float:
        """Stop the service with SIGTERM. Return the seconds it took. Raises DemoFailed."""
        self.require_running()
        assert self._process is not None
        clock = TimeLimit(STOP_S)
        self._process.terminate()
        try:
            status = self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            raise DemoFailed(
                f"the club is still running {STOP_S:.0f} seconds after SIGTERM"
            ) from None
        if status:
            raise DemoFailed(f"the club ended with status {status} after SIGTERM")
        return clock.passed_s

    def require_running(self) -> None:
        """Raise DemoFailed if the service has ended."""
        if self._process is None or self._process.poll() is not None:
            raise DemoFailed("the club's process stopped on its own")

    @property
    def printed(self) -> str:
        """Return the service's output so far."""
        return self._log.read_text("utf-8", "replace") if self._log.exists() else ""

    def servers(self) -> MailPorts:
        """Return the addresses of its mail servers, once it has printed them."""
        found = self._deadline.wait_for(lambda: self._told(_SERVERS))
        return MailPorts(found[1], int(found[2]), int(found[3]))

    def password(self, address: str) -> str:
        """Return the password of a mailbox, once the service has printed it."""
        line = rf"^mailbox of .*: user {re.escape(address)} password (\S+)$"
        return self._deadline.wait_for(lambda: self._told(line))[1]

    def imap(self, address: str) -> str:
        """Return the command by which Dovecot serves a mailbox. Empty if missing, and for root."""
        program = next((each for each in DOVECOT if each.exists() and os.geteuid()), None)
        where = f"mail_location=maildir:{maildir_of(self._mail, address)}"
        return (
            shlex.join(["env", "USER=player", str(program), "-O", "-o", where]) if program else ""
        )

    def _told(self, line: str) -> re.Match[str] | None:
        self.require_running()
        return re.search(line, self.printed, re.MULTILINE)


PROGRAM = Path(__file__).with_name("outside")
END_S = 5.0


class PlayerNews(NamedTuple):
    """A line from a player's process. None is the last."""

    name: str
    facts: Mapping[str, Any] | None


class PlayerProcess:
    """The process of one player."""

    def __init__(
        self, name: str, settings: Mapping[str, Any], log: Path, news: SimpleQueue[PlayerNews]
    ) -> None:
        self.name = name
        self._settings = settings
        self._log = log
        self._news = news

    def __enter__(self) -> Self:
        with self._log.open("wb") as log:
            # Isolated: neither this folder nor the environment leads it to pbem's modules.
            self._process = subprocess.Popen(
                [sys.executable, "-I", PROGRAM],
                env=environment_without_settings(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                process_group=0,
            )
        assert self._process.stdin is not None
        print(json.dumps(self._settings), file=self._process.stdin, flush=True)
        Thread(target=self._listen, name=self.name, daemon=True).start()
        return self

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._news.put(PlayerNews(self.name, json.loads(line)))
        self._news.put(PlayerNews(self.name, None))

    def ask_for_report(self) -> None:
        """Close its input, so that it checks its mailbox a last time, reports and ends."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    @property
    def last_words(self) -> str:
        """Return the last line that it printed about its own failure."""
        return self._log.read_text("utf-8", "replace").strip().rpartition("\n")[2]

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._process.wait(END_S if error is None else 0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
