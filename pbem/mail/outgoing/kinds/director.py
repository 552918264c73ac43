"""Reports to the director."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pbem.mail.outgoing.kinds.mail import Mail
from pbem.matches.match import MatchSummary, Player


@dataclass(frozen=True)
class DirectorMail(Mail):
    """A report to the director, if the club has one."""


@dataclass(frozen=True)
class DirectorFlag(DirectorMail):
    """A player is out of time."""

    match: MatchSummary
    player: Player
    due_at: datetime


@dataclass(frozen=True)
class DirectorAbsence(DirectorMail):
    """A machine has answered for a player."""

    player: Player
    match_id: int | None
    title: str
    """Subject of its mail."""
    text: str


@dataclass(frozen=True)
class DirectorAddress(DirectorMail):
    """An address of a player accepts no mail."""

    player: Player
    address: str
    why: str
    paused: Sequence[int]
    """Matches whose clock is paused for it."""


@dataclass(frozen=True)
class DirectorReached(DirectorMail):
    """Mail reaches a player again."""

    player: Player
    resumed: Sequence[int]
    """Matches whose clock goes on."""


@dataclass(frozen=True)
class DirectorLeft(DirectorMail):
    """A member has left, and is forgotten."""

    called: str
    given_up: Sequence[int]
    undecided: Sequence[int]
    """Matches that nobody can go on with."""


@dataclass(frozen=True)
class DirectorShunted(DirectorMail):
    """A received mail could not be processed."""

    id: int
    sender: str
    error: str
    last: bool
    """Whether no more of them are told for now."""


@dataclass(frozen=True)
class DirectorUndeliverable(DirectorMail):
    """A server will not take a mail of the club."""

    recipient: str
    reply: str
    of_kind: str
    match_id: int | None
    again: bool
    """Whether it will be tried again."""


@dataclass(frozen=True)
class DirectorInVain(DirectorMail):
    """Many mails of a player have changed nothing."""

    player: Player
    answers: int
    sender: str
    """Address that the last of them came from."""
    match_id: int | None
    proven: bool
    lines: Sequence[str]
    """How it begins."""
