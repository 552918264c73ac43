"""Mails about a membership."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pbem.games.api import GameInfo
from pbem.mail.outgoing.kinds.director import DirectorMail
from pbem.mail.outgoing.kinds.mail import Mail
from pbem.mail.outgoing.letter import Urgency
from pbem.mail.outgoing.offer_view import OfferView


@dataclass(frozen=True)
class AddressQuestion(Mail):
    """To an address that a member wants to use."""

    urgency = Urgency.PLAY

    member: str
    address: str
    days: int
    """How long the question waits."""
    directs: bool = False
    """Whether the member is a director, whose rights the address gets in time."""
    new_for: int = 0
    """For how many days the address decides nothing."""

    @property
    def asks_address(self) -> bool:
        """A member named it."""
        return True

    @property
    def replies(self) -> Sequence[str]:
        """The only one."""
        return ("confirm",)


@dataclass(frozen=True)
class AddressesChanged(Mail):
    """To the addresses of a member, and those of before."""

    what: str
    """`added`, `removed`, `first`."""
    address: str
    member: str = ""
    theirs: bool = True
    """Whether the one that this goes to is still theirs."""
    agreed: bool = False
    """Whether it goes to the address that was added, which has said `confirm`."""
    until: datetime | None = None
    """Until when the address that was added is new, and can be undone."""


@dataclass(frozen=True)
class Renamed(Mail):
    """To a member whom the director has given another name."""

    before: str
    now: str


@dataclass(frozen=True)
class Farewell(Mail):
    """To somebody who is a member no more; nothing is kept of it once it has gone."""

    called: str
    given_up: Sequence[int]
    """Matches that are lost by it."""
    reason: str
    """Why, if it was the director who removed them."""


@dataclass(frozen=True)
class Welcome(Mail):
    """To a new member; the same as a section where it answers their mail."""

    member: str
    games: Sequence[GameInfo]
    address: str
    """The club's."""
    tables: Sequence[OfferView] = ()
    """Who waits for opponents."""


@dataclass(frozen=True)
class JoinRefused(Mail):
    """To somebody whom a director does not let in."""

    wanted: str
    """The name that they would have had."""
    reason: str


@dataclass(frozen=True)
class DirectorJoining(DirectorMail):
    """To each director: somebody would like to join."""

    wanted: str
    address: str
    number: int
    days: int
    """How long it waits for an answer."""

    @property
    def replies(self) -> Sequence[str]:
        """What is said with one word; a reason is written."""
        return ("approve", "refuse")
