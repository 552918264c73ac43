"""Answers: mails to somebody whose own mail changed nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.mail.outgoing.kinds.mail import Mail, MatchMail, Section
from pbem.mail.outgoing.kinds.progress import WaitingNote
from pbem.mail.outgoing.kinds.refusals import Refusal
from pbem.mail.outgoing.letter import Urgency
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.time_view import DueTime
from pbem.mail.outgoing.typeset.page import Figure
from pbem.matches.match import MatchSummary


@dataclass(frozen=True)
class Answer(Mail):
    """To commands that only read."""

    urgency = Urgency.PLAY

    view: MatchView | None
    sections: Sequence[Section]
    note: Sequence[str]
    """Lines of theirs that were no commands."""
    waiting: Sequence[WaitingNote] = ()
    """Lines of others that were not mailed to the reader before."""

    @property
    def about(self) -> MatchView | None:
        """The match that the commands were about, if they were about one."""
        return self.view


@dataclass(frozen=True)
class RefusalMail(Mail):
    """Why nothing of a mail was done; the template is that of the refusal."""

    urgency = Urgency.PLAY

    refusal: Refusal
    view: MatchView | None
    matches: Sequence[MatchSummary] = ()
    """Where there is no view: the matches that the player plays."""
    changed: Figure | None = None
    """Turns since the mail that was answered."""
    line: str = ""
    """The line below which nothing was read, though a command stands there."""
    of_club: bool = False
    """Whether no match was to be changed, whichever the mail answers: no board is shown."""

    @property
    def kind(self) -> str:
        """The name of the refusal."""
        return self.refusal.name()

    @property
    def about(self) -> MatchView | None:
        """The match that was to be changed, if one was."""
        return self.view

    @property
    def data(self) -> Mapping[str, Any]:
        """What the refusal tells stands beside the rest."""
        own = {key: value for key, value in super().data.items() if key != "refusal"}
        return {**own, **self.refusal.data}


@dataclass(frozen=True)
class RateLimited(Mail):
    """Too many mails came within an hour."""

    urgency = Urgency.PLAY

    mails: int
    of_match: bool
    """All mails about one match, not those of one sender."""


@dataclass(frozen=True)
class HandedOver(Mail):
    """To who played a match, and plays it no more."""

    match_id: int
    you: str
    successor: str
    reason: str
    by_director: bool = True
    """Whether the director has decided it; else it came as was agreed for the match."""


@dataclass(frozen=True)
class Announcement(Mail):
    """What a director tells a competition or the club."""

    urgency = Urgency.ANNOUNCEMENT

    whom: str
    """`club`, `set 3`."""
    text: str


@dataclass(frozen=True)
class AllPaused(Mail):
    """To who plays where a director has paused a competition or the club."""

    urgency = Urgency.ANNOUNCEMENT

    whom: str
    """`club`, `set 3`."""
    until: DueTime | None
    """When time counts again; None: when the director says so."""
    reason: str


@dataclass(frozen=True)
class AllResumed(Mail):
    """To the same, when the director has it go on."""

    urgency = Urgency.ANNOUNCEMENT

    whom: str
    reason: str


@dataclass(frozen=True)
class MatchAnnouncement(MatchMail):
    """What a director tells the players of a match."""

    urgency = Urgency.ANNOUNCEMENT

    text: str


@dataclass(frozen=True)
class FromDirector(Mail):
    """A director's own answer to somebody's mail."""

    urgency = Urgency.PLAY

    text: str


@dataclass(frozen=True)
class UnknownSender(Mail):
    """To somebody whom the club does not know."""

    joining: str
    """Who lets strangers in: `open`, `approval` or `closed`."""
