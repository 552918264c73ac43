"""The newest refresh token: from a login, or from a provider that gives a new one each time."""

from __future__ import annotations

import fcntl
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from pbem.adapters.access_tokens.endpoint import refresh_token_in, seconds_in
from pbem.adapters.access_tokens.settings import GrantSettings
from pbem.adapters.connection import ConnectionProblem
from pbem.adapters.token_login import TokenError
from pbem.log import get_logger

log = get_logger(__name__)

_OTHERS: Final = 0o077
_NAME_LENGTH: Final = 16
_LONGEST_S: Final = 10 * 365 * 86_400.0


class Renewal(NamedTuple):
    """When the provider last issued an access token, and when the refresh token expires."""

    at: datetime
    expires: datetime | None
    """None if the provider does not say."""


class KeptToken:
    """A file beside the database with the newest successor of the configured refresh token.

    It belongs to that very token. A newly configured one starts its own file. If none is
    configured, it belongs to the user and scope, and `pbem mail login` writes the first one. A
    process that renews holds a lock, so that `pbem doctor` and the service don't use the same token
    twice. A second file says when that last worked.
    """

    def __init__(self, folder: Path, settings: GrantSettings) -> None:
        whose = settings.refresh_token or f"{settings.user} {settings.scope}"
        about = f"{settings.token_url} {settings.client_id} {whose}"
        self._file = folder / f"refresh-token-{sha256(about.encode()).hexdigest()[:_NAME_LENGTH]}"
        self._renewals = self._file.with_suffix(".json")
        self._configured = settings.refresh_token
        self._login = settings.login
        self._read = self._unwritten = ""

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Open a block in which no other thread or process renews. Raises TokenError."""
        handle = self._opened()
        try:
            self._lock(handle)
            yield
        finally:
            os.close(handle)

    def _opened(self) -> int:
        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            return os.open(self._file.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise self._unusable(error.strerror or "it cannot be opened") from error

    def _lock(self, handle: int) -> None:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
        except OSError as error:  # NFS without locks, no lock left
            raise self._unusable(f"it cannot be locked: {error.strerror}") from error

    def newest(self) -> str:
        """Return the refresh token to use next. Raises TokenError.

        Tries again to write a token that could not be written, unless another was written since.
        """
        stored = self._stored()
        if (token := self._unwritten) and stored == self._read:
            self.keep(token)
            return token
        self._read, self._unwritten = stored, ""
        return stored

    def _stored(self) -> str:
        try:
            mode = self._file.stat().st_mode
            text = self._file.read_text("ascii").strip()
        except FileNotFoundError:
            return self._configured or self._none()
        except (OSError, UnicodeError) as error:
            raise self._unusable(getattr(error, "strerror", "") or "it is not text") from None
        if mode & _OTHERS:
            raise self._unusable(f"others can read it. Run: chmod 600 {self._file}")
        return text or self._configured or self._none()

    def _none(self) -> str:
        sentence = f"Nobody has consented to the use of this mailbox yet. Run {self._login}."
        raise TokenError(ConnectionProblem(sentence, "refresh_token"))

    def _unusable(self, why: str) -> TokenError:
        return TokenError(
            ConnectionProblem(f"The newest refresh token in {self._file} is unusable: {why}.")
        )

    def keep(self, token: str) -> None:
        """Store a newer token. If that fails, this process uses it until another is written."""
        self._unwritten = token
        try:
            _replace(self._file, token)
        except OSError as error:
            log.error("newer refresh token not kept", file=str(self._file), error=error.strerror)
        else:
            self._unwritten = ""

    def replace(self, granted: dict[str, Any]) -> None:
        """Store the token of a new consent. Raises TokenError."""
        with self.locked():
            try:
                _replace(self._file, refresh_token_in(granted))
            except OSError as error:
                sentence = f"The new refresh token cannot be written: {error.strerror}"
                raise TokenError(ConnectionProblem(f"{sentence} ({self._file}).")) from error
            self.note_renewal(granted)

    def renewal(self) -> Renewal | None:
        """Return the last renewal that worked. None if it is unknown."""
        try:
            at, expires = json.loads(self._renewals.read_text("ascii"))
            return Renewal(
                datetime.fromisoformat(at), datetime.fromisoformat(expires) if expires else None
            )
        except (OSError, ValueError, TypeError):
            return None

    def note_renewal(self, granted: dict[str, Any]) -> None:
        """Note that a renewal worked, for people. A failure to do so is ignored."""
        now = datetime.now(UTC).replace(microsecond=0)
        last = self.renewal()
        expires = last.expires if last and not refresh_token_in(granted) else None
        if seconds := seconds_in(granted, "refresh_token_expires_in", 0):
            expires = now + timedelta(seconds=min(max(seconds, 0), _LONGEST_S))
        with suppress(OSError):
            dates = json.dumps([now.isoformat(), expires and expires.isoformat()])
            _replace(self._renewals, dates)


def _replace(file: Path, text: str) -> None:
    """Write a file that only its owner can read, as a whole or not at all."""
    handle, name = tempfile.mkstemp(prefix=f"{file.name}-", dir=file.parent)  # mode 0600
    try:
        with os.fdopen(handle, "w", encoding="ascii") as new:
            new.write(f"{text}\n")
            new.flush()
            os.fsync(new.fileno())
        Path(name).replace(file)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
    _sync(file.parent)


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
