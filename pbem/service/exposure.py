"""Exposure: what proves a player was mailed to others too, as by an answer to all.

An opponent can send the token and the Message-IDs in it in his name. So from then on a mail of the
player counts only by what that one did not show: a mail he got later, or the token of a later turn.
Spending takes a good token, which only its player should have: nobody can spend that of another.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.mail.incoming.address_list import plain_addresses
from pbem.mail.incoming.addressing import Token, is_club_address
from pbem.mail.incoming.message import Message
from pbem.mail.incoming.traces import Traces, traces_in
from pbem.matches.match import PlayerId
from pbem.service.answered_mail import mails_to
from pbem.service.club import Club
from pbem.service.ports import Exposure, StorageError
from pbem.service.work import Work

_SHOWN_TO = ("to", "cc", "bcc", "resent-to", "resent-cc", "resent-bcc", "apparently-to")
"""Fields that tell to whom else a mail went; not where a server notes its own recipient."""
MOST_MATCHES = 20
"""Matches whose tokens are looked for in one mail."""


def is_exposed(work: Work, message: Message, token: Token, player: PlayerId) -> bool:
    """Whether others may know all that proves a mail."""
    exposure = work.matches.exposure(token.match, player)
    if exposure is None or token.turn > exposure.turn:
        return False
    return all(posted.id <= exposure.mail for posted in mails_to(work, player, message.references))


def note_exposures(work: Work, message: Message, raw: bytes, *, by_person: bool) -> None:
    """Notes whose proofs a mail has shown to others, whoever sent it and whatever it is.

    A good token in the mail of a person who is not its player has got out somehow; in that of a
    machine, which returns our mails, only its recipients tell.
    """
    traces = traces_in(raw, message.text)
    readers = _readers(work.club, message)
    author = {message.from_address} if by_person else set()
    for match_id, holder, turn in _proven(work, traces):
        if readers is None or (readers | author) - _addresses(work, holder):
            exposure = Exposure(_newest_shown(work, message, traces, match_id, holder, turn), turn)
            work.matches.expose(match_id, holder, exposure)


def _readers(club: Club, message: Message) -> set[str] | None:
    """Who has got a mail beside the club; None where that is not certain."""
    shown_to = plain_addresses(message.headers.written(*_SHOWN_TO))
    if shown_to is None or message.headers.excess:
        return None
    return {each for each in shown_to if not is_club_address(each, club.address)}


def _proven(work: Work, traces: Traces) -> Iterator[tuple[int, PlayerId, int]]:
    """Match, player and turn of the good tokens, the newest of each player."""
    for match_id in list(dict.fromkeys(token.match for token in traces.tokens))[:MOST_MATCHES]:
        tokens = [token for token in traces.tokens if token.match == match_id]
        for player in _players(work, match_id):
            turns = [token.turn for token in tokens if work.club.signer.proves(token, player)]
            if turns:
                yield match_id, player, max(turns)


def _players(work: Work, match_id: int) -> tuple[PlayerId, ...]:
    try:
        return tuple(work.matches.get(match_id).players)
    except StorageError:
        return ()


def _newest_shown(
    work: Work, message: Message, traces: Traces, match_id: int, player: PlayerId, turn: int
) -> int:
    """Newest of our mails to a player that is shown, at least the first that told the token."""
    told = (*message.in_reply_to, *reversed(message.references), *traces.message_ids)
    thread = work.outbox.thread(match_id, player)
    first = [each for each in thread if each.startswith(f"<{match_id}-{turn}-")][:1]
    shown = mails_to(work, player, dict.fromkeys((*first, *told)))
    return max((posted.id for posted in shown), default=0)


def _addresses(work: Work, player: PlayerId) -> set[str]:
    return {address.lower() for address in work.players.get(player).addresses}
