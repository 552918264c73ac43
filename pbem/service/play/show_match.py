"""Show match: a match by its number, to a member who plays it, or who may read it as everybody may.

Who does not play it sees what the reading room shows: with other names for those who hide, behind
by its delay, and without what only players need.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.archive.files import ArchiveFile, record_files
from pbem.archive.site.values import MatchPage
from pbem.mail.outgoing.letter import Attachment
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.shown_match import ShownMatch
from pbem.mail.refusals import NoRecord, Refused
from pbem.matches.match import Match, MatchSummary, Player, position_of
from pbem.matches.record import Record, RecordError
from pbem.matches.trails import trails
from pbem.service.post.views import view_of
from pbem.service.records.content import stored_record
from pbem.service.room.reading import Reading
from pbem.service.work import Work

TYPES = {".txt": "text/plain", ".json": "application/json"}
"""Of the files of a record, by the ends of their names."""


def shown_match(work: Work, reader: Player, match: MatchSummary) -> ShownMatch:
    """A match that its reader may read."""
    if reader.id in match.players:
        return _of_player(view_of(work, work.whole(match), reader))
    return _of_reader(_page(work, match), work, reader)


def _of_player(view: MatchView) -> ShownMatch:
    return ShownMatch(
        view.match, view.names, view.board_diagram, view.words, view.due, view.time, view.pending
    )


def _of_reader(page: MatchPage, work: Work, reader: Player) -> ShownMatch:
    match, actions = page.entry.match, page.actions
    whole = Match.of(match, position_of(match, actions))
    drawn = match.game.diagram(whole.position, next(iter(match.seats)))
    return ShownMatch(
        match=match,
        names={player: person.name for player, person in page.entry.people.items()},
        drawn=replace(drawn, trails=trails(match.game, actions, match.seats)),
        words=work.club.club_renderer.words,
        delayed=page.delayed,
    )


def _page(work: Work, match: MatchSummary) -> MatchPage:
    assert work.club.room is not None, "without a reading room only players may read a match"
    return Reading(work.club.room, work).match_page(match)


def record_of_match(work: Work, reader: Player, match: MatchSummary) -> Sequence[Attachment]:
    """Text and JSON of a match that its reader may read; raises Refused where there is none."""
    try:
        return [_attached(file) for file in record_files(_record(work, reader, match))]
    except RecordError as error:
        raise Refused(NoRecord(match.id)) from error


def _record(work: Work, reader: Player, match: MatchSummary) -> Record:
    if reader.id in match.players:
        return stored_record(work, match)
    record = _page(work, match).record
    if record is None:
        raise RecordError("somebody in it is hidden")
    return record


def _attached(file: ArchiveFile) -> Attachment:
    return Attachment(file.name, TYPES[f".{file.name.rpartition('.')[2]}"], file.data.decode())
