"""Questions: mails that are answered by `confirm` and by nothing else."""

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
    """The address that acts for a member, or the name of a new member."""
    member: str
    """For whom it acts; empty for a new member."""
    directs: bool
    """Whether a director's rights are among them."""


@dataclass(frozen=True)
class Question(Mail):
    """Whether a mail is to count."""

    urgency = Urgency.PLAY

    view: MatchView | None
    lines: Sequence[str]
    """What it says."""
    left_out: int
    """How many more lines it has."""
    requests: Sequence[str]
    """What it would do."""
    days: int
    """How long the question waits."""
    sections: Sequence[Section] = ()
    """What would come of it, in the words of the commands."""
    grants: Sequence[Grant] = ()
    """Rights it would give, which its first line says."""

    @property
    def about(self) -> MatchView | None:
        """The match that it would change, if it would change one."""
        return self.view

    @property
    def replies(self) -> Sequence[str]:
        """The only one."""
        return ("confirm",)


@dataclass(frozen=True)
class AskedToCancel(MatchMail):
    """Whether a player agrees that their match is cancelled."""

    urgency = Urgency.PLAY

    reason: str
    days: int
    """How long the question waits."""

    @property
    def unasked(self) -> bool:
        """Another player is the cause."""
        return True

    @property
    def replies(self) -> Sequence[str]:
        """Either."""
        return ("cancel yes", "cancel no")


@dataclass(frozen=True)
class AskedToClaim(MatchMail):
    """The time of another player is over: does the reader claim the match, or wait."""

    urgency = Urgency.PLAY

    player: str
    """Name of the player to act."""
    losers: Sequence[str]
    """Names of who loses if somebody claims the match: the player, and a partner."""
    others_play_on: bool
    """Whether the match goes on without them then."""

    @property
    def replies(self) -> Sequence[str]:
        """Either."""
        return ("claim", "wait 3 days")


@dataclass(frozen=True)
class NotCancelled(MatchMail):
    """Somebody does not agree that the match is cancelled."""


@dataclass(frozen=True)
class Confirm(Question):
    """Of a mail that nothing proves to be theirs in whose name it came."""


@dataclass(frozen=True)
class Unclear(Question):
    """Of a mail that is theirs, but was not read with certainty."""


@dataclass(frozen=True)
class Sure(Question):
    """Of what is shown before it is done, however certain it is who asked for it."""
