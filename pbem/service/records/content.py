"""Archive content: the files that the archive should have, made from what is stored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pbem.archive.competition_file import competition_file, match_lines
from pbem.archive.files import ArchiveFile, schema_files
from pbem.archive.index import Index, begun, index_file
from pbem.mail.outgoing.competition_text import painted_file, painted_match
from pbem.mail.outgoing.competition_view import CompetitionView
from pbem.mail.outgoing.render import of_the_club
from pbem.matches.competition import Competition
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.record import Competition as Recorded, Record, everybody_in, record_of
from pbem.ports.storage import UnitOfWork
from pbem.service.post.views import competition_of, standing_of


def stored_record(uow: UnitOfWork, match: MatchSummary) -> Record:
    """Record of a match as stored, with the heads found there; raises RecordError."""
    actions, happenings = uow.matches.all_recorded(match.id), uow.matches.happenings(match.id)
    names = {player: uow.players.get(player).name for player in everybody_in(match, happenings)}
    return record_of(match, names, actions, happenings, _recorded(uow, match))


def _recorded(uow: UnitOfWork, match: MatchSummary) -> Recorded | None:
    competition = competition_of(uow, match)
    if competition is None or match.place is None:
        return None
    return Recorded(competition.kind, competition.number, match.place.index)


def file_of_competition(uow: UnitOfWork, match: MatchSummary) -> Iterator[ArchiveFile]:
    """The file of what a match belongs to, if it belongs to anything."""
    competition = competition_of(uow, match)
    if competition is not None:
        yield _file(uow, competition)


def shared_files(uow: UnitOfWork) -> Iterator[ArchiveFile]:
    """Whatever is no record of a match: files of competitions, index, schemas."""
    competitions, matches = uow.competitions.all(), uow.matches.all()
    for competition in begun((match for match in matches if match.result), competitions):
        yield _file(uow, competition)
    yield whole_index(uow)
    yield from schema_files()


def whole_index(uow: UnitOfWork) -> ArchiveFile:
    """The index, made of all matches."""
    matches, competitions = uow.matches.all(), uow.competitions.all()
    return index_file(matches, _names(uow, matches, competitions), competitions)


def _names(
    uow: UnitOfWork, matches: Iterable[MatchSummary], competitions: Iterable[Competition]
) -> Mapping[PlayerId, str]:
    """Names of all who play in some matches and competitions."""
    named = {player for match in matches for player in match.players}
    named |= {player for competition in competitions for player in competition.players}
    return {player: uow.players.get(player).name for player in named}


def gone_on_index(uow: UnitOfWork, there: bytes | None, ended: Sequence[int]) -> ArchiveFile | None:
    """The index that is there, with a few matches that have ended; of many one costs seconds.

    None where it cannot be gone on with, as it is none or would not have all of them.
    """
    index = Index.of(there.decode(errors="replace")) if there else None
    if index is None:
        return None
    matches = [uow.matches.get(match_id) for match_id in ended]
    found = (competition_of(uow, match) for match in matches)
    competitions = list({each.id: each for each in found if each is not None}.values())
    index = index.with_matches(matches, _names(uow, matches, competitions), competitions)
    return index.file() if len(index.matches) == uow.matches.count_ended() else None


def _file(uow: UnitOfWork, competition: Competition) -> ArchiveFile:
    return painted_competition(standing_of(uow, competition, head=False))


def painted_competition(view: CompetitionView) -> ArchiveFile:
    """The file of a competition as it stands."""
    words = of_the_club()
    lines = (
        line
        for match in view.matches
        for line in match_lines(match, painted_match(words, view, match), view.names)
    )
    return competition_file(view.of, painted_file(words, view, "\n".join(lines)))
