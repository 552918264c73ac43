"""Competition view: a competition as templates show it to a reader.

Its emails, the command line and the archive use the same templates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from pbem.games.phrases import Words
from pbem.mail.outgoing.competition_tables import figure
from pbem.mail.outgoing.typeset.page import Figure
from pbem.matches.announcement import Phase
from pbem.matches.competition import Competition, index_of
from pbem.matches.competition_place import Place
from pbem.matches.competitions.team_match import TeamStanding
from pbem.matches.forecast import Paces
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.overview import Overview
from pbem.matches.standing import Standing
from pbem.matches.table import Part, Table

MOST_ROWS = 20
"""Most rows of a table below an email about a match. Those of its players follow."""


@dataclass(frozen=True)
class CompetitionView:
    """The data of a competition for a template."""

    of: Competition
    matches: Sequence[MatchSummary]
    """The started matches, in order."""
    names: Mapping[PlayerId, str]
    place: Place | None = None
    """The place of the match that the email is about."""
    head: bool = True
    """Whether to start with the name of the competition."""
    paces: Paces | None = None
    """How fast its players play, if its end is forecast."""
    now: datetime | None = None

    @property
    def templates(self) -> list[str]:
        """The template of its kind, then the one for all kinds."""
        return [f"competition/{self.of.kind}.txt.j2", "competition/standing.txt.j2"]

    @cached_property
    def overview(self) -> Overview:
        """Its tables and what is certain."""
        return Overview(self.of, self.matches, self.paces, self.now)

    @property
    def standing(self) -> Standing:
        """The current standing."""
        return self.overview.standing

    @property
    def players(self) -> list[str]:
        """Names of the players in order of entry."""
        return [self.names[player] for player in self.of.players]

    @property
    def winners(self) -> list[str]:
        """Names of the winners, of those who share first place, or of the team, once it is over."""
        if isinstance(self.standing, TeamStanding):
            return [self.standing.teams[0].name] if self.standing.over else []
        return [self.names[player] for player in self.standing.winners]

    @property
    def parts(self) -> list[Part]:
        """Tables, bracket or boards. Below an email about a match, they are cut to what matters."""
        if self.place is None:
            return [*self.overview.parts]
        return [
            part.around(self._playing, MOST_ROWS) if isinstance(part, Table) else part
            for part in self.overview.parts
            if not (isinstance(part, Table) and part.division) or self._concerns(part)
        ]

    def _concerns(self, part: Table) -> bool:
        return any(row.player in self._playing for row in part.rows)

    @property
    def _playing(self) -> Sequence[PlayerId]:
        here = (m for m in self.matches if self.place and index_of(m) == self.place.index)
        return [player for match in here for player in self.of.entrants(match, index_of(match))]

    @property
    def tells_chances(self) -> bool:
        """Whether to say what is certain. Emails about a match do once it has ended."""
        if self.place is None:
            return True
        return any(
            match.result is not None and index_of(match) == self.place.index
            for match in self.matches
        )

    def keeps(self, player: PlayerId) -> bool:
        """Return whether members entered it, and more matches of a player may come."""
        of = self.of
        running = of.announcement is not None and of.announcement.phase is Phase.RUNNING
        takes_part = running and player in of.taking_part and not self.standing.over
        return takes_part and not of.is_out(player, self.matches)

    @property
    def sure(self) -> list[str]:
        """Names of the players who are sure of winning."""
        return [self.names[player] for player in self.overview.certain.sure]

    @property
    def out(self) -> list[str]:
        """Names of the players who can no longer win."""
        return [self.names[player] for player in self.overview.certain.out]

    def drawn(self, part: Part, words: Words) -> Figure:
        """Return a part as a figure."""
        return figure(part, self.names, words)
