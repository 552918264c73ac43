"""In-memory competitions."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from pbem.matches.announcement import Phase
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
            number=self._next_number(competition),
            created_at=utc(competition.created_at),
        )
        data.competitions[stored.id] = stored
        self._mark(stored)
        return stored

    def _next_number(self, competition: Competition) -> int:
        alone = competition.announcement is None
        numbers = (
            each.number
            for each in self._data.competitions.values()
            if each.numbering == competition.numbering or not alone
        )
        return max(numbers, default=0) + 1

    def _mark(self, competition: Competition) -> None:
        if not competition.unstarted:
            self._changing().mark(PageKind.COMPETITION, competition.id)

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
        data.competitions[competition.id] = replace(
            competition, created_at=utc(competition.created_at)
        )
        self._mark(competition)

    def announced(self, phases: Collection[Phase]) -> list[Competition]:
        return [
            each
            for each in self._data.competitions.values()
            if each.announcement is not None and each.announcement.phase in phases
        ]

    def announced_as(self, number: int) -> Competition | None:
        return next((each for each in self.announced([*Phase]) if each.number == number), None)

    def numbered(self, numbering: str, number: int) -> Competition | None:
        every = self._data.competitions.values()
        of_it = (each for each in every if each.numbering == numbering)
        return next((each for each in of_it if each.number == number), None)

    def all(self) -> list[Competition]:
        return [each for each in self._data.competitions.values() if not each.unstarted]
