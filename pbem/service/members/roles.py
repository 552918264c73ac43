"""Roles: who the club's directors are.

Rights belong to a person: an address that a member adds by email gives them none.
"""

from __future__ import annotations

from pbem.matches.match import Player
from pbem.service.club import Club
from pbem.service.work import Work
from pbem.settings import role


def is_director(club: Club, player: Player) -> bool:
    """Whether a member has the role, or joined with the address that the configuration names."""
    own = (each for each in player.addresses if each not in player.added)
    has_address = any(has_directors_address(club, each) for each in own)
    return has_address or role.SETTING.of(player) == role.DIRECTOR


def has_directors_address(club: Club, address: str) -> bool:
    """Whether an address is the one that the configuration names."""
    return bool(club.director) and address.casefold() == club.director.casefold()


def whom_directors_are(work: Work) -> list[Player | str]:
    """All of them, and the address in the configuration where no member has it."""
    members = directors(work)
    addresses = [address for member in members for address in member.addresses]
    if not work.club.director or any(has_directors_address(work.club, a) for a in addresses):
        return [*members]
    return [*members, work.club.director]


def directors(work: Work) -> list[Player]:
    """All members who are."""
    return [each for each in work.players.all() if not each.bot and is_director(work.club, each)]
