"""In-memory competitions."""

from __future__ import annotations

from dataclasses import replace

from pbem.matches.competition import Competition
from pbem.ports.play import CompetitionT
from pbem.ports.process import StorageError
from pbem.ports.room import PageKind
from tests.fakes.storage_data import Repository, utc


class FakeCompetitions(Repository):
    """The port Competitions."""

    def add(self, competition: CompetitionT) -> CompetitionT:
        data = self._changing()
        data.require(players=competition.players)
        stored = replace(
            competition,
            id=data.next_id("competitions"),
            number=data.next_id(f"competitions {competition.numbering}"),
            created_at=utc(competition.created_at),
        )
        data.competitions[stored.id] = stored
        data.mark(PageKind.COMPETITION, stored.id)
        return stored

    def get(self, competition_id: int) -> Competition:
        if competition_id not in self._data.competitions:
            raise StorageError(f"there is no competition {competition_id}")
        return self._data.competitions[competition_id]

    def lock(self, competition_id: int) -> Competition:
        self._changing()
        return self.get(competition_id)

    def save(self, competition: Competition) -> None:
        data = self._changing()
        self.get(competition.id)
        data.require(players=competition.players)
        data.competitions[competition.id] = competition
        data.mark(PageKind.COMPETITION, competition.id)

    def numbered(self, numbering: str, number: int) -> Competition | None:
        of_it = (each for each in self.all() if each.numbering == numbering)
        return next((each for each in of_it if each.number == number), None)

    def all(self) -> list[Competition]:
        return list(self._data.competitions.values())
