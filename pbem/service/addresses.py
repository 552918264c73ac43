"""Addresses: which ones of a player accept mail, and his clock, which stands while none does."""

from __future__ import annotations

from collections.abc import Sequence

import structlog

from pbem.matches.match import Match, Player
from pbem.service.club import Club
from pbem.service.heartbeat import counted
from pbem.service.notify import tell_again
from pbem.service.ports import UnitOfWork
from pbem.service.post import send_again, tell_director

log = structlog.get_logger(__name__)


def address_fails(club: Club, uow: UnitOfWork, player: Player, address: str, why: str) -> Player:
    """An address accepts no mail, which the director hears; returns the player as he is then."""
    uow.players.address_failed(address, club.clock.now(), why)
    after = uow.players.get(player.id)
    log.warning("address accepts no mail", player=player.id, why=why, others=after.reachable)
    stopped = [] if after.reachable else _stop(club, uow, after)
    if after.reachable:
        subject = f"no mail goes to {address}"
    else:
        subject = f"no mail reaches {player.name}"
    tell_director(
        club,
        uow,
        "director_address",
        subject,
        {"player": after, "address": address, "why": why, "matches": stopped},
    )
    return after


def address_works(
    club: Club, uow: UnitOfWork, player: Player, address: str, answered: int | None = None
) -> None:
    """A proven mail of a player came from an address, so that works, whatever came back before.

    The turn that it answers is not told him again.
    """
    if address.casefold() in {each.casefold() for each in player.failed}:
        accept(club, uow, player, address, answered)


def accept(
    club: Club, uow: UnitOfWork, player: Player, address: str, answered: int | None = None
) -> None:
    """An address accepts mail again; raises StorageError if nobody has it."""
    uow.players.address_works(address, club.clock.now())
    _go_on_if_reached(club, uow, player, uow.players.get(player.id), answered)


def change_addresses(
    club: Club, uow: UnitOfWork, player: Player, addresses: Sequence[str]
) -> Player:
    """Gives a player other addresses; raises StorageError if one is taken."""
    after = uow.players.set_addresses(player.id, addresses)
    if player.reachable and not after.reachable:
        _stop(club, uow, after)
    _go_on_if_reached(club, uow, player, after, None)
    return after


def _stop(club: Club, uow: UnitOfWork, player: Player) -> list[Match]:
    """Stops his clocks; returns the matches where he is to act."""
    asked = _asked(uow, player)
    uow.deadlines.stop([match.id for match in asked], counted(uow, club.clock.now()))
    return asked


def _go_on_if_reached(
    club: Club, uow: UnitOfWork, before: Player, after: Player, answered: int | None
) -> None:
    """Once a player can be reached again his clocks go on, and he gets what he missed."""
    if before.reachable or not after.reachable:
        return
    asked = _asked(uow, after)
    uow.deadlines.go_on([match.id for match in asked], counted(uow, club.clock.now()))
    _send_what_he_missed(club, uow, after, answered)
    tell_director(
        club,
        uow,
        "director_reached",
        f"{after.name} can be reached again",
        {"player": after, "matches": asked},
    )


def _asked(uow: UnitOfWork, player: Player) -> list[Match]:
    return [match for match in uow.matches.of_player(player.id) if match.player_to_act == player.id]


def _send_what_he_missed(club: Club, uow: UnitOfWork, player: Player, answered: int | None) -> None:
    """His turns as they stand, and of other matches the newest mail if that has not arrived."""
    for match in uow.matches.of_player(player.id, playing=False):
        latest = uow.outbox.latest(match.id, player.id)
        if match.player_to_act == player.id:
            if match.id != answered:
                tell_again(club, uow, match, player, "Mail reaches you again; your clock goes on.")
        elif latest is not None and latest.failed:
            send_again(club, uow, latest.mail, player)
