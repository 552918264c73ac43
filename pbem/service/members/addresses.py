"""Addresses: which of a player's accept mail, and their clock, which is paused while none does."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import structlog

from pbem.mail.outgoing.kinds import DirectorAddress, DirectorReached
from pbem.mail.topic import match_key
from pbem.matches.clock import PauseReason
from pbem.matches.event import ReachedAgain
from pbem.matches.match import MatchSummary, Player
from pbem.service.clocks.change import change_of_player
from pbem.service.members.rename import remember
from pbem.service.play.heartbeat import counted
from pbem.service.play.notices import News, tell_players
from pbem.service.post.post import send_again, tell_director
from pbem.service.work import Work

log = structlog.get_logger(__name__)


def address_fails(work: Work, player: Player, address: str, why: str) -> Player:
    """An address accepts no mail, which the director hears; returns the player as of then."""
    work.players.address_failed(address, work.now, why)
    after = work.players.get(player.id)
    log.warning("address accepts no mail", player=player.id, why=why, others=after.reachable)
    stopped = [] if after.reachable else _stop(work, after)
    tell_director(work, DirectorAddress(after, address, why, [match.id for match in stopped]))
    return after


def address_works(work: Work, player: Player, address: str, answered: int | None = None) -> bool:
    """A proven mail of a player came from an address, so that works, whatever came back before.

    The turn that it answers is not told again. Returns whether it had failed.
    """
    failed = address.casefold() in {each.casefold() for each in player.failed}
    if failed:
        accept(work, player, address, answered)
    return failed


def accept(work: Work, player: Player, address: str, answered: int | None = None) -> None:
    """An address accepts mail again; raises StorageError if nobody has it."""
    work.players.address_works(address, work.now)
    _go_on_if_reached(work, player, work.players.get(player.id), answered)


def change_addresses(
    work: Work, player: Player, addresses: Sequence[str], added_at: datetime | None = None
) -> Player:
    """Gives a player other addresses; raises StorageError if one is taken.

    `added_at` is when they added the new ones by email; None at the operator's word.
    """
    after = work.players.set_addresses(player.id, addresses, added_at)
    remember(work, player, after)
    if player.reachable and not after.reachable:
        _stop(work, after)
    _go_on_if_reached(work, player, after, None)
    return after


def _stop(work: Work, player: Player) -> list[MatchSummary]:
    """Pauses their clocks; returns the matches where they are to act."""
    at = counted(work, work.now)
    return change_of_player(
        work, player.id, lambda match: match.clock.pause(PauseReason.UNREACHABLE, at)
    )


def _go_on_if_reached(work: Work, before: Player, after: Player, answered: int | None) -> None:
    """Once a player can be reached again their clocks go on, and they get what they missed."""
    if before.reachable or not after.reachable:
        return
    at = counted(work, work.now)
    asked = change_of_player(
        work, after.id, lambda match: match.clock.resume(PauseReason.UNREACHABLE, at)
    )
    _send_what_was_missed(work, after, answered)
    tell_director(work, DirectorReached(after, [match.id for match in asked]))


def _send_what_was_missed(work: Work, player: Player, answered: int | None) -> None:
    """Their turns as they stand, and of other matches the newest mail if that has not arrived."""
    for match in work.matches.of_player(player.id, playing=False):
        latest = work.outbox.latest(match_key(match.id), player.id)
        if match.player_to_act == player.id:
            if match.id != answered:
                tell_players(work, News(work.whole(match), (ReachedAgain(player.id),)))
        elif latest is not None and latest.failed:
            send_again(work, latest.mail, player)
