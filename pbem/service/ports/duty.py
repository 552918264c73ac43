"""Duty: who reads a mailbox, where several processes could."""

from __future__ import annotations

import threading
from typing import Protocol


class Duty(Protocol):
    """The right to read one mailbox, which one process at a time has."""

    @property
    def held(self) -> bool:
        """Whether this process has it, as far as it knows."""

    def taken(self) -> bool:
        """Takes it if nobody has it; whether it is ours now. Raises StorageUnavailable."""

    def wait(self) -> bool:
        """Waits until whoever has it gives it back or dies, and takes it; False once closed.

        Raises StorageUnavailable.
        """

    def keep(self) -> None:
        """Returns when it is closed; raises StorageUnavailable when it is lost."""

    def close(self) -> None:
        """Gives it back for good, and ends what waits in other threads; never raises."""


class Unshared:
    """The duty of a process beside which there is no other."""

    def __init__(self) -> None:
        self._closed = threading.Event()

    @property
    def held(self) -> bool:
        """Always."""
        return True

    def taken(self) -> bool:
        """Always."""
        return True

    def wait(self) -> bool:
        """There is nobody to wait for."""
        return not self._closed.is_set()

    def keep(self) -> None:
        """It is never lost."""
        self._closed.wait()

    def close(self) -> None:
        """Ends what keeps it."""
        self._closed.set()
