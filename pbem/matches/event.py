"""Events: what happened in a match, with data and no sentence.

Which of them go into its history, and under which word, stands in `history`; who hears of them, in
`service.play.notices`; what is said of each, in the template of its name.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from pbem.games.api import Seat
from pbem.games.replay import Played
from pbem.matches.decision import Decision
from pbem.matches.match import PlayerId
from pbem.matches.quiet import write_span
from pbem.matches.succession import HandedOn


@dataclass(frozen=True)
class MatchBegun:
    """The first turn of a match begins."""

    offer: int = 0
    """The challenge or the table that it comes of; 0: none that anybody has been told of."""
    table: bool = False
    """Whether that was a table."""


BEGUN = MatchBegun()
"""Of a match that comes of no offer."""


@dataclass(frozen=True)
class ActionsPlayed:
    """Actions of one seat out of one mail: a turn, or a part of one."""

    player: PlayerId
    actions: tuple[Played, ...]


@dataclass(frozen=True)
class _Did:
    """Something that a player did beside their actions."""

    player: PlayerId
    turn: int
    """The turn that was being played."""
    seat: Seat
    """The first one of the player."""


class DrawOffered(_Did):
    """A player offers a draw to all others."""


class DrawAccepted(_Did):
    """A player accepts the draw that is offered."""


class DrawDeclined(_Did):
    """A player declines it; the offer is off."""


@dataclass(frozen=True)
class PauseAsked(_Did):
    """A player asks all others for a pause."""

    span: timedelta


class PauseAccepted(_Did):
    """A player agrees to it."""


class PauseDeclined(_Did):
    """A player does not; or who has asked for it takes it back."""


@dataclass(frozen=True)
class BreakAgreed:
    """All players have agreed on a pause, which begins."""

    turn: int
    """The turn that was being played."""
    span: timedelta
    seat: Seat = ""
    """It befalls everybody."""

    @property
    def text(self) -> str:
        """`14d`, `36h`."""
        return write_span(self.span)


@dataclass(frozen=True)
class Resigned(_Did):
    """A player gives up; of a side of two, each apart."""

    waits: bool
    """Whether the match goes on until the partner resigns too."""


@dataclass(frozen=True)
class PlaysOnWithout:
    """A player has given up while the others play on; the action that says so is an event too."""

    player: PlayerId


class FlagFell(_Did):
    """The time of the player to act has run out."""


class LostOnTime(_Did):
    """It is lost for a player whose time has run out; where the others can play on, they do."""


class Claimed(_Did):
    """A player does not wait any longer for the one to act, whose time has run out."""


@dataclass(frozen=True)
class Waited(_Did):
    """A player gives more time to the one to act, whose time has run out."""

    by: timedelta
    to: PlayerId

    @property
    def text(self) -> str:
        """`3d`, `36h`."""
        return write_span(self.by)


@dataclass(frozen=True)
class MatchEnded:
    """The match is over, by its rules or by its players."""

    by_consent: bool
    """Whether it took the players' agreement; then it is more than a move."""


@dataclass(frozen=True)
class LeftTheClub:
    """A player is a member no more; nobody acts for their seats."""

    player: PlayerId


@dataclass(frozen=True)
class ReachedAgain:
    """Mail reaches a player again, and their clock goes on."""

    player: PlayerId


@dataclass(frozen=True)
class SeatVacant:
    """The seats of a player are offered, to their partner alone or to substitutes too."""

    player: PlayerId
    to_partner: bool
    reason: str = ""
    """Of a director who has decided it."""


@dataclass(frozen=True)
class SentAgain:
    """The director has the match sent once more to a player, as it stands."""

    player: PlayerId


Event = (
    MatchBegun
    | ActionsPlayed
    | DrawOffered
    | DrawAccepted
    | DrawDeclined
    | PauseAsked
    | PauseAccepted
    | PauseDeclined
    | BreakAgreed
    | Resigned
    | PlaysOnWithout
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
