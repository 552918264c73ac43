"""Verify archive: every stored match is played again, ended ones compared with their records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields

from pbem.archive.files import ArchiveFile, match_of_file, read_record, record_files
from pbem.matches.match import Match, RecordedAction
from pbem.matches.record import Record, RecordError, record_of, replayed, verify
from pbem.service.ports import ArchiveStore, Storage


def verify_all(storage: Storage, archive: ArchiveStore) -> Iterator[str]:
    """What is wrong with the stored matches and their records, a sentence each."""
    with storage.reading() as uow:
        known = [match.id for match in uow.matches.all()]
    for match_id in known:
        for problem in _match_problems(storage, archive, match_id):
            yield f"Match {match_id}: {problem}"
    for name in archive.names():
        match_id_or_none = match_of_file(name)
        if match_id_or_none is not None and match_id_or_none not in known:
            yield f"{name} is the record of a match that the database does not have."


def _match_problems(storage: Storage, archive: ArchiveStore, match_id: int) -> Iterator[str]:
    with storage.reading() as uow:
        match, actions = uow.matches.get(match_id), uow.matches.recorded(match_id)
        names = {player: uow.players.get(player).name for player in match.players}
        waiting = match_id in uow.matches.unarchived()
    try:
        record = record_of(match, names, actions)
        problems = verify(record)
        yield from problems or _row_problems(match, actions, record)
        if waiting:
            yield "It has ended, but its record has not been written yet."
        elif match.result is not None:
            for file in record_files(record):
                yield from _file_problems(archive, file, record)
    except RecordError as error:
        yield f"There can be no record of it: {error}."


def _row_problems(match: Match, actions: Sequence[RecordedAction], record: Record) -> Iterator[str]:
    """Where what is stored beside the actions is not what they lead to."""
    numbers = [action.number for action in actions]
    if numbers != list(range(1, match.actions + 1)):
        yield f"It has {match.actions} actions, but those stored are numbered {numbers}."
    position = match.game.initial(record.player_count, record.options)
    for action, played in zip(actions, replayed(record), strict=True):
        position = played.position
        if tuple(action.passed) != played.passed:
            stored, due = (", ".join(seats) or "none" for seats in (action.passed, played.passed))
            yield f"Passes after action {action.number} are {stored}; by the rules {due}."
    if match.result is None:
        due_turn = position.turn, match.game.to_act(position)
        if (match.turn, match.to_act) != due_turn:
            yield (
                f"It is at turn {match.turn} of {match.to_act}; "
                f"its actions lead to turn {due_turn[0]} of {due_turn[1]}."
            )


def _file_problems(archive: ArchiveStore, due: ArchiveFile, record: Record) -> Iterator[str]:
    data = archive.read(due.name)
    if data is None:
        yield f"{due.name} is missing in the archive."
        return
    try:
        found = read_record(ArchiveFile(due.name, data))
    except RecordError as error:
        yield f"{due.name} cannot be read: {error}."
        return
    if found != record:
        yield f"{due.name} differs from the database: {', '.join(_differences(found, record))}."


def _differences(found: Record, record: Record) -> Iterator[str]:
    for name in (field.name for field in fields(Record)):
        there, here = getattr(found, name), getattr(record, name)
        if name == "entries" and there != here:
            yield _different_actions(found, record)
        elif there != here:
            yield f"{name.replace('_', ' ')} is {there!r} there, {here!r} here"


def _different_actions(found: Record, record: Record) -> str:
    if len(found.entries) != len(record.entries):
        return f"{len(found.entries)} actions there, {len(record.entries)} here"
    pairs = enumerate(zip(found.entries, record.entries, strict=True), start=1)
    number = next(number for number, (there, here) in pairs if there != here)
    return f"action {number} is another"
