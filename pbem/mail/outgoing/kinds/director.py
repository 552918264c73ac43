"""Reports to directors, with the commands by which they can decide."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from pbem.games.phrases import Phrase
from pbem.mail.outgoing.kinds.mail import Mail
from pbem.mail.outgoing.letter import Urgency
from pbem.mail.outgoing.match_view import MatchView
from pbem.matches.director_actions import FREELY_CANCELLED
from pbem.matches.match import REOPENABLE, MatchSummary, Player, PlayerId

Line = tuple[str, ...]
"""A command and its arguments. Words in capitals are for the director to fill in."""


TO_BE_WRITTEN = frozenset({"NAME", "REASON", "TEXT", "SEAT", "ACTIONS"})
"""Placeholders in a command for the director's own words."""


WITH_REASON = frozenset({"extend", "forfeit", "pause", "reopen", "replace", "vacate"})
"""Commands that may end with a reason."""


@dataclass(frozen=True)
class DirectorMail(Mail):
    """A report to a director, if the club has one."""

    urgency = Urgency.REPORT

    by_mail: bool = field(default=False, kw_only=True)
    """Whether the reader is a member, who can decide by answering."""

    @property
    def supersedes(self) -> bool:
        """Every report does."""
        return True

    @property
    def lines(self) -> Sequence[Line]:
        """Commands for possible decisions."""
        return ()

    @property
    def replies(self) -> Sequence[str]:
        """The commands that need nothing filled in."""
        complete = (line for line in self.lines if _is_complete(line))
        return [" ".join(line) for line in complete] if self.by_mail else ()

    @property
    def data(self) -> Mapping[str, Any]:
        """The report, with its commands as written in an email and on the command line."""
        lines = self.lines
        return {
            **super().data,
            "lines": [" ".join(line) for line in lines],
            "blanks": not all(map(_is_complete, lines)),
            "reasons": any(line[0] in WITH_REASON and "REASON" not in line for line in lines),
            "shell": list(map(_at_the_shell, lines)),
        }


def _is_complete(line: Line) -> bool:
    """Return whether a command has nothing for the director to fill in."""
    return TO_BE_WRITTEN.isdisjoint(line)


_GROUPS = {
    "retry": "shunt",
    "drop": "shunt",
    "answer": "shunt",
    "announce": "",
    "competition": "",
    "member": "",
    "address": "member",
    "tell": "member",
}


def _at_the_shell(line: Line) -> str:
    group = "" if "in" in line else _GROUPS.get(line[0], "match")
    return " ".join(("pbem", *((group,) if group else ()), shlex.join(line)))


def _of_match(match: int | None, *lines: Line) -> Sequence[Line]:
    """Return commands with the number of the match after the first word, none without a match."""
    if match is None:
        return ()
    return [(word, str(match), *rest) for word, *rest in lines]


@dataclass(frozen=True)
class DirectorFlag(DirectorMail):
    """A player has run out of time."""

    match: MatchSummary
    player: Player
    due_at: datetime

    @property
    def lines(self) -> Sequence[Line]:
        """More time, or an end of the match."""
        name = self.player.name
        return _of_match(
            self.match.id,
            ("extend", "3d"),
            ("forfeit", name),
            ("replace", name, "NAME"),
            ("adjudicate", "draw", "REASON"),
            ("adjudicate", "void", "REASON"),
        )


class QuotedNote(NamedTuple):
    """A note in an email of the club, with the line above that says whose it is."""

    head: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class DirectorAppeal(DirectorMail):
    """A player asks the director for a decision."""

    match: MatchSummary
    player: Player
    text: str
    state: MatchView
    """The match as the player sees it."""
    notes: Sequence[QuotedNote] = ()
    """The last notes that the player wrote or got, oldest first."""

    @property
    def lines(self) -> Sequence[Line]:
        """All kinds of decisions."""
        write: list[Line] = [
            ("tell", self.player.name, "TEXT"),
            ("announce", "match", str(self.match.id), "TEXT"),
        ]
        if (result := self.match.result) is not None:
            again: list[Line] = [("reopen",)] if result.termination in REOPENABLE else []
            return [*_of_match(self.match.id, *again), *write]
        decisions = _of_match(
            self.match.id,
            ("pause",),
            ("extend", "3d"),
            *_taken_back(self.match.turn),
            ("adjudicate", "draw", "REASON"),
            *(("forfeit", name, "REASON") for name in self.state.names.values()),
        )
        return [*decisions, *write]


def _taken_back(turn: int) -> Sequence[Line]:
    """Return commands to undo the last turn, if any, and to cancel a match that just started."""
    undo: Line = ("undo", "to", str(turn - 1), "REASON")
    cancel: Line = ("cancel", "REASON")
    return [*([undo] if turn > 1 else []), *([cancel] if turn < FREELY_CANCELLED else [])]


@dataclass(frozen=True)
class FromMember(DirectorMail):
    """A member's reply to an email that a director wrote to them."""

    player: Player
    text: str

    @property
    def writer(self) -> PlayerId:
        """The member."""
        return self.player.id

    @property
    def supersedes(self) -> bool:
        """It reports no decision."""
        return False

    @property
    def lines(self) -> Sequence[Line]:
        """An answer."""
        return [("tell", self.player.name, "TEXT")]


@dataclass(frozen=True)
class CancelRefused(DirectorMail):
    """A player does not agree to cancel their match."""

    match: MatchSummary
    player: Player

    @property
    def lines(self) -> Sequence[Line]:
        """Another end of the match."""
        return _of_match(
            self.match.id, ("adjudicate", "void", "REASON"), ("adjudicate", "draw", "REASON")
        )


@dataclass(frozen=True)
class DirectorVacant(DirectorMail):
    """Report that nobody has taken over a player's seats."""

    match: MatchSummary
    player: Player
    days: int
    """Days for which they have been offered."""

    @property
    def lines(self) -> Sequence[Line]:
        """Another player, or an end of the match."""
        name = self.player.name
        choices = (("replace", name, "NAME"), ("adjudicate", "void", "REASON"), ("forfeit", name))
        return _of_match(self.match.id, ("extend", "7d"), *choices)


@dataclass(frozen=True)
class DirectorTakeover(DirectorMail):
    """A substitute would like to take over a seat that is not offered."""

    match: MatchSummary
    player: Player
    substitute: Player
    asked: bool
    """Whether other players in the match were asked."""

    @property
    def lines(self) -> Sequence[Line]:
        """A replacement without waiting for the others."""
        return _of_match(self.match.id, ("replace", self.player.name, self.substitute.name))


@dataclass(frozen=True)
class CancelAgreed(DirectorMail):
    """All players agreed to cancel their match, as a director suggested."""

    match: MatchSummary
    replay: int | None = None
    """Number of the match that replays it."""


@dataclass(frozen=True)
class DirectorDecided(DirectorMail):
    """Another director decided something. An answer to an earlier report no longer counts."""

    by: str
    """Name of the other director, empty for a decision on the command line."""
    line: str
    reason: str


@dataclass(frozen=True)
class DirectorAbsence(DirectorMail):
    """A player's mailbox answered automatically."""

    player: Player
    match_id: int | None
    title: str
    """Subject of the automatic answer."""
    text: str
    on_leave: bool = False
    """Whether it started leave for the player."""

    @property
    def lines(self) -> Sequence[Line]:
        """More time, or another player."""
        handed = ("replace", self.player.name, "NAME")
        return _of_match(self.match_id, ("extend", "7d"), ("pause",), handed)


MOST_MATCHES = 3
"""Maximum number of matches of a player with commands in one report."""


@dataclass(frozen=True)
class DirectorAbsent(DirectorMail):
    """A member seems to be absent for good."""

    player: Player
    days: int
    """Days for which they have not answered or could not be reached."""
    unreached: bool
    """Whether none of their addresses accepts email."""
    waiting: Sequence[int]
    """Matches in which it is their turn."""
    offered: bool
    """Whether their seats are offered to substitutes."""

    @property
    def lines(self) -> Sequence[Line]:
        """Decisions about the waiting matches and the membership."""
        name = self.player.name
        choices = (("pause",), ("replace", name, "NAME"), ("forfeit", name))
        first = self.waiting[:MOST_MATCHES]
        decisions = [line for each in first for line in _of_match(each, *choices)]
        return [*decisions, ("member", "remove", name, "REASON")]


class WaitingMatch(NamedTuple):
    """A match in which it is the turn of a player who cannot be reached."""

    number: int
    substitutes: bool
    """Whether their seats may be offered to substitutes."""


def _of_waiting(player: Player, matches: Sequence[WaitingMatch]) -> Sequence[Line]:
    """Return commands that help a player who cannot be reached, or let a substitute play."""
    lines: list[Line] = []
    for number, substitutes in matches:
        vacated = (("vacate", player.name),) if substitutes else ()
        lines += _of_match(number, ("extend", "2d"), ("pause",), *vacated)
    return lines


@dataclass(frozen=True)
class DirectorAddress(DirectorMail):
    """A player's address does not accept email."""

    player: Player
    address: str
    why: str
    paused: Sequence[WaitingMatch]
    """Matches whose clock is paused because of it."""

    @property
    def lines(self) -> Sequence[Line]:
        """The address works after all, or decisions about the matches that wait."""
        works = ("address", "works", self.player.name, self.address)
        return [works, *_of_waiting(self.player, self.paused)]


@dataclass(frozen=True)
class DirectorReached(DirectorMail):
    """A player can be reached again."""

    player: Player
    resumed: Sequence[int]
    """Matches whose clock runs again."""

    @property
    def lines(self) -> Sequence[Line]:
        """More time, for emails that were missed."""
        return [
            line
            for each in self.resumed[:MOST_MATCHES]
            for line in _of_match(each, ("extend", "2d"))
        ]


@dataclass(frozen=True)
class DirectorLeft(DirectorMail):
    """A member has left, and their personal data was erased."""

    called: str
    given_up: Sequence[int]
    undecided: Sequence[int]
    """Matches that nobody can continue."""
    competitions: Sequence[int] = ()
    """Numbers of the announced competitions in play from which they were withdrawn."""


class WaitingGame(NamedTuple):
    """A game that is not installed, or does not know the rules of some matches."""

    key: str
    rules_version: int
    provider: str
    """Distribution that provided it, and its version. Empty for pbem."""
    why: Phrase | str
    matches: Sequence[int]
    """The matches that wait for it."""


@dataclass(frozen=True)
class DirectorGames(DirectorMail):
    """Matches wait because their games are missing, or continue because they are back."""

    missing: Sequence[WaitingGame]
    back: Sequence[int]

    @property
    def lines(self) -> Sequence[Line]:
        """Cancel one of the matches, if its game won't come back."""
        matches = (match for game in self.missing for match in game.matches)
        return _of_match(next(matches, None), ("cancel", "REASON"))


@dataclass(frozen=True)
class DirectorShunted(DirectorMail):
    """A received email could not be processed."""

    id: int
    sender: str
    error: str
    last: bool
    """Whether this is the last such report for now."""

    @property
    def lines(self) -> Sequence[Line]:
        """Retry, drop or answer it."""
        number = str(self.id)
        return [("retry", number), ("drop", number), ("answer", number, "TEXT")]


@dataclass(frozen=True)
class DirectorUndeliverable(DirectorMail):
    """A server refuses an email of the club."""

    recipient: str
    reply: str
    of_kind: str
    match_id: int | None
    again: bool
    """Whether it will be tried again."""
    player: Player | None = None
    """The member whose address it is."""
    waiting: Sequence[WaitingMatch] = ()
    """All matches that wait for the player."""

    @property
    def lines(self) -> Sequence[Line]:
        """The address works, or more time, a pause or another player in each match that waits."""
        if self.player is None:
            return ()
        works = ("address", "works", self.player.name, self.recipient)
        return [works, *_of_waiting(self.player, self.waiting)]


@dataclass(frozen=True)
class DirectorInVain(DirectorMail):
    """Many emails of a player changed nothing."""

    player: Player
    answers: int
    sender: str
    """Address of the last such email."""
    match_id: int | None
    proven: bool
    lines_shown: Sequence[str]
    """The beginning of that email."""

    @property
    def lines(self) -> Sequence[Line]:
        """Decisions about the match of that email."""
        return _of_match(self.match_id, ("pause",), ("act", "SEAT", "ACTIONS"))
