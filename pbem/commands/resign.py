"""`resign`: resign the match, once the player confirms. A side of two resigns when both have."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from pbem.commands.api import Command, CommandContext, CommandResult, Need, Section
from pbem.matches.match import PlayerId
from pbem.matches.player_actions import resign
from pbem.service.people import names_in


def _run(asked: CommandContext) -> CommandResult:
    match, own = asked.match, asked.match.side_of(asked.player.id)
    change = resign(match, asked.player.id, asked.now)
    result, resigned = change.match.result, change.match.resigned
    preview = {
        "number": match.id,
        "winners": _names(asked, {match.seats[seat] for seat in result.winners} if result else ()),
        "waits_for": _names(asked, () if result else set(own) - resigned - {asked.player.id}),
    }
    done = CommandResult.changed(change, final=True)
    return replace(done, asks=not asked.player.bot, sections=(Section("resigning", preview),))


def _names(asked: CommandContext, players: Collection[PlayerId]) -> list[str]:
    names = names_in(asked.work, asked.match, asked.player)
    return [names[each] for each in asked.match.players if each in players]


COMMANDS = (Command("resign", "resign the match", _run, need=Need.NEWEST),)
