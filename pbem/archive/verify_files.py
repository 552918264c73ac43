"""Check records on their own, for anyone who has only the files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pbem.archive.competition_file import is_competition_file
from pbem.archive.files import ArchiveFile, read_record
from pbem.archive.index import NAME as INDEX
from pbem.matches.record import Record, RecordError, differences, verify


@dataclass
class Verified:
    """Result of checking some files."""

    records: list[str] = field(default_factory=list)
    """Names of the files that hold records."""
    skipped: list[str] = field(default_factory=list)
    """Names of the files of an archive that hold no record."""
    problems: list[str] = field(default_factory=list)
    """One sentence each, after the name of the file."""


def verify_files(files: Iterable[ArchiveFile]) -> Verified:
    """Read records, replay them and compute their heads. Both forms of a record must agree."""
    verified, known = Verified(), dict[tuple[str, int], tuple[str, Record]]()
    for file in files:
        if is_no_record(file.name):
            verified.skipped.append(file.name)
            continue
        verified.records.append(file.name)
        try:
            record = read_record(file)
        except RecordError as error:
            verified.problems.append(f"{file.name} cannot be read: {error}.")
            continue
        verified.problems += [f"{file.name}: {problem}" for problem in verify(record)]
        name, other = known.setdefault((record.club, record.match_id), (file.name, record))
        if different := differences(other, record) if record != other else []:
            verified.problems.append(f"{name} differs from {file.name}: {', '.join(different)}.")
    return verified


def is_no_record(name: str) -> bool:
    """Return whether a file is one that an archive has besides its records."""
    return name == INDEX or name.endswith(".schema.json") or is_competition_file(name)
