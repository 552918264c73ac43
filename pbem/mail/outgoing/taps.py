"""Taps: what can be answered by following a link of a mail, each a reply with its line written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pbem.mail.outgoing.match_view import MatchView


class ReplyTo(NamedTuple):
    """Where an answer to a mail goes, and under which subject."""

    address: str
    subject: str


class Tap(NamedTuple):
    """A link: what it shows, and the `mailto:` that it leads to."""

    label: str
    href: str


class TapGroup(NamedTuple):
    """Links that belong together, such as the turns of one piece."""

    title: str
    """Empty where there is but one group."""
    taps: Sequence[Tap]


@dataclass(frozen=True)
class Taps:
    """All links of a mail."""

    squares: Mapping[str, str] = field(default_factory=dict)
    """Links on the board, by the name of the square."""
    groups: Sequence[TapGroup] = ()
    """Turns that are legal."""
    commands: Sequence[Tap] = ()
    """What else can be asked for, such as a draw."""


def taps(view: MatchView, reply: ReplyTo) -> Taps | None:
    """What the reader of a mail about a match can tap; None where there is nothing."""
    del view, reply
    return None
