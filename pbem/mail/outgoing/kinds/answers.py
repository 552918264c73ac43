"""Answers: emails to people whose own email changed nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.mail.outgoing.kinds.digest import DigestPart
from pbem.mail.outgoing.kinds.mail import Mail, MatchMail, Section
from pbem.mail.outgoing.kinds.progress import Progress, WaitingNote
from pbem.mail.outgoing.kinds.refusals import Refusal
from pbem.mail.outgoing.letter import Urgency
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.other_position import OtherPosition
from pbem.mail.outgoing.time_view import DueTime
from pbem.mail.outgoing.typeset.page import Figure
from pbem.matches.match import MatchSummary, PlayerId


@dataclass(frozen=True)
class Answer(Mail):
    """Answer to commands that changed no match by moves."""

    urgency = Urgency.PLAY

    view: MatchView | None
    sections: Sequence[Section]
    note: Sequence[str]
    """The sender's lines that were not commands."""
    waiting: Sequence[WaitingNote] = ()
    """Earlier lines of others that the reader has not received."""
    changes: bool = False
    """Whether the commands changed anything."""

    @property
    def about(self) -> MatchView | None:
        """The match that the commands were about, if any."""
        return self.view

    @property
    def board(self) -> MatchView | None:
        """The other position, if the answer shows nothing else."""
        shown = (value for section in self.sections for value in section.data.values())
        alone = (each for each in shown if isinstance(each, OtherPosition) and each.alone)
        return next(alone, self.view)

    @property
    def supersedes(self) -> bool:
        """Only if something was done."""
        return self.changes


@dataclass(frozen=True)
class RefusalMail(Mail):
    """Why an email was not carried out. Uses the refusal's template."""

    urgency = Urgency.PLAY

    refusal: Refusal
    view: MatchView | None
    matches: Sequence[MatchSummary] = ()
    """The player's matches, if there is no view."""
    changed: Figure | None = None
    """Turns since the email that was answered."""
    line: str = ""
    """The line below which nothing was read although there is a command."""
    of_club: bool = False
    """Whether no match would have changed, whatever the email answers. Then no board is shown."""

    @property
    def kind(self) -> str:
        """The name of the refusal."""
        return self.refusal.name()

    @property
    def about(self) -> MatchView | None:
        """The match that would have changed, if any."""
        return self.view

    @property
    def data(self) -> Mapping[str, Any]:
        """The data of the refusal and of the email."""
        own = {key: value for key, value in super().data.items() if key != "refusal"}
        return {**own, **self.refusal.data}


@dataclass(frozen=True)
class AnsweredBlock:
    """What the author of a part of an answer to a digest reads about it."""

    name: str
    """Name of the author."""
    view: MatchView | None
    """The match that the part is about, if any."""
    sections: Sequence[Section] = ()
    """Answers to commands, if the part changed no match."""
    note: Sequence[str] = ()
    """Lines of such a part that were not commands."""
    waiting: Sequence[WaitingNote] = ()
    """Earlier lines of others that the reader has not received."""
    progress: Progress | None = None
    """The news of the match, if the part changed it."""
    refusal: Refusal | None = None
    """Why it was not carried out, if so."""
    matches: Sequence[MatchSummary] = ()
    """The author's matches, if it was refused and is about none."""
    boards: int = 1
    """Number of boards in the email."""

    @property
    def section(self) -> Section:
        """What is said about it: the refusal in the words of its own email, or the news."""
        about = {"block_of": self.view.match.id if self.view else None, "view": self.view}
        if self.refusal is not None:
            own = {"name": self.name, "stranger": False, "matches": self.matches, "in_block": True}
            return Section(self.refusal.name(), {**own, **self.refusal.data, **about})
        if self.progress is not None:
            return Section("block_played", {**self.progress.data, **about})
        own = {"sections": self.sections, "note": self.note, "waiting": self.waiting}
        return Section("block_answered", {**own, **about})

    @property
    def part(self) -> DigestPart | None:
        """The match as a digest shows it, if the part is about one."""
        return None if self.view is None else DigestPart(self.view, self.boards)

    @property
    def shows_board(self) -> bool:
        """Whether the board helps: the author can move, or was refused."""
        running = self.view is not None and self.view.match.result is None
        return running and (
            self.refusal is not None or (self.view is not None and self.view.your_turn)
        )


@dataclass(frozen=True)
class DigestAnswer(Mail):
    """Answer to an answer to a digest that has several parts. It can be answered like a digest."""

    urgency = Urgency.PLAY

    blocks: Sequence[AnsweredBlock]
    """The parts, in the order of the text."""
    unread: Sequence[str] = ()
    """Lines of the text outside its parts that were not commands."""


@dataclass(frozen=True)
class RateLimited(Mail):
    """Too many emails arrived within an hour."""

    urgency = Urgency.PLAY

    mails: int
    of_match: bool
    """Whether all emails about one match were counted instead of those of one sender."""


@dataclass(frozen=True)
class HandedOver(Mail):
    """To a former player of a match, whose seat somebody took over."""

    match_id: int
    you: str
    successor: str
    reason: str
    by_director: bool = True
    """Whether the director decided it. Otherwise, it follows from the match's options."""


class OfDirector:
    """A part of every email with a director's own words. A plain reply goes to that director."""

    director: PlayerId | None
    """None if it was written on the command line."""

    @property
    def writer(self) -> PlayerId | None:
        """Return the director."""
        return self.director


@dataclass(frozen=True)
class Announcement(OfDirector, Mail):
    """A director's announcement to a competition or the club."""

    urgency = Urgency.ANNOUNCEMENT

    whom: str
    """`club`, `set 3`."""
    text: str
    director: PlayerId | None = None


@dataclass(frozen=True)
class AllPaused(Mail):
    """To the players of a competition or the club that a director has paused."""

    urgency = Urgency.ANNOUNCEMENT

    whom: str
    """`club`, `set 3`."""
    until: DueTime | None
    """When clocks run again, None until the director resumes."""
    reason: str


@dataclass(frozen=True)
class AllResumed(Mail):
    """To the same players, when the director resumes it."""

    urgency = Urgency.ANNOUNCEMENT

    whom: str
    reason: str


@dataclass(frozen=True)
class MatchAnnouncement(OfDirector, MatchMail):
    """A director's announcement to the players of a match."""

    urgency = Urgency.ANNOUNCEMENT

    text: str
    director: PlayerId | None = None


@dataclass(frozen=True)
class DirectorsWords(OfDirector, Mail):
    """A director's own words to one person."""

    urgency = Urgency.PLAY

    text: str
    director: PlayerId | None


@dataclass(frozen=True)
class FromDirector(DirectorsWords):
    """A director's own answer to an email."""


@dataclass(frozen=True)
class ToMember(DirectorsWords):
    """A director's own text to one member."""


@dataclass(frozen=True)
class UnknownSender(Mail):
    """Answer to a stranger."""

    joining: str
    """The club's rule for joining: `open`, `approval` or `closed`."""
