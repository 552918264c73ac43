"""`match`, `record`: a match by its number, and its record, for who plays it or may read it."""

from __future__ import annotations

from pbem.commands.api import Argument, Asked, Command, Done, Group, Scope
from pbem.mail.outgoing.kinds import Section
from pbem.service.play.readable import read_by
from pbem.service.play.show_match import record_of_match, shown_match

NUMBER = Argument("number", number=True, help="the number of a match, such as 12")


def _match(asked: Asked) -> Done:
    match = read_by(asked.work, asked.player, asked.arguments[0])
    section = Section("match", {"shown": shown_match(asked.work, asked.player, match)})
    theirs = asked.player.id in match.players
    return Done(sections=(section,), shown=asked.work.whole(match) if theirs else None)


def _record(asked: Asked) -> Done:
    match = read_by(asked.work, asked.player, asked.arguments[0])
    files = record_of_match(asked.work, asked.player, match)
    told = {"match": match, "names": [file.name for file in files]}
    return Done(sections=(Section("record", told),), attachments=tuple(files))


COMMANDS = (
    Command(
        "match",
        "the board of a match and how it stands: one of yours, or one that everybody may read",
        _match,
        Scope.CLUB,
        arguments=(NUMBER,),
        group=Group.LOOK,
    ),
    Command(
        "record",
        "the record of a match, as files",
        _record,
        Scope.CLUB,
        arguments=(NUMBER,),
        group=Group.LOOK,
    ),
)
