"""Verify: replay every stored match, and compare the archive with the expected files.

Without the rules of a match, only its history is checked.

If somebody changed the database and the archive alike, the heads of the history show it, unless
these were recomputed too. Then any player's emails show it (`audit`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbem.archive.files import (
    ArchiveFile,
    match_of_file,
    read_record,
    record_files,
    schema_file,
)
from pbem.matches.match import MatchSummary, RecordedAction
from pbem.matches.record import (
    Record,
    RecordError,
    chain_problems,
    differences,
    heads,
    replayed,
    standing,
    verify,
)
from pbem.ports.play import Snapshot
from pbem.ports.progress import Report, tracked, unreported
from pbem.ports.room import ArchiveStore
from pbem.ports.storage import Storage, UnitOfWork
from pbem.service.positions import position_in
from pbem.service.records.imports import imported_problems
from pbem.service.records.publish import shared_files, stored_record


def verify_all(
    storage: Storage, archive: ArchiveStore, report: Report = unreported
) -> Iterator[str]:
    """Yield what is wrong with the stored matches and the archive, one sentence each.

    Reports matches.
    """
    with storage.reading() as uow:
        matches = {match.id: match for match in uow.matches.all()}
        waiting, reopened = uow.matches.unarchived(), uow.matches.reopened()
    for match_id in tracked(list(matches), report):
        for problem in _match_problems(storage, archive, match_id):
            yield f"Match {match_id}: {problem}"
    for match_id in reopened:
        yield f"Match {match_id}: It was reopened, but its record has not been removed yet."
    for name in archive.names():
        match_of = match_of_file(name)
        if match_of is not None and match_of not in matches:
            yield f"{name} is the record of a match that the database does not have."
        elif match_of in reopened:
            continue
        elif match_of is not None and matches[match_of].result is None:
            yield f"{name} is the record of a match that the database says is still played."
    yield from imported_problems(storage, archive)
    ended = [match for match in matches.values() if match.result is not None]
    behind = waiting or reopened or any(match.lacks_rules for match in ended)
    if ended and not behind:
        with storage.reading() as uow:
            shared = list(shared_files(uow))
        for file in shared:
            yield from _shared_problems(archive, file)


def _match_problems(storage: Storage, archive: ArchiveStore, match_id: int) -> Iterator[str]:
    try:
        with storage.reading() as uow:
            match, actions = uow.matches.get(match_id), uow.matches.all_recorded(match_id)
            record = stored_record(uow, match)
            waiting = match_id in uow.matches.unarchived()
            snapshot = uow.snapshots.of(match_id)
        yield from _problems(match, actions, record, snapshot)
        if match.lacks_rules:
            return
        if waiting:
            yield "It has ended, but its record has not been written yet."
        elif match.result is not None:
            for file in record_files(record):
                yield from _file_problems(archive, file, record)
    except RecordError as error:
        yield _no_record(error)


def replay_problems(uow: UnitOfWork, match_id: int) -> list[str]:
    """Return how a stored match differs from what its actions lead to, one sentence each."""
    match = uow.matches.get(match_id)
    try:
        record = stored_record(uow, match)
        actions = uow.matches.all_recorded(match_id)
        snapshot = uow.snapshots.of(match_id)
        return list(_problems(match, actions, record, snapshot))
    except RecordError as error:
        return [_no_record(error)]


def without_rules(uow: UnitOfWork) -> Sequence[MatchSummary]:
    """Return the matches that cannot be replayed, because their games are not installed."""
    return [match for match in uow.matches.all() if match.lacks_rules]


def _problems(
    match: MatchSummary,
    actions: Sequence[RecordedAction],
    record: Record,
    snapshot: Snapshot | None,
) -> Iterator[str]:
    """Yield what is wrong with a stored match."""
    if match.lacks_rules:
        yield from chain_problems(record)
        yield from _history_problems(match, actions, record)
    else:
        yield from verify(record) or _row_problems(match, actions, record, snapshot)


def _no_record(error: RecordError) -> str:
    return f"There can be no record of it: {error}."


def _row_problems(
    match: MatchSummary,
    actions: Sequence[RecordedAction],
    record: Record,
    snapshot: Snapshot | None,
) -> Iterator[str]:
    """Yield where other stored data of a match differs from what its actions lead to."""
    yield from _history_problems(match, actions, record)
    all_played = list(replayed(record))
    for action, played in zip(actions, all_played, strict=True):
        if tuple(action.passed) != played.passed:
            stored, due = (", ".join(seats) or "none" for seats in (action.passed, played.passed))
            yield f"Passes after action {action.number} are {stored}, but by the rules {due}."
        if (
            snapshot is not None
            and snapshot.follows(action.number, action.head)
            and position_in(snapshot, match) not in (None, played.position)
        ):
            yield f"Its snapshot after action {action.number} is not the position there."
    if match.result is None:
        stand = standing(record, all_played)
        start = match.game.initial(record.player_count, record.options)
        position = stand[-1].position if stand else start
        due_turn = position.turn, match.game.to_act(position)
        if (match.turn, match.to_act) != due_turn:
            yield (
                f"It is at turn {match.turn} of {match.to_act or 'nobody'}, "
                f"but its actions lead to turn {due_turn[0]} of {due_turn[1] or 'nobody'}."
            )


def _history_problems(
    match: MatchSummary, actions: Sequence[RecordedAction], record: Record
) -> Iterator[str]:
    """Yield where other stored data of a match differs from its history."""
    numbers = [action.number for action in actions]
    if numbers != list(range(1, match.actions + 1)):
        stored = ", ".join(map(str, numbers)) or "none"
        yield f"It has {match.actions} actions, but those stored are numbered {stored}."
    chain = heads(record)
    if (match.entries, match.head) != (len(chain) - 1, chain[-1]):
        yield f"Its head differs from that of its history, which has {len(chain) - 1} entries."
    if (gone := {each.number for each in actions if each.undone}) != record.taken_back:
        yield (
            f"Actions {_listed(gone)} are stored as taken back, "
            f"but by the history {_listed(record.taken_back)} are."
        )


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(numbers))) or "none"


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
    if different := differences(found, record):
        yield f"{due.name} differs from the database: {', '.join(different)}."
        return
    for problem in chain_problems(found):
        yield f"{due.name}: {problem}"


def _shared_problems(archive: ArchiveStore, due: ArchiveFile) -> Iterator[str]:
    data = archive.read(due.name)
    if data is None:
        yield f"{due.name} is missing in the archive."
        return
    if due == schema_file():
        return  # written by an older pbem, and replaced with the next record
    there, here = (text.decode(errors="replace").splitlines() for text in (data, due.data))
    if there == here:
        return
    lines = zip([*there, ""], [*here, ""], strict=False)
    number, (one, other) = next(
        (pair for pair in enumerate(lines, start=1) if pair[1][0] != pair[1][1]),
        (min(len(there), len(here)) + 1, ("", "")),
    )
    yield f'{due.name} differs from the database in line {number}: "{one}" there, "{other}" here.'
