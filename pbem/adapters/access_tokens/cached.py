"""Access tokens that are asked for when they are needed, and once for all threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from pbem.adapters.access_tokens.settings import Issued, Source
from pbem.adapters.bearer import TokenError
from pbem.adapters.connection import Backoff, Trouble

EARLY_S: Final = 60.0
"""A token is replaced so long before it expires: a login takes time, and clocks differ."""

YOUNG_S: Final = 60.0
"""A token refused within so long of its issue is not to blame, and another would fare no better."""


@dataclass(frozen=True)
class _Held:
    issued: Issued
    since: float

    @property
    def until(self) -> float:
        early = min(EARLY_S, self.issued.lifetime_s / 2)
        return self.since + self.issued.lifetime_s - early


class CachedTokens:
    """The access tokens of one account; who asks while another thread asks gets what that gets."""

    def __init__(
        self,
        source: Source,
        monotonic: Callable[[], float] = time.monotonic,
        close: Callable[[], None] = lambda: None,
    ) -> None:
        self._source = source
        self._monotonic = monotonic
        self._close = close
        self._guard = threading.Lock()
        self._held: _Held | None = None
        self._backoff = Backoff()
        self._last = Trouble("")

    def current(self) -> str:
        """One that should be good; raises TokenError, and then does not ask again at once."""
        with self._guard:
            if self._held is None or self._monotonic() >= self._held.until:
                self._held = None
                self._held = self._asked()
            return self._held.issued.token

    def _asked(self) -> _Held:
        if self._backoff.remaining(self._monotonic()):
            raise TokenError(self._last)
        try:
            issued = self._source()
        except TokenError as error:
            self._last = error.trouble
            self._backoff.failed(self._monotonic())
            raise
        self._backoff.succeeded()
        return _Held(issued, self._monotonic())

    def close(self) -> None:
        """Waits no longer for one; never raises."""
        self._close()

    def refused(self, token: str) -> bool:
        """Takes note that a server refused this one; whether to ask for another.

        Not if it is fresh: else a server that refuses us for other reasons would make us ask the
        provider at every attempt.
        """
        with self._guard:
            if self._held is None or self._held.issued.token != token:
                return True
            if self._monotonic() - self._held.since < YOUNG_S:
                return False
            self._held = None
            return True
