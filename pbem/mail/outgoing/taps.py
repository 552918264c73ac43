"""Taps: links in a mail that open its answer, with an action or a command in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ReplyTo:
    """Where a mail is answered to, and under which subject."""

    address: str
    subject: str


@dataclass(frozen=True)
class Tap:
    """A link that opens an answer."""

    label: str
    href: str


@dataclass(frozen=True)
class TapGroup:
    """Taps that belong together."""

    title: str
    taps: tuple[Tap, ...]


@dataclass(frozen=True)
class Taps:
    """All the taps of a mail."""

    squares: Mapping[str, str] = field(default_factory=dict)
    """Where a square of the board leads."""
    groups: tuple[TapGroup, ...] = ()
    """Actions."""
    commands: tuple[Tap, ...] = ()
