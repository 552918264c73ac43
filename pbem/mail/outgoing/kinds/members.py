"""Emails about membership."""

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
    """To an address that a member wants to add."""

    urgency = Urgency.PLAY

    member: str
    address: str
    days: int
    """Days for which the question waits."""
    directs: bool = False
    """Whether the member is a director. Then the address gets their rights later."""
    new_for: int = 0
    """Days for which the address cannot decide anything."""

    @property
    def asks_address(self) -> bool:
        """True, since a member named the address."""
        return True

    @property
    def replies(self) -> Sequence[str]:
        """The only answer."""
        return ("confirm",)


@dataclass(frozen=True)
class AddressesChanged(Mail):
    """To the current and former addresses of a member."""

    what: str
    """`added`, `removed`, `first`."""
    address: str
    member: str = ""
    theirs: bool = True
    """Whether the recipient address still belongs to the member."""
    agreed: bool = False
    """Whether the recipient is the added address, which sent `confirm`."""
    until: datetime | None = None
    """When the added address stops being new. Until then, it can be undone."""


@dataclass(frozen=True)
class Renamed(Mail):
    """To a member whom the director renamed."""

    before: str
    now: str


@dataclass(frozen=True)
class BanLifted(Mail):
    """To a member who may start and join matches again."""


@dataclass(frozen=True)
class Farewell(Mail):
    """To a former member. No copy is kept once it is sent."""

    called: str
    given_up: Sequence[int]
    """Matches that they lose by leaving."""
    reason: str
    """The reason, if a director removed them."""


@dataclass(frozen=True)
class Welcome(Mail):
    """To a new member. The answer to their email contains the same as a section."""

    member: str
    games: Sequence[GameInfo]
    address: str
    """The club's address."""
    tables: Sequence[OfferView] = ()
    """Tables that wait for opponents."""
    bots: bool = True
    """Whether members may play against bots."""
    competitions: bool = False
    """Whether members can enter a competition, or play one."""


@dataclass(frozen=True)
class JoinRefused(Mail):
    """To a person whose application a director refused."""

    wanted: str
    """The requested name."""
    reason: str


@dataclass(frozen=True)
class DirectorJoining(DirectorMail):
    """To each director about a person who would like to join."""

    wanted: str
    address: str
    number: int
    days: int
    """Days for which the application waits."""
    text: str = ""
    """The applicant's text besides the command."""

    @property
    def replies(self) -> Sequence[str]:
        """Answers of a single word. A reason must be written."""
        return ("approve", "refuse")
