"""Trust: which of a member's addresses may decide, and which only play for now.

An address that a member adds by email is new for 14 days. Whoever got hold of one email could have
added it, so until then an older address has the say. The first address is never new: an older one,
or the operator, has put it there.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from pbem.matches.match import Player

NEW_FOR = timedelta(days=14)


def trusted(player: Player, now: datetime) -> tuple[str, ...]:
    """Return the addresses that may decide, in the order in which email goes to them."""
    first, *others = player.addresses or ("",)
    return (first, *(each for each in others if new_until(player, each, now) is None))


def new_until(player: Player, address: str, now: datetime) -> datetime | None:
    """Return when an address stops being new; None if it is not, or is not theirs."""
    added = player.added.get(address)
    if added is None or player.addresses[:1] == (address,) or added + NEW_FOR <= now:
        return None
    return added + NEW_FOR


def asked_at(player: Player, now: datetime) -> str | None:
    """Return the address that is asked before they decide anything; None if none accepts email."""
    return next((each for each in trusted(player, now) if each not in player.failed), None)
