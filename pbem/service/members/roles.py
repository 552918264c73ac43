"""Roles: who the club's directors are."""

from __future__ import annotations

from pbem.matches.match import Player
from pbem.service.club import Club
from pbem.service.work import Work
from pbem.settings import role


def is_director(club: Club, player: Player) -> bool:
    """Whether a member has the role, or the address that the configuration names."""
    named = club.director.casefold()
    has_address = bool(named) and named in (each.casefold() for each in player.addresses)
    return has_address or role.SETTING.of(player) == role.DIRECTOR


def directors(work: Work) -> list[Player]:
    """All members who are."""
    return [each for each in work.players.all() if not each.bot and is_director(work.club, each)]
