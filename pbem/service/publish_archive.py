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


def publish_all(storage: Storage, archive: ArchiveStore, clock: Clock) -> list[int]:
    """Writes the records of all ended matches that wait for it, then the index, then marks them.

    Returns those that now are published. Doing it again writes the same files again, so a crash on
    the way costs nothing. A record that cannot be written is logged and tried again the next time;
    it holds up no other.
    """
    with storage.reading() as uow:
        waiting = uow.matches.unarchived()
    written = [match_id for match_id in waiting if _is_written(storage, archive, match_id)]
    if not written or not _index_is_written(storage, archive):
        return []
    with storage.writing() as uow:
        for match_id in set(written) & set(uow.matches.unarchived()):
            uow.matches.mark_archived(match_id, clock.now())
    return written


def _is_written(storage: Storage, archive: ArchiveStore, match_id: int) -> bool:
    """Writes the record of an ended match and the table of its set."""
    try:
        with storage.reading() as uow:
            files = _files(uow, uow.matches.get(match_id))
        for file in files:
            archive.write(file.name, file.data)
    except RecordError:
        log.exception("record not written", match=match_id)
        return False
    except OSError as error:
        log.error("record not written", match=match_id, error=str(error))
        return False
    return True


def _files(uow: UnitOfWork, match: Match) -> list[ArchiveFile]:
    of_set = uow.matches.of_set(match.set_id) if match.set_id is not None else [match]
    people = {player for each in of_set for player in each.players}
    names = {player: uow.players.get(player).name for player in people}
    files = list(record_files(record_of(match, names, uow.matches.recorded(match.id))))
    if match.set_id is not None:
        files.append(set_file(uow.sets.get(match.set_id), of_set, names))
    return files


def _index_is_written(storage: Storage, archive: ArchiveStore) -> bool:
    with storage.reading() as uow:
        names = {player.id: player.name for player in uow.players.all()}
        index = index_file(uow.matches.all(), names)
    try:
        archive.write(index.name, index.data)
    except OSError as error:
        log.error("index not written", error=str(error))
        return False
    return True
