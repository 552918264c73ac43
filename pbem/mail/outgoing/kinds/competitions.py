"""Emails about competitions that members enter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.mail.outgoing.competition_view import CompetitionView
from pbem.mail.outgoing.entry_view import EntryView
from pbem.mail.outgoing.kinds.mail import Mail
from pbem.mail.outgoing.letter import Urgency


@dataclass(frozen=True)
class CompetitionAnnounced(Mail):
    """To members who want to know of new competitions, and those who enter each time."""

    urgency = Urgency.ANNOUNCEMENT

    entry: EntryView

    @property
    def replies(self) -> Sequence[str]:
        """To enter, or to withdraw."""
        word = "withdraw" if self.entry.you_play or self.entry.you_wait else "enter"
        return (f"{word} {self.entry.number}",)


@dataclass(frozen=True)
class CompetitionNews(Mail):
    """To entrants: they have a place, it starts without a match for them, or it is called off.

    Also to both members when one takes over the entry of the other between matches.
    """

    entry: EntryView
    did: str
    """`admitted`, `started`, `off`, or by a director: `entered`, `withdrawn`.

    `taken-over` or `replaced` if an entry changes hands.
    """
    reason: str = ""
    other: str = ""
    """The other member, if an entry changes hands."""


@dataclass(frozen=True)
class CompetitionEnded(Mail):
    """To everybody who took part, with the final standing."""

    entry: EntryView
    competition: CompetitionView
    with_certificate: bool = False
    """Whether the reader's certificate is attached."""
