"""Archive content: the files that the archive should have, made from what is stored."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.archive.competition_file import competition_file
from pbem.archive.files import ArchiveFile, schema_files
from pbem.archive.index import begun, index_file
from pbem.matches.events import Event, kind_of
from pbem.matches.match import MatchSummary
from pbem.matches.record import Record, record_of
from pbem.matches.sets import MatchSet
from pbem.service.ports import UnitOfWork


def stored_record(uow: UnitOfWork, match: MatchSummary) -> Record:
    """Record of a match as stored, with the heads found there; raises RecordError."""
    names = {player: uow.players.get(player).name for player in match.players}
    event = None if match.event_id is None else uow.events.get(match.event_id)
    return record_of(
        match,
        names,
        uow.matches.recorded(match.id),
        uow.matches.happenings(match.id),
        "" if event is None else kind_of(event),
    )


def file_of_whole(uow: UnitOfWork, match: MatchSummary) -> Iterator[ArchiveFile]:
    """The file of what a match belongs to, if it belongs to anything."""
    if match.set_id is not None:
        yield _file(uow, uow.sets.get(match.set_id))
    if match.event_id is not None:
        yield _file(uow, uow.events.get(match.event_id))


def shared_files(uow: UnitOfWork) -> Iterator[ArchiveFile]:
    """Whatever is no record of a match: files of sets, series and tournaments, index, schemas."""
    sets, events, matches = uow.sets.all(), uow.events.all(), uow.matches.all()
    for whole in begun((match for match in matches if match.result), sets, events):
        yield _file(uow, whole)
    names = {player.id: player.name for player in uow.players.all()}
    yield index_file(matches, names, sets, events)
    yield from schema_files()


def _file(uow: UnitOfWork, whole: MatchSet | Event) -> ArchiveFile:
    of_set = isinstance(whole, MatchSet)
    matches = uow.matches.of_set(whole.id) if of_set else uow.matches.of_event(whole.id)
    names = {player: uow.players.get(player).name for player in whole.players}
    return competition_file(whole, matches, names)
