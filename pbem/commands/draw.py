"""`draw?`, `draw`, `no draw`: offer, accept or decline a draw."""

from __future__ import annotations

from pbem.commands.api import Command, CommandContext, CommandResult, Need
from pbem.matches.player_actions import accept_draw, decline_draw, offer_draw


def _offer(asked: CommandContext) -> CommandResult:
    offer = asked.match.offer
    accepts = offer is not None and offer.by != asked.player.id
    return CommandResult.changed(offer_draw(asked.match, asked.player.id, asked.now), final=accepts)


def _accept(asked: CommandContext) -> CommandResult:
    return CommandResult.changed(accept_draw(asked.match, asked.player.id, asked.now), final=True)


def _decline(asked: CommandContext) -> CommandResult:
    return CommandResult.changed(decline_draw(asked.match, asked.player.id))


COMMANDS = (
    Command("draw?", "offer a draw", _offer, need=Need.NEWEST),
    Command("draw", "accept a draw offer", _accept, need=Need.NEWEST),
    Command("no draw", "decline a draw offer", _decline, need=Need.NEWEST),
)
