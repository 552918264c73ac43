"""Port for the matches of other clubs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from pbem.matches.imported import ImportedMatch, RatedName
from pbem.matches.match import PlayerId
from pbem.matches.record import Record


class ImportedMatches(Protocol):
    """Records of other clubs, and the members who play in them.

    Every change marks the pages that show it, the ratings that may follow from it, and the files of
    the archive that must be written again.
    """

    def add(self, record: Record) -> ImportedMatch:
        """Store a record. Raises StorageError if one with its club and number is stored."""

    def put(self, match: ImportedMatch) -> None:
        """Store a match again, under the same number even if it is not stored yet."""

    def get(self, number: int) -> ImportedMatch | None:
        """Return a match by its number among all imported ones.

        None also if what is stored cannot be read, which is logged.
        """

    def find(self, club: str, match_id: int) -> ImportedMatch | None:
        """Return a match by its number in its club."""

    def clubs(self) -> Mapping[str, int]:
        """Return the number of matches of each club, by name."""

    def of_club(self, club: str) -> Sequence[int]:
        """Return the numbers of all matches of a club."""

    def remove(self, club: str) -> None:
        """Delete all matches and rated names of a club."""

    def rate(self, name: RatedName) -> None:
        """Store for whom a name stands, or change it. Raises StorageError for an unknown member."""

    def unrate(self, member: PlayerId) -> None:
        """Delete the names that stand for a member."""

    def rated_names(self) -> Sequence[RatedName]:
        """Return all rated names, in order."""

    def unwritten(self) -> Sequence[int]:
        """Return the numbers of the matches whose files in the archive are not right."""

    def written(self, numbers: Collection[int]) -> None:
        """Note that the files of matches are right."""
