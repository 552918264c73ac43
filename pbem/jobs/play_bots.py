"""Play bots: the matches in which a bot is to act, answered by mail like anybody's.

The mail is recorded as if it had been fetched from a folder, and told by its match and how long the
history was, so that neither a crash nor another worker makes it come twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

import structlog

from pbem.inbox.pending import process_pending
from pbem.mail.addresses.addressing import reply_address
from pbem.mail.topic import MatchTopic
from pbem.matches.bots import BOTS, answer
from pbem.matches.match import MatchSummary, Player
from pbem.service.club import Club
from pbem.service.ports import (
    FROM_BOTS,
    MailboxState,
    ReceivedMail,
    StorageUnavailable,
)
from pbem.service.receive import receive
from pbem.service.work import Work, reading, writing

log = structlog.get_logger(__name__)

MOST_ANSWERS = 40
"""Answers of one run, about: bots that play each other do not keep the club from its people."""


def play_bots(club: Club, stopping: Callable[[], bool] = lambda: False) -> int:
    """Answers for bots and carries it out until none is to act, or many are; returns how many."""
    answered = 0
    while answered < MOST_ANSWERS and not stopping():
        recorded = record_answers(club, stopping)
        if not recorded:
            break
        answered += recorded
        process_pending(club, stopping)
    return answered


def record_answers(club: Club, stopping: Callable[[], bool] = lambda: False) -> int:
    """Records an answer in every match where a bot is to act and has not; returns how many."""
    with reading(club) as work:
        waiting = list(_to_answer(work))
    recorded = 0
    for bot, match in waiting:
        if stopping():
            break
        try:
            recorded += _record(club, bot, match)
        except StorageUnavailable:
            raise
        except Exception:  # one match that cannot be played must not stop the others
            log.exception("bot has no answer", match=match.id)
    return recorded


def _to_answer(work: Work) -> Iterator[tuple[Player, MatchSummary]]:
    for bot in work.players.bots():
        for match in work.matches.of_player(bot.id):
            if match.player_to_act == bot.id and not work.inbound.known(
                _state(match), [match.entries]
            ):
                yield bot, match


def _state(match: MatchSummary) -> MailboxState:
    return MailboxState(FROM_BOTS, match.id)


def _record(club: Club, bot: Player, match: MatchSummary) -> bool:
    with reading(club) as work:
        position = work.whole(match).position
    texts = answer(match.game, position, BOTS[bot.bot], club.chance)
    raw, now = _letter(club, bot, match, texts), club.clock.now()
    mail = ReceivedMail(*_state(match), match.entries, now, raw)
    with writing(club) as work:
        return receive(work, mail) is not None


def _letter(club: Club, bot: Player, match: MatchSummary, texts: list[str]) -> bytes:
    """What the bot sends, one action a line (RFC 5322)."""
    token = club.signer.token(
        MatchTopic(match.id, match.token_turn, match.seat_for(bot.id)), bot.id
    )
    message = EmailMessage()
    message["From"] = f"{bot.name} <{bot.address}>"
    message["To"] = reply_address(club.address, token)
    message["Subject"] = f"[{club.name} {match.id}]"
    message["Date"] = format_datetime(club.clock.now())
    message["Message-ID"] = f"<{club.unique()}@bots.{club.host}>"  # not of the form of our own mail
    message.set_content("\n".join(texts) + "\n")
    return message.as_bytes(policy=SMTP)
