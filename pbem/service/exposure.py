"""Exposure: what proves a player was mailed to others too, by an answer to all.

An opponent can send the token and the Message-IDs in it in his name. So from then on a mail of the
player counts only by what that one did not show: a mail he got later, or the token of a later turn.
"""

from __future__ import annotations

from pbem.mail.incoming.addressing import Token, is_club_address, tokens_in
from pbem.mail.incoming.mailboxes import addresses
from pbem.mail.incoming.message import Message
from pbem.matches.match import PlayerId
from pbem.service.answered_mail import mails_to
from pbem.service.club import Club
from pbem.service.ports import Exposure, StorageError, UnitOfWork


def is_exposed(uow: UnitOfWork, message: Message, token: Token, player: PlayerId) -> bool:
    """Whether others may know all that proves a mail."""
    exposure = uow.matches.exposure(token.match, player)
    if exposure is None or token.turn > exposure.turn:
        return False
    return all(posted.id <= exposure.mail for posted in mails_to(uow, player, message.references))


def note_exposures(club: Club, uow: UnitOfWork, message: Message) -> None:
    """Notes whose proofs a mail has shown to others, whoever sent it and whatever it is."""
    seen_by = set(addresses(message.headers.all("to", "cc"))) - {message.from_address}
    others = {address for address in seen_by if not is_club_address(address, club.address)}
    if not others:
        return
    for token in tokens_in(message, club.address):
        holder = _holder(club, uow, token)
        if holder is not None and others - _addresses(uow, holder):
            shown = max(
                (posted.id for posted in mails_to(uow, holder, message.references)), default=0
            )
            uow.matches.expose(token.match, holder, Exposure(shown, token.turn))


def _holder(club: Club, uow: UnitOfWork, token: Token) -> PlayerId | None:
    """Whom a token proves, None if it is none of ours."""
    try:
        players = uow.matches.get(token.match).players
    except StorageError:
        return None
    return next((player for player in players if club.signer.proves(token, player)), None)


def _addresses(uow: UnitOfWork, player: PlayerId) -> set[str]:
    return {address.lower() for address in uow.players.get(player).addresses}
