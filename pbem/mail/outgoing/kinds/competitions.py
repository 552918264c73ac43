"""Emails about competitions that members enter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.mail.outgoing.competition_view import CompetitionView
from pbem.mail.outgoing.entry_view import EntryView
from pbem.mail.outgoing.kinds.director import DirectorMail, Line
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
    """To entrants: they have a place, a round starts without them, or it is called off.

    Also to both members when one takes over the entry of the other, whether or not the competition
    was announced.
    """

    entry: EntryView
    did: str
    """`admitted`, `started`, `bye`, `left` by an opponent, `off`,
    `dropped` from those who enter each time, or by a director: `entered`, `withdrawn`.

    `taken-over` or `replaced` if an entry changes hands.
    """
    reason: str = ""
    other: str = ""
    """The other member, if an entry changes hands or an opponent has withdrawn."""


@dataclass(frozen=True)
class CompetitionEnded(Mail):
    """To everybody who took part, with the final standing."""

    entry: EntryView
    competition: CompetitionView
    with_certificate: bool = False
    """Whether the reader's certificate is attached."""


@dataclass(frozen=True)
class DirectorCompetition(DirectorMail):
    """Something happened in a competition without a director."""

    entry: EntryView
    did: str
    """`started`, `off`, or by a player: `withdrew`, `lost` on time."""
    player: str = ""
    match: int = 0
    """The match that the player lost."""
    reason: str = ""

    @property
    def supersedes(self) -> bool:
        """It asks for no decision."""
        return False

    @property
    def lines(self) -> Sequence[Line]:
        """A substitute, or another entrant."""
        number, kind = str(self.entry.number), self.entry.of.kind
        if self.did == "withdrew" and self.entry.can_enter:
            return [("competition", "enter", number, "NAME")]
        if self.did == "lost" and not self.entry.is_over:
            withdrawn = ("competition", "withdraw", number, self.player, "REASON")
            return [("replace", self.player, "NAME", "in", kind, number), withdrawn]
        return ()
