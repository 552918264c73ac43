"""Entry view: an announced competition as templates show it to a member who may enter."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import NamedTuple

from pbem.games.phrases import Words
from pbem.mail.outgoing.competition_view import CompetitionView
from pbem.mail.outgoing.match_view import Agreed, agreed
from pbem.matches.announcement import MOST_PLAYERS, OPEN, Announcement, Phase
from pbem.matches.competition import Competition
from pbem.matches.competitions.league import LeagueStanding
from pbem.matches.competitions.team_match import TeamStanding
from pbem.matches.match import PlayerId


class Place(NamedTuple):
    """A place in a table, 1 for the first."""

    number: int
    of: int
    division: int
    """0 if there are no divisions."""


@dataclass(frozen=True)
class EntryView:
    """The data of an announced competition for a template, for one reader or anyone."""

    of: Competition
    names: Mapping[PlayerId, str]
    """Names of the players and of those who wait."""
    words: Words
    now: datetime
    you: PlayerId | None = None
    time_zone: str = "UTC"
    standing: CompetitionView | None = None
    """The table. None before the start."""
    barred: str = ""
    """Why the reader cannot enter, though others can."""

    @property
    def number(self) -> int:
        """The number used in answers."""
        return self.of.number

    @property
    def entry(self) -> Announcement:
        """The terms of entry."""
        assert self.of.announcement is not None, "it was announced"
        return self.of.announcement

    @property
    def terms(self) -> list[str]:
        """The terms of its kind, in words."""
        return [self.words.text(each) for each in self.of.said]

    @property
    def options(self) -> list[Agreed]:
        """The options of the game."""
        return agreed(self.of.game, self.of.options)

    @property
    def players(self) -> list[str]:
        """Names of the players who have not withdrawn."""
        return [self.names[player] for player in self.of.taking_part]

    @property
    def listed(self) -> list[str]:
        """Names of the players who have not withdrawn, after the start with their numbers."""
        return self._listed(self.of.taking_part)

    @property
    def withdrawn(self) -> list[str]:
        """Names of the players who have withdrawn, with their numbers."""
        return self._listed({*self.of.players} - {*self.of.taking_part})

    def _listed(self, players: Container[PlayerId]) -> list[str]:
        numbered = [(n, each) for n, each in enumerate(self.of.players, 1) if each in players]
        if self.is_open or self.of.unstarted:
            return [self.names[each] for _, each in numbered]
        return [f"{number} {self.names[each]}" for number, each in numbered]

    @property
    def waiting(self) -> list[str]:
        """Names of the members on the waiting list."""
        return [self.names[player] for player in self.entry.waiting]

    @property
    def winners(self) -> list[str]:
        """Names of the winners, or of the team that won, once it is over."""
        return [] if self.standing is None else self.standing.winners

    @property
    def free(self) -> int | None:
        """Number of free places, None without a limit."""
        return max(0, self.entry.most - len(self.players)) if self.entry.most else None

    @property
    def at_once(self) -> int:
        """The most matches that each player plays at once."""
        return self.of.played_at_once(self.entry.most or MOST_PLAYERS)

    def bye_points(self, round_: int) -> Fraction:
        """Return the reader's points for a bye that they asked for."""
        number = self.of.players.index(self.you or 0) + 1
        return self.of.bye_points(number, round_)

    @property
    def round(self) -> int:
        """Number of the newest round, 0 before the start."""
        matches = self.standing.matches if self.standing is not None else ()
        return max((match.place.round for match in matches if match.place), default=0)

    @property
    def you_play(self) -> bool:
        """Whether the reader takes part."""
        return self.you in self.of.taking_part

    @property
    def you_wait(self) -> bool:
        """Whether the reader is on the waiting list."""
        return self.you in self.entry.waiting

    @property
    def you_withdrew(self) -> bool:
        """Whether the reader took part and has withdrawn."""
        return self.you in self.of.players and not self.you_play

    @property
    def you_are_out(self) -> bool:
        """Whether the reader plays no more matches in it, though it continues."""
        if not self.you_play or self.standing is None or self.you is None:
            return False
        return self.of.is_out(self.you, self.standing.matches)

    @property
    def you_rest(self) -> bool:
        """Whether the reader has a bye in the newest round."""
        if not self.of.takes_byes or not self.round or self.standing is None or self.you is None:
            return False
        here = (m for m in self.standing.matches if m.place and m.place.round == self.round)
        return self.you in self.of.in_round(self.round) and not any(
            self.you in match.players for match in here
        )

    @property
    def your_byes(self) -> list[int]:
        """Rounds to come in which the reader asked not to play."""
        if self.you not in self.of.players or self.is_over:
            return []
        number = self.of.players.index(self.you) + 1
        return [at for at in self.of.entries.byes.get(str(number), ()) if at > self.round]

    @property
    def you_play_now(self) -> bool:
        """Whether a match of the reader is in play."""
        matches = self.standing.matches if self.standing is not None else ()
        return any(each.result is None and self.you in each.players for each in matches)

    @property
    def place(self) -> Place | None:
        """The reader's place. None without one, as in a team match."""
        standing = None if self.standing is None else self.standing.standing
        if standing is None or isinstance(standing, TeamStanding):
            return None
        tables = standing.divisions if isinstance(standing, LeagueStanding) else (standing,)
        for division, table in enumerate(tables, 1):
            players = [row.player for row in table.rows]
            if self.you in players:
                at = 1 if self.you in table.winners else players.index(self.you) + 1
                return Place(at, len(players), division if len(tables) > 1 else 0)
        return None

    @property
    def always(self) -> bool:
        """Whether the reader enters each time it is repeated."""
        return self.you in self.entry.always

    @property
    def can_enter(self) -> bool:
        """Whether members can enter now, before or after the start."""
        if self.entry.phase is not Phase.RUNNING or self.standing is None:
            return self.is_open
        return self.entry.late and self.of.may_enter(self.you or 0, self.standing.matches)

    @property
    def offers_entry(self) -> bool:
        """Whether the reader can enter now."""
        known = self.you in self.of.players or self.you_wait
        return self.can_enter and not known and not self.barred

    @property
    def is_over(self) -> bool:
        """Whether it has ended or was called off."""
        return self.entry.phase not in OPEN

    @property
    def is_open(self) -> bool:
        """Whether members can enter before it starts."""
        return self.entry.phase is Phase.ENTRY
