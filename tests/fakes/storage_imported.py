"""Matches of other clubs in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from pbem.matches.imported import ImportedMatch, RatedName
from pbem.matches.match import PlayerId
from pbem.matches.record import Record
from pbem.ports.process import StorageError
from pbem.ports.room import PageKind
from tests.fakes.storage_data import Repository


class FakeImported(Repository):
    """The port ImportedMatches."""

    def add(self, record: Record) -> ImportedMatch:
        if self.find(record.club, record.match_id) is not None:
            raise StorageError("a match with this club and number is stored")
        match = ImportedMatch(self._changing().next_id("imported"), record)
        self.put(match)
        return match

    def put(self, match: ImportedMatch) -> None:
        data = self._changing()
        data.imported[match.number] = match.record
        data.imported_unwritten[match.number] = None
        self._changed([match.number], match.record.club)

    def get(self, number: int) -> ImportedMatch | None:
        record = self._data.imported.get(number)
        return None if record is None else ImportedMatch(number, record)

    def find(self, club: str, match_id: int) -> ImportedMatch | None:
        found = (each for each in self._all(club) if each.record.match_id == match_id)
        return next(found, None)

    def clubs(self) -> dict[str, int]:
        return dict(sorted(Counter(each.club for each in self._data.imported.values()).items()))

    def of_club(self, club: str) -> list[int]:
        return [each.number for each in self._all(club)]

    def _all(self, club: str) -> list[ImportedMatch]:
        found = sorted(self._data.imported.items())
        return [ImportedMatch(*each) for each in found if each[1].club == club]

    def remove(self, club: str) -> None:
        data, numbers = self._changing(), self.of_club(club)
        self._changed(numbers, club)
        for number in numbers:
            del data.imported[number]
            data.imported_unwritten.pop(number, None)
        for each in [each for each in data.rated_names if each[0] == club]:
            del data.rated_names[each]

    def rate(self, name: RatedName) -> None:
        data = self._changing()
        data.require(players=(name.member,))
        data.rated_names[name.club, name.name] = name.member
        self._rate_again(name.club)

    def unrate(self, member: PlayerId) -> None:
        data = self._changing()
        for each in [each for each in self.rated_names() if each.member == member]:
            del data.rated_names[each.club, each.name]
            self._rate_again(each.club)

    def rated_names(self) -> list[RatedName]:
        return sorted(RatedName(*key, member) for key, member in self._data.rated_names.items())

    def unwritten(self) -> list[int]:
        return sorted(self._data.imported_unwritten)

    def written(self, numbers: Collection[int]) -> None:
        for number in numbers:
            self._changing().imported_unwritten.pop(number, None)

    def _rate_again(self, club: str) -> None:
        numbers = self.of_club(club)
        for number in numbers:
            self._changing().imported_unwritten[number] = None
        self._changed(numbers, club)

    def _changed(self, numbers: Collection[int], club: str) -> None:
        data = self._changing()
        data.mark(PageKind.IMPORTED_CLUB, club)
        for number in numbers:
            data.mark(PageKind.IMPORTED_MATCH, number)
            data.unrated[-number] = False
