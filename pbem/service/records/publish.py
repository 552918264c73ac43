"""Publish: write the records of ended matches, their competitions and the index."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from pbem.archive.competition_file import competition_file, match_lines
from pbem.archive.files import ArchiveFile, record_files, schema_file, stem
from pbem.archive.index import NAME as INDEX, Index, begun, index_file
from pbem.log import get_logger
from pbem.mail.outgoing.competition_view import CompetitionView
from pbem.mail.outgoing.render import of_the_club, painted_file, painted_match
from pbem.matches.competition import Competition
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.record import (
    Record,
    RecordedCompetition,
    RecordError,
    chain_problems,
    everybody_in,
    record_of,
)
from pbem.ports.process import WallClock
from pbem.ports.progress import Report, tracked, unreported
from pbem.ports.room import ArchiveStore
from pbem.ports.storage import Storage, UnitOfWork
from pbem.service.post.post import competition_of, standing_of
from pbem.service.rating import withhold
from pbem.service.records.imports import files_of_imported, publish_imported, remove_others

log = get_logger(__name__)


def publish_all(storage: Storage, archive: ArchiveStore, clock: WallClock) -> list[int]:
    """Write the waiting records of ended matches, then the index. Return the matches marked.

    The records of reopened matches are removed first. So are outdated ones whose game is not
    installed, since only the game can write them again. A crash on the way does no harm, since
    writing again gives the same files. A record that cannot be written is logged, holds up no
    other, and is tried again next time.
    """
    publish_imported(storage, archive)
    with storage.reading() as uow:
        every, reopened = uow.matches.unarchived(), uow.matches.reopened()
        withheld = {each for each in every if uow.matches.get(each).lacks_rules}
    waiting = [each for each in every if each not in withheld]
    gone = [match_id for match_id in withheld if _is_removed(storage, archive, match_id)]
    removed = [match_id for match_id in reopened if _is_removed(storage, archive, match_id)]
    named = {match_id: _names_in(storage, match_id) for match_id in waiting}
    written = [match_id for match_id in waiting if _is_written(storage, archive, match_id)]
    done = _with_tables(storage, archive, [*gone, *removed, *written])
    gone, removed, written = (
        [each for each in of if each in done] for of in (gone, removed, written)
    )
    if gone:
        with storage.writing() as uow:
            withhold(uow, gone)
    if not (written or removed or gone):
        return []
    if not _index_is_written(storage, archive, [*written, *gone], whole=bool(removed)):
        return []
    _mark(storage, None, removed)
    # A player renamed meanwhile may be in the files under the old name.
    same = [each for each in written if named[each] == _names_in(storage, each)]
    _mark(storage, clock.now(), same)
    return [*removed, *same]


def _names_in(storage: Storage, match_id: int) -> Sequence[str]:
    """Return the names of the players in a match's record and in its competition's table."""
    with storage.reading() as uow:
        match = uow.matches.get(match_id)
        competition = competition_of(uow, match)
        players = (*match.players, *(competition.players if competition else ()))
        return [player.name for player in uow.players.get_all(players)]


def _is_removed(storage: Storage, archive: ArchiveStore, match_id: int) -> bool:
    """Remove the record of a match that was reopened, or whose rules are missing."""
    with storage.reading() as uow:
        match = uow.matches.get(match_id)
    try:
        for name in archive.names(f"{stem(match.id, match.game_key)}."):
            archive.remove(name)
    except OSError as error:
        log.error("record not removed", match=match_id, error=str(error))
        return False
    return True


def _is_written(storage: Storage, archive: ArchiveStore, match_id: int) -> bool:
    """Write a match's record. Return whether that worked."""
    try:
        with storage.reading() as uow:
            files = _record_files(uow, uow.matches.get(match_id))
        for file in files:
            archive.write(file.name, file.data)
    except RecordError:
        log.exception("record not written", match=match_id)
        return False
    except OSError as error:
        log.error("record not written", match=match_id, error=str(error))
        return False
    return True


def _with_tables(storage: Storage, archive: ArchiveStore, matches: Iterable[int]) -> set[int]:
    """Write the tables of some matches' competitions. Return the matches for which that worked.

    A competition without an ended match has no table.
    """
    done, by_competition = set[int](), defaultdict[int, set[int]](set)
    with storage.reading() as uow:
        for match_id in matches:
            place = uow.matches.get(match_id).place
            (done if place is None else by_competition[place.competition]).add(match_id)
    for competition, theirs in by_competition.items():
        with storage.reading() as uow:
            view = standing_of(uow, uow.competitions.get(competition), head=False)
            file = painted_competition(view)
        try:
            if not view.overview.ended:
                archive.remove(file.name)
            elif archive.read(file.name) != file.data:
                archive.write(file.name, file.data)
        except OSError as error:
            log.error("table not written", competition=competition, error=str(error))
            continue
        done |= theirs
    return done


def _record_files(uow: UnitOfWork, match: MatchSummary) -> tuple[ArchiveFile, ...]:
    """Return the files of a record. Raises RecordError if its heads show a change."""
    record = stored_record(uow, match)
    for problem in chain_problems(record):
        raise RecordError(problem.rstrip("."))
    return record_files(record)


def _index_is_written(
    storage: Storage, archive: ArchiveStore, written: Sequence[int], *, whole: bool
) -> bool:
    there = None if whole else archive.read(INDEX)
    with storage.reading() as uow:
        index = gone_on_index(uow, there, written) or whole_index(uow)
    files = [index, schema_file()]
    if all(archive.read(file.name) == file.data for file in files):
        return True
    try:
        archive.write_all(files)
    except OSError as error:
        log.error("index not written", error=str(error))
        return False
    return True


def _mark(storage: Storage, at: datetime | None, matches: Collection[int]) -> None:
    """Note that records were written, or removed, unless that has changed meanwhile."""
    if not matches:
        return
    with storage.writing() as uow:
        still = uow.matches.reopened() if at is None else uow.matches.unarchived()
        for match_id in set(matches) & set(still):
            uow.matches.mark_archived(match_id, at)


@dataclass
class Published:
    """Result of publishing, by file."""

    missing: list[str] = field(default_factory=list)
    """Names of files that were not there."""
    different: list[str] = field(default_factory=list)
    """Names of files that were there but wrong."""
    again: list[str] = field(default_factory=list)
    """Names of files that were right. They are rewritten only if everything is."""
    problems: list[str] = field(default_factory=list)
    """Errors in writing, one sentence each."""


def publish_again(
    storage: Storage,
    archive: ArchiveStore,
    clock: WallClock,
    report: Report = unreported,
    *,
    everything: bool = False,
) -> Published:
    """Write each file of the archive that is missing or wrong, or all files. Reports matches.

    The records of reopened matches are removed.
    """
    with storage.reading() as uow:
        every = [match for match in uow.matches.all() if match.result is not None]
        ended = [match.id for match in every if not match.lacks_rules]
        reopened = uow.matches.reopened()
    removed = [match_id for match_id in reopened if _is_removed(storage, archive, match_id)]
    published, written = Published(), []
    remove_others(storage, archive)
    _are_put(archive, files_of_imported(storage), published, everything)
    for match_id in tracked(ended, report):
        try:
            with storage.reading() as uow:
                files = _record_files(uow, uow.matches.get(match_id))
        except RecordError as error:
            published.problems.append(f"Match {match_id}: its record is not written: {error}.")
            continue
        if _are_put(archive, files, published, everything):
            written.append(match_id)
    if published.problems:
        published.problems.append("The index and all tables are left as they are.")
        return published
    with storage.reading() as uow:
        shared = list(shared_files(uow)) if ended or removed else []
    if _are_put(archive, shared, published, everything):
        _mark(storage, clock.now(), written)
        _mark(storage, None, removed)
    return published


def _are_put(
    archive: ArchiveStore, files: Iterable[ArchiveFile], published: Published, everything: bool
) -> bool:
    """Write files that are not right. Return whether all are now."""
    done = True
    for name, data in files:
        found = archive.read(name)
        fate = published.missing if found is None else published.different
        fate = published.again if found == data else fate
        try:
            if found != data or everything:
                archive.write(name, data)
            fate.append(name)
        except OSError as error:
            published.problems.append(f"{name} cannot be written: {error.strerror or error}.")
            done = False
    return done


def stored_record(uow: UnitOfWork, match: MatchSummary) -> Record:
    """Return the record of a match as stored, with the stored heads. Raises RecordError."""
    actions, happenings = uow.matches.all_recorded(match.id), uow.matches.happenings(match.id)
    everybody = uow.players.get_all(everybody_in(match, happenings))
    names = {player.id: player.name for player in everybody}
    return record_of(match, names, actions, happenings, _recorded(uow, match))


def _recorded(uow: UnitOfWork, match: MatchSummary) -> RecordedCompetition | None:
    competition = competition_of(uow, match)
    if competition is None or match.place is None:
        return None
    return RecordedCompetition(competition.kind, competition.number, match.place.index)


def shared_files(uow: UnitOfWork) -> Iterator[ArchiveFile]:
    """Yield all files that are not records: competitions, index and schemas."""
    competitions, matches = uow.competitions.all(), uow.matches.all()
    for competition in begun((match for match in matches if match.result), competitions):
        yield painted_competition(standing_of(uow, competition, head=False))
    yield whole_index(uow)
    yield schema_file()


def whole_index(uow: UnitOfWork) -> ArchiveFile:
    """Return the index of all matches."""
    matches, competitions = uow.matches.all(), uow.competitions.all()
    return index_file(matches, _names(uow, matches, competitions), competitions)


def _names(
    uow: UnitOfWork, matches: Iterable[MatchSummary], competitions: Iterable[Competition]
) -> Mapping[PlayerId, str]:
    """Return the names of everybody in some matches and competitions."""
    named = {player for match in matches for player in match.players}
    named |= {player for competition in competitions for player in competition.players}
    return {player.id: player.name for player in uow.players.get_all(named)}


def gone_on_index(uow: UnitOfWork, there: bytes | None, ended: Sequence[int]) -> ArchiveFile | None:
    """Add ended matches to the existing index, since a new one for many matches takes seconds.

    Returns None if there is no valid index, or it would not have all of them.
    """
    index = Index.of(there.decode(errors="replace")) if there else None
    if index is None:
        return None
    matches = [uow.matches.get(match_id) for match_id in ended]
    found = (competition_of(uow, match) for match in matches)
    competitions = list({each.id: each for each in found if each is not None}.values())
    index = index.with_matches(matches, _names(uow, matches, competitions), competitions)
    return index.file() if len(index.matches) == uow.matches.count_ended() else None


def painted_competition(view: CompetitionView) -> ArchiveFile:
    """Return the file of a competition."""
    words = of_the_club()
    lines = (
        line
        for match in view.matches
        for line in match_lines(match, painted_match(words, view, match), view.names)
    )
    return competition_file(view.of, painted_file(words, view, "\n".join(lines)))
