"""`block`, `mute` and their opposites: people a player does not want to play with, or to read."""

from __future__ import annotations

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
from pbem.commands.api.offering import refusals
from pbem.mail.outgoing.kinds.refusals import NotInMatch, RefusedError, WhichMatch
from pbem.matches.match import MatchSummary, Player, PlayerId
from pbem.ports.people import Mute
from pbem.service.offers.options import words_of
from pbem.service.offers.people import blocked_by, someone
from pbem.service.people import names_in
from pbem.service.play.readable import played_by
from pbem.service.play.talk import called_in
from pbem.service.work import Work

MOST_WORDS = 4
"""Maximum number of words in a name. A longer line is prose."""


def _block(asked: CommandContext, *, blocks: bool) -> CommandResult:
    name = " ".join(words_of(asked.arguments[0]))
    with refusals(asked, "block" if blocks else "unblock"):
        other = someone(asked.work, asked.player, name)
    told = Section("block", {"other": other.name, "blocks": blocks})

    def write(work: Work) -> None:
        (work.blocks.add if blocks else work.blocks.remove)(asked.player.id, other.id)

    return CommandResult(sections=(told,), effects=(write,))


def _mute(asked: CommandContext, *, mutes: bool) -> CommandResult:
    work, player = asked.work, asked.player
    with refusals(asked, "mute" if mutes else "unmute"):
        other, match = _whom(asked)
    mute = Mute(other, match.id if match else None)
    called = _name(work, player, other, match)
    told = Section("mute", {"other": called, "mutes": mutes, "match": mute.match_id})

    def write(work: Work) -> None:
        if mutes:
            work.mutes.add(player.id, mute)
            return
        for each in _lifted(work, player, mute):
            work.mutes.remove(player.id, each)

    return CommandResult(sections=(told,), effects=(write,))


def _whom(asked: CommandContext) -> tuple[PlayerId, MatchSummary | None]:
    """Return a player, and the match if only that is meant: `12 bert`, `bert here`, a blind one.

    Raises OfferError for an unknown member, RefusedError for somebody who does not play there.
    """
    work, player, words = asked.work, asked.player, words_of(asked.arguments[0])
    match: MatchSummary | None = asked.about
    only = len(words) > 1 and words[-1].casefold() == HERE
    if only:
        words = words[:-1]
    elif len(words) > 1 and words[0].lstrip("#").isdecimal():
        match, only, words = played_by(work, player, words[0]), True, words[1:]
    name = " ".join(words)
    if only and match is None:
        raise RefusedError(WhichMatch())
    other = None if match is None else called_in(work, match, player).get(name.casefold())
    if match is not None and (other == player.id or (only and other is None)):
        names = names_in(work, match, player)
        raise RefusedError(NotInMatch(name, tuple(match.seats), tuple(names.values())))
    if match is None or other is None:
        return someone(work, player, name).id, None
    return other, match if only or match.hides_names else None


def _lifted(work: Work, player: Player, mute: Mute) -> list[Mute]:
    """Return the mutes to lift. A blind match keeps its own, which would show who has the seat."""
    if mute.match_id is not None:
        return [mute]
    return [
        each
        for each in work.mutes.of(player.id)
        if each.muted == mute.muted
        and (each.match_id is None or not work.matches.get(each.match_id).hides_names)
    ]


def _name(work: Work, player: Player, muted: PlayerId, match: MatchSummary | None) -> str:
    """Return what a player calls somebody whom they mute."""
    if match is None:
        return work.players.get(muted).name
    return names_in(work, match, player, also=(muted,))[muted]


def _blocked(asked: CommandContext) -> CommandResult:
    work, player = asked.work, asked.player
    muted = [
        (_name(work, player, each.muted, match), each.match_id)
        for each in work.mutes.of(player.id)
        for match in [None if each.match_id is None else work.matches.get(each.match_id)]
    ]
    return CommandResult.answered("blocked", names=blocked_by(work, player), muted=muted)


def _is_name(text: str) -> bool:
    return len(text.split()) <= MOST_WORDS


_NAME = Argument("name", rest=True, fits=_is_name, help="the name of a member")

HERE = "here"
_PLAYER = Argument(
    "player",
    rest=True,
    fits=_is_name,
    help="a member; for one match only, bert here in an email about it, or 12 bert",
)

COMMANDS = (
    Command(
        "block",
        "stop a member from challenging you, joining your tables or sending you notes",
        partial(_block, blocks=True),
        Scope.CLUB,
        Need.RECENT,
        arguments=(_NAME,),
        group=HelpGroup.FIND,
    ),
    Command(
        "unblock",
        "lift a block",
        partial(_block, blocks=False),
        Scope.CLUB,
        Need.RECENT,
        arguments=(_NAME,),
        group=HelpGroup.FIND,
    ),
    Command(
        "mute",
        "stop getting what a player says, everywhere or in one match",
        partial(_mute, mutes=True),
        Scope.EITHER,
        Need.ANY,
        arguments=(_PLAYER,),
        group=HelpGroup.FIND,
    ),
    Command(
        "unmute",
        "get what a player says again",
        partial(_mute, mutes=False),
        Scope.EITHER,
        Need.ANY,
        arguments=(_PLAYER,),
        group=HelpGroup.FIND,
    ),
    Command(
        "blocked", "list the members you block or mute", _blocked, Scope.CLUB, group=HelpGroup.FIND
    ),
)
