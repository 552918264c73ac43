"""Holders: for whom the tokens of a person's emails may have been made."""

from __future__ import annotations

from pbem.mail.stranger import Stranger
from pbem.mail.topic import Holder
from pbem.matches.match import Player


def holders_of(who: Player | Stranger) -> tuple[Holder, ...]:
    """Return the player's number, if they are one, then all their addresses.

    A token that was sent to an address before it was a member's proves them, too.
    """
    own: tuple[Holder, ...] = (who.id,) if isinstance(who, Player) else ()
    return (*own, *who.addresses)
