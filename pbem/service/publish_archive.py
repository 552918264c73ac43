"""Publish archive: writes the records of ended matches, the tables of their sets, the index."""

from __future__ import annotations

import structlog

from pbem.archive.files import ArchiveFile, record_files
from pbem.archive.index import index_file
from pbem.archive.set_file import set_file
from pbem.matches.match import Match
from pbem.matches.record import RecordError, record_of
from pbem.service.ports import ArchiveStore, Clock, Storage, UnitOfWork

log = structlog.get_logger(__name__)


def publish(storage: Storage, archive: ArchiveStore, clock: Clock, match_id: int) -> None:
    """Writes the record of an ended match and the table of its set; then marks it.

    Doing it again writes the same files again, so a crash on the way costs nothing. A match that
    is still played is left alone. Raises RecordError if its record cannot be written.
    """
    with storage.reading() as uow:
        match = uow.matches.get(match_id)
        if match.result is None:
            return
        files = _files(uow, match)
    for file in files:
        archive.write(file.name, file.data)
    with storage.writing() as uow:
        if match_id in uow.matches.unarchived():
            uow.matches.mark_archived(match_id, clock.now())


def _files(uow: UnitOfWork, match: Match) -> list[ArchiveFile]:
    of_set = uow.matches.of_set(match.set_id) if match.set_id is not None else [match]
    people = {player for each in of_set for player in each.players}
    names = {player: uow.players.get(player).name for player in people}
    files = list(record_files(record_of(match, names, uow.matches.recorded(match.id))))
    if match.set_id is not None:
        files.append(set_file(uow.sets.get(match.set_id), of_set, names))
    return files


def publish_all(storage: Storage, archive: ArchiveStore, clock: Clock) -> list[int]:
    """Publishes every ended match that has not been, and the index; returns those that now are.

    One that cannot be written is logged and tried again the next time; it holds up no other.
    """
    with storage.reading() as uow:
        waiting = uow.matches.unarchived()
    done = []
    for match_id in waiting:
        try:
            publish(storage, archive, clock, match_id)
        except (RecordError, OSError):
            log.exception("record not written", match=match_id)
        else:
            done.append(match_id)
    if done:
        _publish_index(storage, archive)
    return done


def _publish_index(storage: Storage, archive: ArchiveStore) -> None:
    with storage.reading() as uow:
        names = {player.id: player.name for player in uow.players.all()}
        index = index_file(uow.matches.all(), names)
    try:
        archive.write(index.name, index.data)
    except OSError:
        log.exception("index not written")
