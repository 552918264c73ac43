"""Imports: check records of other clubs, keep them and their files, and rate them if asked to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from pbem.archive.files import ArchiveFile, imported_of_file
from pbem.archive.imported_files import (
    RATED,
    imported_file,
    imported_in,
    rated_names_file,
    rated_names_in,
)
from pbem.archive.verify_files import FoundRecord
from pbem.log import get_logger
from pbem.matches.imported import NO_MATCH, ImportedMatch, RatedName
from pbem.matches.match import Player
from pbem.matches.names.skeleton import skeleton_of
from pbem.matches.record import Record, RecordError, chain_problems, heads, verify
from pbem.matches.record.to_match import people_of, unreplayed
from pbem.ports.process import StorageError
from pbem.ports.room import ArchiveStore
from pbem.ports.storage import Storage, UnitOfWork
from pbem.service.club import Club
from pbem.service.work import Work

log = get_logger(__name__)

MOST_NAME = 200
"""Maximum number of characters of a name in a record. Long enough for every member's name."""
MOST_SHOWN = 20


@dataclass
class Imports:
    """Result of importing."""

    new: Counter[str] = field(default_factory=Counter)
    """Number of new records by club."""
    there: Counter[str] = field(default_factory=Counter)
    """Number of records that were there already, by club."""
    refused: int = 0

    @property
    def clubs(self) -> Sequence[str]:
        """Return the clubs whose records are here now."""
        return sorted({*self.new, *self.there})


def import_records(club: Club, found: Iterable[FoundRecord], done: Imports) -> Iterator[str]:
    """Store the records that are right, and yield why each other one is refused.

    Counts in `done`. A record with the history of a stored one is there already, whatever its names
    are, since they are not part of the history.
    """
    for each in found:
        problem = _problem(club, each)
        if each.record is not None and not problem:
            try:
                with club.storage.writing() as uow:
                    problem = _stored(uow, each.record, done)
            except StorageError as error:  # a stored record of the same match cannot be read
                problem = f"{error}."
        if problem:
            done.refused += 1
            yield f"{each.where}: {problem}"


def _problem(club: Club, found: FoundRecord) -> str:
    """Return why a record is refused, empty if it is not."""
    record = found.record
    if record is None:
        return found.problem
    if record.result is None:
        return "The match has not ended."
    if not is_name(record.club) or not all(map(is_name, people_of(record).values())):
        return "It has a name that cannot be shown. Names are printable, and not longer than 200."
    if _newest(record) > club.clock.now():
        return "It has a time in the future."
    if _is_own(club, record):
        return f"It is a record of {record.club}, this club. Use pbem rebuild to restore those."
    for problem in verify(record):
        return problem
    try:
        unreplayed(record)
    except NO_MATCH as error:
        return f"It cannot be kept: {error}."
    return ""


def is_name(name: str) -> bool:
    """Return whether emails and pages can show a name."""
    return name.isprintable() and bool(name.strip()) and len(name) <= MOST_NAME


def _newest(record: Record) -> datetime:
    ends = [] if record.ended_at is None else [record.ended_at]
    return max((record.started_at, *ends, *(entry.at for entry in record.entries)))


def _is_own(club: Club, record: Record) -> bool:
    """Return whether this club played a match, perhaps under an earlier name."""
    if _are_alike(record.club, club.name):
        return True
    with club.storage.reading() as uow, suppress(StorageError):
        return _are_alike(uow.matches.get(record.match_id).club, record.club)
    return False


def _are_alike(club: str, other: str) -> bool:
    """Return whether a reader may take the names of two clubs for each other."""
    return skeleton_of(club) == skeleton_of(other)


def _stored(uow: UnitOfWork, record: Record, done: Imports) -> str:
    """Store a record unless it is there. Return why it cannot be stored, empty if it is."""
    known = () if record.club in done.clubs else uow.imported.clubs()
    for other in known:
        if other != record.club and _are_alike(other, record.club):
            return f"The name {record.club} looks like that of another club with records, {other}."
    there = uow.imported.find(record.club, record.match_id)
    if there is None:
        uow.imported.add(record)
        done.new[record.club] += 1
    elif heads(there.record)[-1] == heads(record)[-1]:
        done.there[record.club] += 1
    else:
        return f"Another record of match {record.match_id} of {record.club} is there already."
    return ""


def rate_imported(work: Work, club: str, members: Iterable[tuple[str, Player]]) -> None:
    """Have names in the records of a club stand for members. Raises StorageError."""
    names = {
        name
        for number in work.imported.of_club(club)
        if (match := work.imported.get(number)) is not None
        for name in people_of(match.record).values()
    }
    for name, member in members:
        if name not in names:
            known = ", ".join(sorted(names)[:MOST_SHOWN])
            raise StorageError(f"no record of {club} names {name}. The records name: {known}")
        if member.bot or member.former:
            raise StorageError(f"{member.name} is not a person who is a member")
        work.imported.rate(RatedName(club, name, member.id))


def forget_club(club: Club, name: str) -> int:
    """Delete all records of a club. Return their number. Raises StorageError if there are none."""
    with club.storage.writing() as uow:
        count = uow.imported.clubs().get(name)
        if count is None:
            known = ", ".join(uow.imported.clubs()) or "none"
            raise StorageError(f"there are no records of {name}. Clubs with records: {known}")
        uow.imported.remove(name)
    remove_others(club.storage, club.archive)
    return count


class ImportedRecords(NamedTuple):
    """What an archive has of other clubs."""

    matches: Iterable[ImportedMatch]
    """Reading it raises StorageError if a record cannot be read."""
    rated: Sequence[RatedName]


def imported_records(archive: ArchiveStore) -> ImportedRecords:
    """Return what an archive has of other clubs. Raises StorageError if it cannot be read."""
    try:
        rated = rated_names_in(archive.read(RATED))
    except RecordError as error:
        raise StorageError(f"{RATED} cannot be read: {error}") from error
    return ImportedRecords(map(_read, _files_in(archive)), rated)


def _files_in(archive: ArchiveStore) -> Iterator[ArchiveFile]:
    for name in archive.names("imported-"):
        if imported_of_file(name) is not None:
            yield ArchiveFile(name, archive.read(name) or b"")


def _read(file: ArchiveFile) -> ImportedMatch:
    try:
        return imported_in(file)
    except RecordError as error:
        raise StorageError(f"{file.name} cannot be read: {error}") from error


def publish_imported(storage: Storage, archive: ArchiveStore) -> None:
    """Write the imported records that have changed.

    One that cannot be read or written is logged, and holds up no other.
    """
    with storage.reading() as uow:
        waiting = uow.imported.unwritten()
    for number in waiting:
        try:
            _publish(storage, archive, number)
        except (OSError, RecordError) as error:
            log.error("imported record not written", number=number, error=str(error))


def _publish(storage: Storage, archive: ArchiveStore, number: int) -> None:
    with storage.reading() as uow:
        files = _file_of(uow, number) + _rated_file(uow)
    archive.write_all(file for file in files if archive.read(file.name) != file.data)
    with storage.writing() as uow:
        there = _file_of(uow, number)
        if files == there + _rated_file(uow):  # nothing has changed meanwhile
            uow.imported.written([number])
    if not there:  # its club was forgotten meanwhile
        remove_others(storage, archive)


def files_of_imported(storage: Storage) -> Iterator[ArchiveFile]:
    """Yield all files of imported records, the rated names last. None if there are no records."""
    with storage.reading() as uow:
        numbers = _numbers(uow)
        last = _rated_file(uow)
    for number in numbers:
        with storage.reading() as uow:
            yield from _file_of(uow, number)
    yield from last


def _numbers(uow: UnitOfWork) -> list[int]:
    return [number for club in uow.imported.clubs() for number in uow.imported.of_club(club)]


def _file_of(uow: UnitOfWork, number: int) -> list[ArchiveFile]:
    match = uow.imported.get(number)
    return [] if match is None else [imported_file(match)]


def _rated_file(uow: UnitOfWork) -> list[ArchiveFile]:
    return [rated_names_file(uow.imported.rated_names())] if uow.imported.clubs() else []


def remove_others(storage: Storage, archive: ArchiveStore) -> None:
    """Remove imported records from the archive that the database does not have."""
    for name in others_in(storage, archive):
        archive.remove(name)
    with storage.reading() as uow:
        rated = _rated_file(uow)
    if rated:
        archive.write_all(rated)
    else:
        archive.remove(RATED)


def others_in(storage: Storage, archive: ArchiveStore) -> list[str]:
    """Return the names of imported records in the archive that the database does not have."""
    with storage.reading() as uow:
        known = {*_numbers(uow)}
    found = ((name, imported_of_file(name)) for name in archive.names("imported-"))
    return [name for name, number in found if number is not None and number not in known]


def _problems(match: ImportedMatch) -> Sequence[str]:
    try:
        check = chain_problems if match.summary.lacks_rules else verify
        return [*check(match.record)]
    except NO_MATCH as error:
        return [f"It cannot be replayed: {error}."]


def imported_problems(storage: Storage, archive: ArchiveStore) -> Iterator[str]:
    """Yield the problems of imported records and their files, one sentence each."""
    with storage.reading() as uow:
        unread = [number for number in _numbers(uow) if uow.imported.get(number) is None]
    for number in unread:
        yield f"The stored record of imported match {number} cannot be read."
    for file in files_of_imported(storage):
        if archive.read(file.name) != file.data:
            yield f"{file.name} is missing in the archive, or differs from the database."
        elif file.name != RATED:
            yield from (f"{file.name}: {each}" for each in _problems(imported_in(file)))
    for name in others_in(storage, archive):
        yield f"{name} is a record that the database does not have."
