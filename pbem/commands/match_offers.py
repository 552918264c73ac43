"""`draw?`, `takeback?`, `abandon?` and their answers: offers that everyone asked must accept."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pbem.commands.api import Command, CommandContext, CommandResult, Need
from pbem.matches.match import OfferKind
from pbem.matches.match_offers import NO_TURNS, Earlier, accept, decline, offer


def _offer(kind: OfferKind, asked: CommandContext) -> CommandResult:
    match, player = asked.match, asked.player.id
    standing = match.offer(kind)
    change = offer(match, kind, player, asked.now, _earlier(kind, asked))
    if not change.events:  # it stands already, which every email says
        return CommandResult.answered("show")
    return CommandResult.changed(change, final=standing is not None and standing.by != player)


def _accept(kind: OfferKind, asked: CommandContext) -> CommandResult:
    change = accept(asked.match, kind, asked.player.id, asked.now, _earlier(kind, asked))
    return CommandResult.changed(change, final=True)


def _decline(kind: OfferKind, asked: CommandContext) -> CommandResult:
    return CommandResult.changed(decline(asked.match, kind, asked.player.id))


def _earlier(kind: OfferKind, asked: CommandContext) -> Earlier:
    """Read what is needed to take a turn back."""
    if kind is not OfferKind.TAKEBACK:
        return NO_TURNS
    matches, standing = asked.work.matches, asked.match.offer(kind)
    accounts = [] if standing is None else matches.accounts_since(asked.match.id, standing.to)
    return Earlier(matches.recorded(asked.match.id), accounts)


def _command(
    word: str,
    summary: str,
    run: Callable[[OfferKind, CommandContext], CommandResult],
    kind: OfferKind,
) -> Command:
    return Command(word, summary, partial(run, kind), need=Need.NEWEST)


COMMANDS = (
    _command("draw?", "offer a draw", _offer, OfferKind.DRAW),
    _command("draw", "accept a draw offer", _accept, OfferKind.DRAW),
    _command("no draw", "decline a draw offer", _decline, OfferKind.DRAW),
    _command("takeback?", "ask to take back your last turn", _offer, OfferKind.TAKEBACK),
    _command("takeback", "agree to take a turn back", _accept, OfferKind.TAKEBACK),
    _command("no takeback", "refuse to take a turn back", _decline, OfferKind.TAKEBACK),
    _command("abandon?", "offer to end the match without a result", _offer, OfferKind.ABANDON),
    _command("abandon", "agree to end the match without a result", _accept, OfferKind.ABANDON),
    _command("no abandon", "refuse to abandon the match", _decline, OfferKind.ABANDON),
)
