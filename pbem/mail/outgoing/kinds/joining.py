"""Mails by which somebody becomes a member."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.games.api import GameInfo
from pbem.mail.outgoing.kinds.director import DirectorMail
from pbem.mail.outgoing.kinds.mail import Mail
from pbem.mail.outgoing.offer_view import OfferView


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
