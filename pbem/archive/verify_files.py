"""Check records on their own, for anyone who has only the files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from typing import BinaryIO, NamedTuple

from pbem.archive.competition_file import is_competition_file
from pbem.archive.files import ArchiveFile, read_record
from pbem.archive.from_transcript import record_of_transcript
from pbem.archive.imported_files import RATED
from pbem.archive.index import NAME as INDEX
from pbem.games import formats, game_of
from pbem.games.api import OptionError, RecordFormat
from pbem.games.replay import ReplayError, replay
from pbem.games.transcript import Transcript
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


class FoundRecord(NamedTuple):
    """A record in a file, or why it cannot be read."""

    where: str
    """The file, and the line if it has a record in each."""
    record: Record | None
    problem: str = ""
    """One sentence, empty if it could be read."""


MOST_BYTES = 8 << 20
"""Maximum size of an imported record. A thousand turns take a fortieth of it."""


def records_in(name: str, file: BinaryIO, most: int = MOST_BYTES) -> Iterator[FoundRecord]:
    """Yield the records of a file. In JSON lines, each line is one, and only one is in memory.

    A record has at most `most` bytes, and so has a file in the format of a game.
    """
    if form := _format_of(name):
        yield from _found_in(form, name, file.read(most + 1), most)
        return
    line, number = file.readline(most + 1), 1
    if not (line.startswith(b"{") and line.rstrip().endswith(b"}")):
        line += file.read(most + 1)
        yield _found(name, name, line, most)
        return
    while line:
        if line.strip():
            yield _found(f"{name}, line {number}", ".json", line, most)
        while len(line) > most and not line.endswith(b"\n"):  # the rest of too long a line
            line = file.readline(most + 1)
        line, number = file.readline(most + 1), number + 1


def _found_in(form: RecordFormat, name: str, data: bytes, most: int) -> Iterator[FoundRecord]:
    if len(data) > most:
        yield FoundRecord(name, None, _too_large(most))
        return
    try:
        transcripts = form.read(data.decode())
    except (ValueError, OverflowError) as error:
        yield FoundRecord(name, None, f"It cannot be read: {error}.")
        return
    for number, transcript in enumerate(transcripts, start=1):
        where = f"{name}, match {number}"
        try:
            yield FoundRecord(where, record_of_transcript(transcript))
        except RecordError as error:
            yield FoundRecord(where, None, f"It cannot become a record: {error}.")


def _too_large(most: int) -> str:
    return f"It is larger than {most >> 20} MiB."


def _found(where: str, name: str, data: bytes, most: int) -> FoundRecord:
    if len(data) > most:
        return FoundRecord(where, None, _too_large(most))
    try:
        return FoundRecord(where, read_record(ArchiveFile(name, data)))
    except RecordError as error:
        return FoundRecord(where, None, f"It cannot be read: {error}.")


def verify_files(files: Iterable[ArchiveFile]) -> Verified:
    """Read records, replay them and compute their heads. Both forms of a record must agree."""
    verified, known = Verified(), dict[tuple[str, int], tuple[str, Record]]()
    for file in files:
        if is_no_record(file.name):
            verified.skipped.append(file.name)
        elif form := _format_of(file.name):
            verified.records.append(file.name)
            verified.problems += [f"{file.name}: {each}" for each in _problems_in(form, file)]
        else:
            for found in records_in(file.name, BytesIO(file.data), len(file.data)):
                verified.records.append(found.where)
                verified.problems += _record_problems(found, known)
    return verified


def _record_problems(
    found: FoundRecord, known: dict[tuple[str, int], tuple[str, Record]]
) -> Iterator[str]:
    """Yield what is wrong with a record, or differs from its other form."""
    where, record, problem = found
    if record is None:
        yield f"{where}: {problem}"
        return
    yield from (f"{where}: {each}" for each in verify(record))
    name, other = known.setdefault((record.club, record.match_id), (where, record))
    if different := differences(other, record) if record != other else []:
        yield f"{name} differs from {where}: {', '.join(different)}."


def is_no_record(name: str) -> bool:
    """Return whether a file is one that an archive has besides its records."""
    others = name in (INDEX, RATED) or name.endswith(".schema.json")
    return others or is_competition_file(name)


def _format_of(name: str) -> RecordFormat | None:
    """Return the format of a file that other programs read, None for our own."""
    return next((each for each in formats() if name.endswith(f".{each.suffix}")), None)


def _problems_in(form: RecordFormat, file: ArchiveFile) -> Iterator[str]:
    """Yield what cannot be read or replayed in a file of such a format, and wrong results."""
    try:
        found = form.read(file.data.decode())
    except (ValueError, OverflowError) as error:
        yield f"it cannot be read: {error}."
        return
    for number, transcript in enumerate(found, start=1):
        for problem in _replay_problems(transcript):
            yield f"match {number}: {problem}"


def _replay_problems(transcript: Transcript) -> Iterator[str]:
    """Yield why the actions of a transcript cannot be played, or do not lead to its result."""
    try:
        game, players = game_of(transcript.game_key), len(set(transcript.players))
        position = game.initial(players, game.info.with_defaults(transcript.options))
        pairs = [(action.seat, action.text) for action in transcript.actions]
        for played in replay(game, players, transcript.options, pairs):
            position = played.position
    except (ReplayError, OptionError) as error:
        yield f"{error}."
        return
    outcome = game.outcome(position)
    if outcome is not None and transcript.winners != outcome.winners:
        yield f"by the rules, it ends by {outcome.termination}, with another result."
