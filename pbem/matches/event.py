"""Events: what happened in a match, as data without sentences.

`history` says which events are recorded and by what word. `service.play.notices` says who is
emailed about them. The template of each event's name says what the email contains.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from pbem.games.api import Seat
from pbem.games.replay import Played
from pbem.matches.decision import Decision
from pbem.matches.match import OfferKind, PlayerId
from pbem.matches.off_time import write_span
from pbem.matches.seat_changes import HandedOn


@dataclass(frozen=True)
class MatchBegun:
    """The first turn of a match begins."""

    offer: int = 0
    """Number of the challenge or table it started from. 0 if there is none that players know."""
    table: bool = False
    """Whether that was a table."""
    found: bool = False
    """Whether the club has brought together players who waited for anybody."""


BEGUN = MatchBegun()
"""A match that started without an offer."""


@dataclass(frozen=True)
class ActionsPlayed:
    """Actions of one seat from one email: a turn or part of it."""

    player: PlayerId
    actions: tuple[Played, ...]


@dataclass(frozen=True)
class _Did:
    """Something a player did besides actions."""

    player: PlayerId
    turn: int
    """Current turn when it happened."""
    seat: Seat
    """First seat of the player."""


@dataclass(frozen=True)
class OfKind(_Did):
    """A player makes an offer of a kind, or answers one."""

    kind: OfferKind


class OfferMade(OfKind):
    """A player makes an offer to the others."""


class OfferAccepted(OfKind):
    """A player accepts an offer."""


class OfferDeclined(OfKind):
    """A player declines an offer, which cancels it for everyone."""


@dataclass(frozen=True)
class TakenBack:
    """As everyone asked agrees, a turn and everything after it is taken back."""

    turn: int
    """Current turn when it happened."""
    to: int
    """Turn that is played again."""
    seat: Seat = ""
    """Empty, since it affects everyone."""

    @property
    def text(self) -> str:
        """Number of the turn that is played again."""
        return str(self.to)


@dataclass(frozen=True)
class PauseAsked(_Did):
    """A player asks everyone else for a pause."""

    span: timedelta


class PauseAccepted(_Did):
    """A player agrees to a pause."""


class PauseDeclined(_Did):
    """A player declines a pause, or withdraws their own request."""


@dataclass(frozen=True)
class BreakAgreed:
    """All players have agreed on a pause, which starts."""

    turn: int
    """Current turn when it happened."""
    span: timedelta
    seat: Seat = ""
    """Empty, since it affects everyone."""

    @property
    def text(self) -> str:
        """The length, for example `14d` or `36h`."""
        return write_span(self.span)


@dataclass(frozen=True)
class Resigned(_Did):
    """A player resigns. Players of a side of two resign separately."""

    waits: bool
    """Whether the match continues until the partner resigns too."""


@dataclass(frozen=True)
class PlaysOnWithout:
    """A player has resigned while the others continue. The action itself is another event."""

    player: PlayerId


@dataclass(frozen=True)
class Planned(_Did):
    """The club does what a player has planned. It is another event."""

    plan: int
    """Number of their plan."""


class Forced(_Did):
    """The club plays a player's only legal action, as they wish. It is another event."""


class FlagFell(_Did):
    """The player to act has run out of time."""


class LostOnTime(_Did):
    """A player loses on time. If the game allows it, the others continue."""


class Claimed(_Did):
    """A player claims the match, because the player to act has run out of time."""


@dataclass(frozen=True)
class Waited(_Did):
    """A player gives more time to the player to act, who has run out of time."""

    by: timedelta
    to: PlayerId

    @property
    def text(self) -> str:
        """The time, for example `3d` or `36h`."""
        return write_span(self.by)


@dataclass(frozen=True)
class MatchEnded:
    """The match has ended, by its rules or by its players."""

    by_consent: bool
    """Whether players ended it by consent, as with Lanko's `+++`."""


@dataclass(frozen=True)
class LeftTheClub:
    """A player has left the club, so nobody acts for their seats."""

    player: PlayerId


@dataclass(frozen=True)
class ReachedAgain:
    """A player can be reached by email again, and their clock runs."""

    player: PlayerId


@dataclass(frozen=True)
class SeatVacant:
    """A player's seats are offered, to their partner only or to substitutes too."""

    player: PlayerId
    to_partner: bool
    reason: str = ""
    """Reason of the director who decided it."""


@dataclass(frozen=True)
class SentAgain:
    """The director sends the current position to a player again."""

    player: PlayerId


Event = (
    MatchBegun
    | ActionsPlayed
    | OfferMade
    | OfferAccepted
    | OfferDeclined
    | TakenBack
    | PauseAsked
    | PauseAccepted
    | PauseDeclined
    | BreakAgreed
    | Resigned
    | PlaysOnWithout
    | Planned
    | Forced
    | FlagFell
    | LostOnTime
    | Claimed
    | Waited
    | Decision
    | HandedOn
    | MatchEnded
    | LeftTheClub
    | ReachedAgain
    | SeatVacant
    | SentAgain
)
