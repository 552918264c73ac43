"""Trust: whether a proof was seen at trusted addresses of its player alone."""

from __future__ import annotations

from pbem.inbox.proof.sender import AnySender
from pbem.matches.match import Player
from pbem.service.members.trust import trusted
from pbem.service.work import Work


def is_trusted(work: Work, sender: AnySender, written_from: str) -> bool:
    """Return whether a proof may decide: an address that is new, or gone, never had it.

    A signature is trusted by the address it was made for.
    """
    who, proof = sender.who, sender.proof
    if proof is None or not isinstance(who, Player) or who.bot:
        return True
    if proof.token and not proof.sent_to:
        had = {*work.outbox.sent_to(proof.topic.key, who.id, proof.turn)}
    else:
        had = {proof.sent_to or written_from}
    may = {each.casefold() for each in trusted(who, work.now)}
    return may.issuperset(each.casefold() for each in had)
