"""Questions: emails that ask for an answer, most of them for `confirm`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pbem.mail.outgoing.kinds.mail import Mail, MatchMail, Section
from pbem.mail.outgoing.letter import Urgency
from pbem.mail.outgoing.match_view import MatchView


class Grant(NamedTuple):
    """Rights that somebody gets if a question is confirmed."""

    to: str
    """The address that will act for a member, or the name of a new member."""
    member: str
    """The member it acts for, empty for a new member."""
    directs: bool
    """Whether the rights of a director are included."""


@dataclass(frozen=True)
class Question(Mail):
    """Asks whether an email should count."""

    urgency = Urgency.PLAY

    view: MatchView | None
    lines: Sequence[str]
    """The text of the email."""
    left_out: int
    """Number of further lines."""
    requests: Sequence[str]
    """The commands and actions in it."""
    days: int
    """Days for which the question waits."""
    sections: Sequence[Section] = ()
    """Expected results, as sections of the commands."""
    grants: Sequence[Grant] = ()
    """Rights that it would give, named in the first line."""

    @property
    def about(self) -> MatchView | None:
        """The match that would change, if any."""
        return self.view

    @property
    def replies(self) -> Sequence[str]:
        """The only answer."""
        return ("confirm",)


@dataclass(frozen=True)
class AskedToCancel(MatchMail):
    """Asks a player to agree to cancel their match."""

    urgency = Urgency.PLAY

    reason: str
    days: int
    """Days for which the question waits."""

    @property
    def unasked(self) -> bool:
        """True, since somebody else causes it."""
        return True

    @property
    def replies(self) -> Sequence[str]:
        """Yes or no."""
        return ("cancel yes", "cancel no")


@dataclass(frozen=True)
class AskedToClaim(MatchMail):
    """Asks a player to claim the match or wait, when another player has run out of time."""

    urgency = Urgency.PLAY

    player: str
    """Name of the player to move."""
    losers: Sequence[str]
    """Names of the players who lose after a claim: the late player and a partner."""
    others_play_on: bool
    """Whether the others then continue the match."""
    draw: bool = False
    """Whether it is then a draw, as no opponent could still win."""

    @property
    def replies(self) -> Sequence[str]:
        """Claim or wait."""
        return ("claim", "wait 3 days")


@dataclass(frozen=True)
class NotCancelled(MatchMail):
    """Somebody did not agree to cancel the match, or the director no longer asks."""

    withdrawn: bool = False
    """Whether the director no longer asks."""
    reason: str = ""
    """The director's reason."""


@dataclass(frozen=True)
class Confirm(Question):
    """About an email whose sender is not proven."""


@dataclass(frozen=True)
class Unclear(Question):
    """About a proven email that was not read with certainty."""


@dataclass(frozen=True)
class Sure(Question):
    """About a change that is previewed first, however well it is proven."""
