"""Exposure: what proves a player has been mailed to others too, by an answer to all.

His mails up to then prove nothing any more: an opponent can send their addresses and Message-IDs in
his name. The answer to that very mail, and all later ones, are known to him alone.
"""

from __future__ import annotations

from pbem.mail.incoming.addressing import is_club_address
from pbem.mail.incoming.mailboxes import addresses
from pbem.mail.incoming.message import Message
from pbem.matches.match import Match, Player
from pbem.service.club import Club
from pbem.service.ports import UnitOfWork

MOST_LOOKED_UP = 30
"""Message-IDs looked up for one mail."""


def is_exposed(uow: UnitOfWork, message: Message, player: Player, match: Match) -> bool:
    """Whether others may know all that proves a mail."""
    until = uow.matches.exposed_until(match.id, player.id)
    if not until:
        return False
    answered = (uow.outbox.by_message_id(each) for each in message.references[:MOST_LOOKED_UP])
    his = (posted for posted in answered if posted and posted.mail.player == player.id)
    return all(posted.id <= until for posted in his)


def note_exposure(
    club: Club, uow: UnitOfWork, message: Message, player: Player, match: Match
) -> None:
    """Notes that a proven mail of a player went to others too, if it did."""
    if not _others(club, message, player):
        return
    newest = uow.outbox.latest(match.id, player.id)
    if newest is not None:
        uow.matches.expose(match.id, player.id, newest.id)


def _others(club: Club, message: Message, player: Player) -> set[str]:
    """Whom a mail was openly sent to beside the club and himself."""
    own = {address.casefold() for address in player.addresses}
    everybody = set(addresses(message.headers.all("to", "cc"))) - own
    return {each for each in everybody if not is_club_address(each, club.address)}
