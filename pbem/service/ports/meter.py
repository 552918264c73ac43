"""What counts what a process does, for whoever watches over the club."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple, Protocol


class SentMail(NamedTuple):
    """A mail that the mail server has taken."""

    kind: str
    urgency: str
    answered_after: timedelta | None
    """How long after the mail was received upon which it was written; None: upon none."""


class Number(NamedTuple):
    """Something of a club that can be measured at any moment, with all its values."""

    name: str
    """As Prometheus wants it: in base units, `pbem_members`."""
    about: str
    labels: tuple[str, ...]
    values: tuple[tuple[tuple[str, ...], float], ...]
    """By the values of the labels."""


class Meter(Protocol):
    """Counts what this process does. Nothing that is counted names anybody.

    Told once what it counts is committed; never raises, and takes no time.
    """

    def read(self, fate: str, reason: str) -> None:
        """A mail was read; the reason is one of a few words of ours, or empty."""

    def asked(self, command: str) -> None:
        """A mail that was carried out has asked for something, by the word of its command."""

    def happened(self, game: str, kind: str, times: int) -> None:
        """Something happened in matches of a game: `action`, `flag_fell`."""

    def sent(self, mail: SentMail) -> None:
        """A mail has gone."""

    def not_sent(self, outcome: str, reason: str) -> None:
        """A mail has not gone, for now (`deferred`) or for good (`refused`), and about what."""

    def reached(self, server: str, *, works: bool) -> None:
        """A mail server was tried: it answered, or it could not be reached."""


class NoMeter:
    """Counts nothing."""

    def read(self, fate: str, reason: str) -> None:
        """Is not counted."""

    def asked(self, command: str) -> None:
        """Is not counted."""

    def happened(self, game: str, kind: str, times: int) -> None:
        """Is not counted."""

    def sent(self, mail: SentMail) -> None:
        """Is not counted."""

    def not_sent(self, outcome: str, reason: str) -> None:
        """Is not counted."""

    def reached(self, server: str, *, works: bool) -> None:
        """Is not counted."""
