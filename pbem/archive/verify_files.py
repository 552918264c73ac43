"""Check records on their own, for anyone who has only the files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pbem.archive.competition_file import is_competition_file
from pbem.archive.files import ArchiveFile, read_record
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


def verify_files(files: Iterable[ArchiveFile]) -> Verified:
    """Read records, replay them and compute their heads. Both forms of a record must agree."""
    verified, known = Verified(), dict[tuple[str, int], tuple[str, Record]]()
    for file in files:
        if is_no_record(file.name):
            verified.skipped.append(file.name)
            continue
        verified.records.append(file.name)
        if form := _format_of(file.name):
            verified.problems += [f"{file.name}: {each}" for each in _problems_in(form, file)]
            continue
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


def _format_of(name: str) -> RecordFormat | None:
    """Return the format of a file that other programs read, None for our own."""
    return next((each for each in formats() if name.endswith(f".{each.suffix}")), None)


def _problems_in(form: RecordFormat, file: ArchiveFile) -> Iterator[str]:
    """Yield what cannot be read or replayed in a file of such a format, and wrong results."""
    try:
        found = form.read(file.data.decode())
    except ValueError as error:
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
