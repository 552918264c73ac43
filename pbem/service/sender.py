"""Whose mail it is, which match it is about, and what proves it (docs/contracts.md)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from pbem.mail.incoming.addressing import Token, tokens_in
from pbem.mail.incoming.authentication import ProofRule
from pbem.mail.incoming.message import Message
from pbem.mail.incoming.signature import is_all_signed
from pbem.mail.incoming.table import Proof, Rejection
from pbem.matches.match import MatchSummary, Player
from pbem.service.club import Club
from pbem.service.exposure import is_exposed
from pbem.service.ports import StorageError
from pbem.service.signed import by_signature, is_dated, vouched_for
from pbem.service.work import Work


class Sender(NamedTuple):
    """A player's mail: the match it is about, locked, and its proof."""

    player: Player
    match: MatchSummary | None
    proof: Proof | None
    unsigned: bool = False
    """Whether a signature is all that its proof lacks."""
    outdated: bool = False
    """Whether it is signed as it should be, but perhaps a mail of old that was sent again."""


def identify(work: Work, message: Message, player: Player) -> Sender:
    """Match and proof of a player's mail; raises Rejection if it answers two matches at once."""
    rule = _rule_for(work.club, player)
    vouched = vouched_for(work.club, message) if rule.wants_signature else message
    tokens = tokens_in(vouched or message, work.club.address)
    proven = [token for token in tokens if work.club.signer.proves(token, player.id)]
    if len({token.match for token in proven}) > 1:
        raise Rejection("two_matches")
    match = _locked(work, proven[0].match) if proven else None
    if match is None:
        match = _likely_match(work, message, player, tokens)
        if match is None or rule.wants_token or vouched is None or not is_all_signed(vouched):
            return Sender(player, match, None)
        proof = by_signature(work, vouched, match, player)
        return Sender(player, match, proof, outdated=proof is None)
    if vouched is None:
        return Sender(player, match, None, unsigned=True)
    if rule.wants_signature and not is_dated(work.club, vouched):
        return Sender(player, match, None, outdated=True)
    token = max(proven, key=lambda token: token.turn)
    if not rule.wants_signature and is_exposed(work, message, token, player.id):
        return Sender(player, match, None)
    latest = work.outbox.latest_turn(match.id, player.id)
    return Sender(player, match, Proof(token.turn, latest == token.turn))


def _rule_for(club: Club, player: Player) -> ProofRule:
    """What proves a player's mail; no server signs that of a bot."""
    if player.bot:
        return ProofRule.TOKEN
    return ProofRule(player.proof or club.policy.proof)


def _likely_match(
    work: Work, message: Message, player: Player, tokens: Sequence[Token]
) -> MatchSummary | None:
    """Match of an unproven mail: that of its token or subject, else the only one he plays."""
    named = [token.match for token in tokens] + [
        int(number) for number in re.findall(r"\[[^\[\]]{1,40} (\d{1,9})\]", message.subject)
    ]
    playing = [match.id for match in work.matches.of_player(player.id)]
    for match_id in named or playing[: 1 if len(playing) == 1 else 0]:
        if _plays(work, player, match_id):
            return _locked(work, match_id)
    return None


def _plays(work: Work, player: Player, match_id: int) -> bool:
    """Whether a player is in a match; one that a forged subject names is not locked for it."""
    try:
        return player.id in work.matches.get(match_id).players
    except StorageError:
        return False


def _locked(work: Work, match_id: int) -> MatchSummary | None:
    try:
        return work.matches.lock(match_id)
    except StorageError:
        return None
