"""Whose mail it is, which match it is about, and what it proves (CONTRACTS, address and token)."""

from __future__ import annotations

import re
from typing import NamedTuple

from pbem.mail.incoming.addressing import Token, tokens_in
from pbem.mail.incoming.authentication import ProofRule, is_signed
from pbem.mail.incoming.message import Message
from pbem.mail.incoming.table import Proof, Rejection
from pbem.matches.match import Match, Player
from pbem.service.club import Club
from pbem.service.exposure import is_exposed
from pbem.service.ports import StorageError, UnitOfWork


class Sender(NamedTuple):
    """A player's mail: the match it is about, locked, and its proof."""

    player: Player
    match: Match | None
    proof: Proof | None
    unsigned: bool = False
    """Whether a signature is all that its proof lacks."""


class _Claim(NamedTuple):
    token: Token
    match: Match
    proven: bool


def identify(club: Club, uow: UnitOfWork, message: Message, player: Player) -> Sender:
    """Match and proof of a player's mail; raises Rejection if it answers two matches at once."""
    rule = ProofRule(player.proof or club.policy.proof)
    signed = not rule.wants_signature or is_signed(message, club.policy.trusted_hosts)
    claims = [
        claim
        for token in tokens_in(message, club.address)
        if (claim := _claim(club, uow, token, player))
    ]
    proven = [claim for claim in claims if claim.proven]
    if len({claim.match.id for claim in proven}) > 1:
        raise Rejection("two_matches")
    if proven and not rule.wants_signature and is_exposed(uow, message, player, proven[0].match):
        return Sender(player, uow.matches.lock(proven[0].match.id), None)
    if proven:
        return _by_token(uow, player, max(proven, key=lambda claim: claim.token.turn), signed)
    match = _likely_match(uow, message, player, claims)
    if match is None or rule.wants_token or not signed:
        return Sender(player, match, None)
    return Sender(player, match, Proof(match.turn, latest=True, token=False))


def _by_token(uow: UnitOfWork, player: Player, claim: _Claim, signed: bool) -> Sender:
    match = uow.matches.lock(claim.match.id)
    if not signed:
        return Sender(player, match, None, unsigned=True)
    latest = uow.outbox.latest_turn(match.id, player.id)
    return Sender(player, match, Proof(claim.token.turn, latest == claim.token.turn))


def _claim(club: Club, uow: UnitOfWork, token: Token, player: Player) -> _Claim | None:
    """A token that names a match of the player; proven if it is his own."""
    try:
        match = uow.matches.get(token.match)
    except StorageError:
        return None
    seats = {seat.casefold(): holder for seat, holder in match.seats.items()}
    if player.id not in match.players:
        return None
    own = seats.get(token.seat.casefold()) == player.id
    return _Claim(token, match, own and club.signer.proves(token, player.id))


def _likely_match(
    uow: UnitOfWork, message: Message, player: Player, claims: list[_Claim]
) -> Match | None:
    """Match of an unproven mail: that of its token or subject, else the only one he plays."""
    named = [claim.match.id for claim in claims] + [
        int(number) for number in re.findall(r"\[[^\[\]]{1,40} (\d{1,9})\]", message.subject)
    ]
    playing = [match.id for match in uow.matches.of_player(player.id)]
    for match_id in named or playing[: 1 if len(playing) == 1 else 0]:
        try:
            match = uow.matches.get(match_id)
        except StorageError:
            continue
        if player.id in match.players:
            return uow.matches.lock(match_id)
    return None
