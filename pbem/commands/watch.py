"""`watch`, `unwatch`: get emails about public matches of others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from pbem.commands.api import (
    Argument,
    Command,
    CommandContext,
    CommandResult,
    HelpGroup,
    Need,
    Scope,
    Section,
)
from pbem.commands.directing_members import starts_with_name
from pbem.commands.match import shown_match
from pbem.games import keys
from pbem.mail.outgoing.kinds.refusals import Refusal, RefusedError, UnknownMatch
from pbem.matches.match import MatchSummary, Player
from pbem.ports.room import Watch, Watched, WatchKind
from pbem.service.club import Public
from pbem.service.offers.options import words_of
from pbem.service.offers.people import near
from pbem.service.play.readable import read_by
from pbem.service.reading_room.reading import RoomReading
from pbem.service.watching import is_watchable, name_of, standing
from pbem.service.work import Work

MOST = 20
"""Things that a member can watch at once."""
MOST_WORDS = 4
"""Maximum number of words in a name. A longer line is prose."""
OUT = "out"
"""`Watch out!` is a note."""
_NUMBER = re.compile(r"#?([0-9]{1,9})", re.ASCII)


class WhyNot(StrEnum):
    """The reason why somebody cannot watch something."""

    UNKNOWN = "unknown"
    """No member whom they may watch has the name, and no game has the key."""
    OWN = "own"
    """It is their own match, or themselves."""
    OVER = "over"
    """The match is over."""
    MOST = "most"
    """They watch as much as they may."""
    NOTHING = "nothing"
    """The club has no reading room."""


@dataclass(frozen=True)
class CannotWatch(Refusal):
    """Something that the sender cannot watch."""

    called: str
    why: WhyNot
    meant: Sequence[str] = ()
    """Suggested lines."""


def _watch(asked: CommandContext) -> CommandResult:
    work, player = asked.work, asked.player
    if not asked.arguments:
        names = [name_of(work, each) for each in standing(work, player.id)]
        return CommandResult.answered("watching", names=names)
    text, room = " ".join(words_of(asked.arguments[0])), work.club.room
    if room is None:
        raise RefusedError(CannotWatch(text, WhyNot.NOTHING))
    match = _match(asked, text)
    watch = _asked_for(asked, text)
    if watch is None:
        meant = [f"watch {each}" for each in near(work, player, text)]
        raise RefusedError(CannotWatch(text, WhyNot.UNKNOWN, meant))
    watched = work.watches.of(player.id)
    already = any((each.kind, each.what) == (watch.kind, watch.what) for each in watched)
    if not already and len(watched) >= MOST:
        raise RefusedError(CannotWatch(text, WhyNot.MOST))
    told = Section(
        "watch",
        {
            "name": name_of(work, watch),
            "kind": str(watch.kind),
            "delay": room.delay,
            "live": match is not None or room.public is Public.LIVE,
        },
    )
    shown = () if match is None else (_shown(work, player, match),)
    write = partial(_write, watch=watch, match=None if match is None else match.id)
    return CommandResult(sections=(told, *shown), effects=(write,))


def _shown(work: Work, player: Player, match: MatchSummary) -> Section:
    return Section("match", {"shown": shown_match(work, player, match)})


def _write(work: Work, watch: Watch, match: int | None) -> None:
    """Store a watch. The answer has just shown its match."""
    work.watches.add(watch)
    if match is not None and work.club.room is not None:
        shown = RoomReading(work.club.room, work).entry(work.matches.get(match)).match
        work.watches.told(Watched(watch.player, match, shown.turn, over=shown.result is not None))


def _match(asked: CommandContext, text: str) -> MatchSummary | None:
    """Return the match that is named by its number, None for no number. Raises RefusedError."""
    if not (named := _NUMBER.fullmatch(text)):
        return None
    match = read_by(asked.work, asked.player, text)
    if asked.player.id in match.players:
        raise RefusedError(CannotWatch(named[1], WhyNot.OWN))
    if not asked.work.club.shows(match):  # only directors may read it
        raise RefusedError(UnknownMatch(match.id))
    if match.result is not None:
        raise RefusedError(CannotWatch(named[1], WhyNot.OVER))
    return match


def _asked_for(asked: CommandContext, text: str) -> Watch | None:
    """Return the watch of a match, a game or a member, None if nothing is called like this.

    A member who is hidden or blocks the sender cannot be told from a name that nobody has.
    """
    named = _named(asked.work, text)
    if named is None:
        return None
    kind, what = named
    if kind is WatchKind.MEMBER:
        member = asked.work.players.get(int(what))
        if member.id == asked.player.id:
            raise RefusedError(CannotWatch(text, WhyNot.OWN))
        if not is_watchable(asked.work, member, asked.player.id):
            return None
    return Watch(asked.player.id, kind, what, asked.done_at)


def _named(work: Work, text: str) -> tuple[WatchKind, str] | None:
    if number := _NUMBER.fullmatch(text):
        return WatchKind.MATCH, str(int(number[1]))
    if text.casefold() in keys():
        return WatchKind.GAME, text.casefold()
    member = work.players.named(text)
    return None if member is None else (WatchKind.MEMBER, str(member.id))


def _unwatch(asked: CommandContext) -> CommandResult:
    """End a watch. The answer is the same if there was none, as the name may be a secret."""
    text = " ".join(words_of(asked.arguments[0]))
    named = _named(asked.work, text)

    def write(work: Work) -> None:
        if named is not None:
            work.watches.remove(asked.player.id, *named)

    return CommandResult(sections=(Section("unwatch", {"name": text}),), effects=(write,))


def _is_watchable(text: str) -> bool:
    """Return whether a text may be a number, a game or a name. "Watch out!" is a note."""
    words = text.casefold().split()
    return len(words) <= MOST_WORDS and starts_with_name(text) and words[0].strip(",!") != OUT


_WHAT = Argument(
    "what",
    rest=True,
    fits=_is_watchable,
    help="the number of a public match, the name of a member, or a game",
)

COMMANDS = (
    Command(
        "watch",
        "get emails about a public match, or about those of a member or a game",
        _watch,
        Scope.CLUB,
        Need.ANY,
        arguments=(
            Argument("what", required=False, rest=True, fits=_is_watchable, help=_WHAT.help),
        ),
        group=HelpGroup.LOOK,
    ),
    Command(
        "unwatch",
        "get no more of these emails",
        _unwatch,
        Scope.CLUB,
        Need.ANY,
        arguments=(_WHAT,),
        group=HelpGroup.LOOK,
    ),
)
