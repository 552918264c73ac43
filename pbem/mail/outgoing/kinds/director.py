"""Reports to the directors, each with the lines by which they can decide."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pbem.mail.outgoing.kinds.mail import Mail
from pbem.mail.outgoing.letter import Urgency
from pbem.mail.outgoing.match_view import MatchView
from pbem.matches.directing import FREELY_CANCELLED
from pbem.matches.match import MatchSummary, Player

Line = tuple[str, ...]
"""A command and its arguments; in capitals, what a director has yet to write."""


TO_BE_WRITTEN = frozenset({"NAME", "REASON", "TEXT"})
"""What stands in a line for words of the director's own."""


@dataclass(frozen=True)
class DirectorMail(Mail):
    """A report to a director, if the club has one."""

    urgency = Urgency.REPORT

    by_mail: bool = field(default=False, kw_only=True)
    """Whether its reader, as a member, can decide by an answer to it."""

    @property
    def lines(self) -> Sequence[Line]:
        """What can be decided."""
        return ()

    @property
    def replies(self) -> Sequence[str]:
        """Those of the lines that are complete."""
        complete = (line for line in self.lines if TO_BE_WRITTEN.isdisjoint(line))
        return [" ".join(line) for line in complete] if self.by_mail else ()

    @property
    def data(self) -> Mapping[str, Any]:
        """What the report tells, and its lines as a mail and the shell take them."""
        lines = [" ".join(line) for line in self.lines]
        return {**super().data, "lines": lines, "shell": list(map(_at_the_shell, self.lines))}


_GROUPS = {"retry": "shunt", "drop": "shunt", "answer": "shunt", "announce": "", "member": ""}


def _at_the_shell(line: Line) -> str:
    group = _GROUPS.get(line[0], "match")
    return " ".join(("pbem", *((group,) if group else ()), shlex.join(line)))


def _of_match(match: int | None, *lines: Line) -> Sequence[Line]:
    """Lines with the number of the match behind their first word; none if there is no match."""
    if match is None:
        return ()
    return [(word, str(match), *rest) for word, *rest in lines]


@dataclass(frozen=True)
class DirectorFlag(DirectorMail):
    """A player is out of time."""

    match: MatchSummary
    player: Player
    due_at: datetime

    @property
    def lines(self) -> Sequence[Line]:
        """More time, or the match."""
        name = self.player.name
        return _of_match(
            self.match.id,
            ("extend", "3d"),
            ("forfeit", name),
            ("replace", name, "NAME"),
            ("adjudicate", "draw", "REASON"),
            ("adjudicate", "void", "REASON"),
        )


@dataclass(frozen=True)
class DirectorAppeal(DirectorMail):
    """A player asks the director to decide something."""

    match: MatchSummary
    player: Player
    text: str
    state: MatchView
    """The match as the player sees it."""

    @property
    def lines(self) -> Sequence[Line]:
        """Whatever may be decided."""
        announce = ("announce", "match", str(self.match.id), "TEXT")
        if self.match.result is not None:
            return (announce,)
        decisions = _of_match(
            self.match.id,
            ("pause",),
            ("extend", "3d"),
            *_taken_back(self.match.turn),
            ("adjudicate", "draw", "REASON"),
            *(("forfeit", name, "REASON") for name in self.state.names.values()),
        )
        return [*decisions, announce]


def _taken_back(turn: int) -> Sequence[Line]:
    """The last turn, if there is one; the match, while it has hardly begun."""
    undo: Line = ("undo", "to", str(turn - 1), "REASON")
    cancel: Line = ("cancel", "REASON")
    return [*([undo] if turn > 1 else []), *([cancel] if turn < FREELY_CANCELLED else [])]


@dataclass(frozen=True)
class CancelRefused(DirectorMail):
    """A player does not agree that their match is cancelled."""

    match: MatchSummary
    player: Player

    @property
    def lines(self) -> Sequence[Line]:
        """Another end."""
        return _of_match(
            self.match.id, ("adjudicate", "void", "REASON"), ("adjudicate", "draw", "REASON")
        )


@dataclass(frozen=True)
class DirectorVacant(DirectorMail):
    """Nobody has taken the seats of a player."""

    match: MatchSummary
    player: Player
    days: int
    """How long they have been offered."""

    @property
    def lines(self) -> Sequence[Line]:
        """Somebody else, or nobody."""
        name = self.player.name
        choices = (("replace", name, "NAME"), ("forfeit", name), ("adjudicate", "void", "REASON"))
        return _of_match(self.match.id, *choices)


@dataclass(frozen=True)
class DirectorTakeover(DirectorMail):
    """A substitute would go on for a player whose seat is not offered."""

    match: MatchSummary
    player: Player
    substitute: Player
    asked: bool
    """Whether there is anybody else at the table who was asked."""

    @property
    def lines(self) -> Sequence[Line]:
        """Without waiting for the table."""
        return _of_match(self.match.id, ("replace", self.player.name, self.substitute.name))


@dataclass(frozen=True)
class CancelAgreed(DirectorMail):
    """All players have agreed to what a director asked them: their match is cancelled."""

    match: MatchSummary


@dataclass(frozen=True)
class DirectorDecided(DirectorMail):
    """Another director has decided something; what was mailed before it decides nothing now."""

    by: str
    """Their name; empty for somebody at the shell."""
    line: str
    reason: str


@dataclass(frozen=True)
class DirectorAbsence(DirectorMail):
    """A machine has answered for a player."""

    player: Player
    match_id: int | None
    title: str
    """Subject of its mail."""
    text: str
    on_leave: bool = False
    """Whether they are on leave by it."""

    @property
    def lines(self) -> Sequence[Line]:
        """Time, or somebody else."""
        handed = ("replace", self.player.name, "NAME")
        return _of_match(self.match_id, ("extend", "7d"), ("pause",), handed)


MOST_MATCHES = 3
"""Matches of a player for which lines are offered."""


@dataclass(frozen=True)
class DirectorAbsent(DirectorMail):
    """A member is absent for good, as it seems."""

    player: Player
    days: int
    """How long they have not answered, or could not be reached."""
    unreached: bool
    """Whether no address of theirs accepts mail."""
    waiting: Sequence[int]
    """Matches in which they are to act."""
    offered: bool
    """Whether seats of theirs are offered to substitutes."""

    @property
    def lines(self) -> Sequence[Line]:
        """Of the matches that wait for them, and of their membership."""
        name = self.player.name
        choices = (("replace", name, "NAME"), ("forfeit", name))
        first = self.waiting[:MOST_MATCHES]
        decisions = [line for each in first for line in _of_match(each, *choices)]
        return [*decisions, ("member", "remove", name, "REASON")]


@dataclass(frozen=True)
class DirectorAddress(DirectorMail):
    """An address of a player accepts no mail."""

    player: Player
    address: str
    why: str
    paused: Sequence[int]
    """Matches whose clock is paused for it."""

    @property
    def lines(self) -> Sequence[Line]:
        """Of the matches that wait for the player."""
        name = self.player.name
        choices = (("replace", name, "NAME"), ("forfeit", name))
        return [line for each in self.paused[:MOST_MATCHES] for line in _of_match(each, *choices)]


@dataclass(frozen=True)
class DirectorReached(DirectorMail):
    """Mail reaches a player again."""

    player: Player
    resumed: Sequence[int]
    """Matches whose clock goes on."""

    @property
    def lines(self) -> Sequence[Line]:
        """More time, for what was missed."""
        return [
            line
            for each in self.resumed[:MOST_MATCHES]
            for line in _of_match(each, ("extend", "2d"))
        ]


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

    @property
    def lines(self) -> Sequence[Line]:
        """Once more, not at all, or by hand."""
        number = str(self.id)
        return [("retry", number), ("drop", number), ("answer", number, "TEXT")]


@dataclass(frozen=True)
class DirectorUndeliverable(DirectorMail):
    """A server will not take a mail of the club."""

    recipient: str
    reply: str
    of_kind: str
    match_id: int | None
    again: bool
    """Whether it will be tried again."""

    @property
    def lines(self) -> Sequence[Line]:
        """Time, if it was of a match."""
        return _of_match(self.match_id, ("extend", "2d"), ("pause",))


@dataclass(frozen=True)
class DirectorInVain(DirectorMail):
    """Many mails of a player have changed nothing."""

    player: Player
    answers: int
    sender: str
    """Address that the last of them came from."""
    match_id: int | None
    proven: bool
    lines_shown: Sequence[str]
    """How it begins."""

    @property
    def lines(self) -> Sequence[Line]:
        """Of the match that the last was about."""
        return _of_match(self.match_id, ("pause",), ("act", "SEAT", "ACTIONS"))
