"""Ratings from records: compute all ratings from an archive alone, and correct the kept ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from pbem.archive.files import ArchiveFile, match_of_file, read_record
from pbem.matches.history import Happening
from pbem.matches.imported import rated_as_ours, replayed_if_early
from pbem.matches.match import MatchSummary
from pbem.matches.ratings import NEW, RatedMatch
from pbem.matches.record import RecordError
from pbem.matches.record.to_match import happenings_of, people_of
from pbem.ports.process import StorageError
from pbem.ports.progress import Report, tracked, unreported
from pbem.ports.ratings import KeptMatch, ListRatings, Rater
from pbem.ports.room import ArchiveStore
from pbem.ports.storage import UnitOfWork
from pbem.service.club import Club
from pbem.service.rating import BATCH, CurrentRatings, counting, update
from pbem.service.records.imports import imported_records
from pbem.service.records.rebuild import recorded_player


class RebuiltRatings(NamedTuple):
    """Result of rebuilding."""

    matches: int
    """Number of rated matches."""
    missing: int
    """Matches whose ratings were not kept."""
    different: int
    """Matches whose kept ratings were others."""
    superfluous: int
    """Matches that were kept, but are not in the archive or do not count."""


def rebuild_ratings(club: Club, report: Report = unreported) -> RebuiltRatings:
    """Compute all ratings from the archive, and keep these. Reports records.

    Raises StorageError if a record cannot be read, its match is not stored, or its game not
    installed.
    """
    rated = recorded_matches(club.archive, report)
    superfluous = _drop_others(club, rated)
    missing = different = 0
    computed = all_ratings(club.rater, rated)
    while batch := [*islice(computed, BATCH)]:
        with club.storage.writing() as uow:
            uow.ratings.lock()
            kept = uow.ratings.rated([match.place.match_id for match, _ in batch])
            wrong = [each for each in batch if not _is_kept(uow, club.rater, kept, *each)]
            uow.ratings.drop([match.place.match_id for match, _ in wrong])
            uow.ratings.put(wrong, club.rater.method)
            missing += sum(match.place.match_id not in kept for match, _ in wrong)
            different += sum(match.place.match_id in kept for match, _ in wrong)
    return RebuiltRatings(len(rated), missing, different, superfluous)


def _is_kept(
    uow: UnitOfWork,
    rater: Rater,
    kept: Mapping[int, KeptMatch],
    match: RatedMatch,
    ratings: ListRatings,
) -> bool:
    number = match.place.match_id
    return kept.get(number) == (match, rater.method) and uow.ratings.after(number) == ratings


def recorded_matches(archive: ArchiveStore, report: Report = unreported) -> list[RatedMatch]:
    """Return the rated matches of an archive in order, from its records alone. Reports records.

    Raises StorageError if one cannot be read, or its game is not installed.
    """
    found = ((match_of_file(name), name) for name in reversed(archive.names("match-")))
    names = {number: name for number, name in found if number is not None}
    ended, people = [*_imported(archive)], dict[int, str]()
    for name in tracked([*names.values()], report):
        try:
            record = read_record(ArchiveFile(name, archive.read(name) or b""))
        except RecordError as error:
            raise StorageError(f"{name} cannot be read: {error}") from error
        if record.result is not None:
            ended.append((replayed_if_early(record), [*happenings_of(record)]))
            people |= people_of(record)
    if lacking := sorted({each.game_key for each, _ in ended if each.lacks_rules}):
        raise StorageError(f"ratings need all games. First install {', '.join(lacking)}")
    players = (recorded_player(number, name, "") for number, name in people.items())
    return sorted(counting(ended, players).values(), key=lambda each: each.place)


def _imported(archive: ArchiveStore) -> Iterator[tuple[MatchSummary, Sequence[Happening]]]:
    """Yield the imported matches in which only members play, with their histories."""
    found = imported_records(archive)
    for each in found.matches:
        ours = rated_as_ours(each, found.rated)
        if ours is not None:
            yield ours, each.happenings


def all_ratings(
    rater: Rater, matches: Iterable[RatedMatch]
) -> Iterator[tuple[RatedMatch, ListRatings]]:
    """Yield matches, which must be in order, with the ratings after each."""
    ratings: CurrentRatings = defaultdict(lambda: defaultdict(lambda: NEW))
    for match in matches:
        yield match, update(rater, match, ratings)


def _drop_others(club: Club, rated: Iterable[RatedMatch]) -> int:
    """Delete kept matches that the archive does not have, or not as rated. Return their number."""
    with club.storage.writing() as uow:
        uow.ratings.lock()
        known = {each.place.match_id for each in rated}
        kept = (each.place.match_id for each in uow.ratings.everything())
        others = [number for number in kept if number not in known]
        uow.ratings.drop(others)
    return len(others)
