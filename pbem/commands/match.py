"""`match`, `record`: show a match or send its record or book, if the reader may read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.archive.files import record_files
from pbem.archive.site.book import book_files
from pbem.archive.site.values import MatchPage
from pbem.commands.api import Argument, Command, CommandContext, CommandResult, HelpGroup, Scope
from pbem.mail.outgoing.kinds import Section
from pbem.mail.outgoing.kinds.refusals import BookTooLarge, NoRecord, RefusedError, WhichMatch
from pbem.mail.outgoing.letter import Attachment
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.shown_match import ShownMatch
from pbem.mail.outgoing.time_view import due, time_view
from pbem.matches.match import Match, MatchSummary, Player
from pbem.matches.record import Record, RecordError
from pbem.service.clocks.schedule import wide_pauses
from pbem.service.play.readable import directs, read_by, turn_link
from pbem.service.play.talk import memos_of
from pbem.service.post.attaching import attached
from pbem.service.post.post import view_of
from pbem.service.reading_room.reading import RoomReading, page_for_players
from pbem.service.reading_room.shown import shown_now, shown_to_readers
from pbem.service.records.publish import stored_record
from pbem.service.watching import watchers_of
from pbem.service.work import Work

NUMBER = Argument("number", number=True, help="the number of a match, such as 12")
BOOK = "book"
_BOOK = Argument(
    "book",
    required=False,
    among=lambda: (BOOK,),
    help='the word "book", for its turns with boards, notes and times',
)
MOST_BYTES = 5_000_000
"""Largest book that is sent. Many providers refuse emails of 10 MB, and base64 adds a third."""
_THIS_OR_NUMBER = replace(NUMBER, required=False, help="a match, if not the one of the email")


def _match(asked: CommandContext) -> CommandResult:
    match = read_by(asked.work, asked.player, asked.arguments[0])
    section = Section("match", {"shown": shown_match(asked.work, asked.player, match)})
    theirs = asked.player.id in match.players
    return CommandResult(sections=(section,), shown=asked.work.whole(match) if theirs else None)


def _record(asked: CommandContext) -> CommandResult:
    number, book = (*asked.arguments, "", "")[:2]
    if not number and asked.about is None:
        raise RefusedError(WhichMatch())
    match = asked.about if not number else read_by(asked.work, asked.player, number)
    assert match is not None
    if book:
        return _book(asked, match)
    files = record_of_match(asked.work, asked.player, match)
    memos = memos_of(asked.work, asked.player.id, match.id) if match.result is not None else ()
    told = {"match": match, "names": [file.name for file in files], "memos": memos}
    return CommandResult(sections=(Section("record", told),), attachments=tuple(files))


def _book(asked: CommandContext, match: MatchSummary) -> CommandResult:
    files = [*book_files(_book_page(asked.work, asked.player, match), asked.work.club.name)]
    if sum(len(file.data) for file in files) > MOST_BYTES:
        raise RefusedError(BookTooLarge(match.id, turn_link(asked.work, match, 0)))
    section = Section("book", {"match": match, "names": [file.name for file in files]})
    return CommandResult(sections=(section,), attachments=tuple(map(attached, files)))


def _book_page(work: Work, reader: Player, match: MatchSummary) -> MatchPage:
    """Return what a reader may see of a match. Notes are those that everybody may read."""
    if reader.id in match.players or directs(work, reader, match):
        return page_for_players(work, match, reader)
    return _page(work, match)


COMMANDS = (
    Command(
        "match",
        "show any of your matches, or a public one: its board and state",
        _match,
        Scope.CLUB,
        arguments=(NUMBER,),
        group=HelpGroup.LOOK,
    ),
    Command(
        "record",
        "get the record of a match as files, or its book to read and print",
        _record,
        Scope.CLUB,
        arguments=(_THIS_OR_NUMBER, _BOOK),
        group=HelpGroup.LOOK,
    ),
)


def shown_match(work: Work, reader: Player, match: MatchSummary) -> ShownMatch:
    """Return a match as shown to somebody who may read it."""
    if reader.id in match.players:
        shown = _of_player(view_of(work, work.whole(match), reader))
        return replace(shown, watching=watchers_of(work, match))
    if directs(work, reader, match):
        return _of_director(work, reader, work.whole(match))
    return shown_to_readers(work, _page(work, match))


def _of_player(view: MatchView) -> ShownMatch:
    return ShownMatch(
        view.match, view.names, view.board_diagram, view.words, view.due, view.time, view.pending
    )


def _of_director(work: Work, reader: Player, match: Match) -> ShownMatch:
    """Return a match as it is now, with its players' names and clocks."""
    people = [work.players.get(each) for each in match.players]
    names = {player.id: player.name for player in people}
    shown = shown_now(work, match, names, work.matches.recorded(match.id))
    if match.result is not None:
        return shown
    gone = [each.id for each in people if each.bot or match.has_resigned(each.id)]
    due_at, wide = match.clock.flag_at, wide_pauses(work, match)
    return replace(
        shown,
        due=due(due_at, reader.time_zone, work.now) if due_at else None,
        time=time_view(match, reader, names, work.now, without=gone, wide=wide),
    )


def _page(work: Work, match: MatchSummary) -> MatchPage:
    assert work.club.room is not None, "without a reading room only players and directors may read"
    return RoomReading(work.club.room, work).match_page(match)


def record_of_match(work: Work, reader: Player, match: MatchSummary) -> Sequence[Attachment]:
    """Return a match's record as text and JSON files. Raises RefusedError if there is none."""
    try:
        return [attached(file) for file in record_files(_record_shown(work, reader, match))]
    except RecordError as error:
        raise RefusedError(NoRecord(match.id)) from error


def _record_shown(work: Work, reader: Player, match: MatchSummary) -> Record:
    directing = directs(work, reader, match)
    if match.hides_names and not directing:
        raise RecordError("its names are hidden until the end")
    if directing or reader.id in match.players:
        return stored_record(work, match)
    record = _page(work, match).record
    if record is None:
        raise RecordError("somebody in it is hidden")
    return record
