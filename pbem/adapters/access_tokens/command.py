"""A command that prints an access token, and tokens cached until they expire."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from pbem.adapters.access_tokens.settings import Issued, Source, looks_like_a_token
from pbem.adapters.connection import Backoff, ConnectionProblem, full_stop, hushed, in_a_line
from pbem.adapters.token_login import TokenError, spellings

LIFETIME_S: Final = 300.0
"""Short, since the command knows when its token expires. This only spares running it for every
login.
"""

_SILENCE: Final = "it gave no reason on standard error, so run it by hand as the club's account"
_SHORTEST_SECRET: Final = 8

Process = subprocess.Popen[bytes]


class _Running:
    """The running process, until no more may start."""

    def __init__(self) -> None:
        self.guard = threading.Lock()
        self.process: Process | None = None
        self.ended = False

    def end(self) -> None:
        """Kill the process from another thread, and let none start."""
        with self.guard:
            self.ended = True
            if self.process is not None:
                _kill(self.process)

    def forget(self) -> None:
        """Forget an ended process, since its id may soon be reused."""
        with self.guard:
            self.process = None


def _kill(process: Process) -> None:
    """Kill a process with everything it has started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


@dataclass(frozen=True)
class TokenCommand:
    """A program that runs without a shell. The first line of its output is the access token."""

    arguments: tuple[str, ...] = field(repr=False)
    section: str
    """The command's section in the configuration."""
    environment: Mapping[str, str] = field(repr=False)
    timeout_s: float = 30.0
    _running: _Running = field(default_factory=_Running, init=False, repr=False, compare=False)

    def __call__(self) -> Issued:
        """Run the program. Raises TokenError with its error output, but never its output."""
        status, printed, complaint = self._run()
        token = printed.partition("\n")[0].strip()
        if self._running.ended:
            raise self._failed("was killed")
        if status:
            raise self._failed(f"ended with status {status}: {complaint or _SILENCE}")
        if not looks_like_a_token(token):
            raise self._failed("printed no access token in its first line")
        return Issued(token, LIFETIME_S)

    def close(self) -> None:
        """Kill the program, also from another thread, and never run it again. Never raises."""
        self._running.end()

    def _run(self) -> tuple[int, str, str]:
        with self._running.guard:
            if self._running.ended:
                raise self._failed("is no longer run")
            self._running.process = process = self._begun()
        try:
            return self._waited_for(process)
        finally:
            self._running.forget()

    def _begun(self) -> Process:
        try:
            return subprocess.Popen(
                self.arguments,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=self.environment,
                process_group=0,
            )
        except (OSError, ValueError) as error:
            # Its text may quote arguments.
            reason = getattr(error, "strerror", "") or "it contains a NUL"
            raise self._failed(f"cannot be run: {reason}") from None

    def _waited_for(self, process: Process) -> tuple[int, str, str]:
        with process:
            try:
                printed, complained = process.communicate(timeout=self.timeout_s)
            except subprocess.TimeoutExpired:
                _kill(process)
                raise self._failed(f"did not finish within {self.timeout_s:g} s") from None
        out, complaint = (text.decode(errors="replace") for text in (printed, complained))
        secrets = [word for word in out.split() if len(word) >= _SHORTEST_SECRET]
        return process.returncode, out, in_a_line(hushed(complaint, spellings(*secrets)))

    def _failed(self, what: str) -> TokenError:
        sentence = f"The token_command in {self.section} ({self._program}) {what}"
        return TokenError(ConnectionProblem(full_stop(sentence), "token_command"))

    @property
    def _program(self) -> str:
        """Return the program without arguments, which may be secret."""
        return self.arguments[0]


EARLY_S: Final = 60.0
"""Seconds before its expiry at which a token is replaced, since logins take time and clocks differ.
"""

YOUNG_S: Final = 60.0
"""A token refused within this many seconds of its issue is not to blame. Another would fail too."""


@dataclass(frozen=True)
class _Held:
    issued: Issued
    since: float

    @property
    def until(self) -> float:
        early = min(EARLY_S, self.issued.lifetime_s / 2)
        return self.since + self.issued.lifetime_s - early


class CachedTokens:
    """The access tokens of one account. Threads that ask at once share the result."""

    def __init__(
        self,
        source: Source,
        monotonic: Callable[[], float] = time.monotonic,
        close: Callable[[], None] = lambda: None,
    ) -> None:
        self.source = source
        self._monotonic = monotonic
        self._close = close
        self._guard = threading.Lock()
        self._held: _Held | None = None
        self._backoff = Backoff()
        self._last = ConnectionProblem("")

    def current(self) -> str:
        """Return a token that should be valid. Raises TokenError, at once during a backoff."""
        with self._guard:
            if self._held is None or self._monotonic() >= self._held.until:
                self._held = None
                self._held = self._asked()
            return self._held.issued.token

    def _asked(self) -> _Held:
        if self._backoff.remaining(self._monotonic()):
            raise TokenError(self._last)
        try:
            issued = self.source()
        except TokenError as error:
            self._last = error.trouble
            self._backoff.failed(self._monotonic())
            raise
        self._backoff.succeeded()
        return _Held(issued, self._monotonic())

    def close(self) -> None:
        """Stop waiting for tokens. Never raises."""
        self._close()

    def refused(self, token: str) -> bool:
        """Record that a server refused a token. Return whether to ask for another.

        Not if it is fresh. Otherwise a server that refuses us for other reasons would make us ask
        the provider at every attempt.
        """
        with self._guard:
            if self._held is None or self._held.issued.token != token:
                return True
            if self._monotonic() - self._held.since < YOUNG_S:
                return False
            self._held = None
            return True
