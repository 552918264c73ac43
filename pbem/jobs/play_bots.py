"""Play bots: bots answer by email like everybody else.

Each answer is recorded as if fetched from a folder, and identified by its match and the length of
its history. So neither a crash nor another worker can record it twice. Bots think outside any
transaction and stop at once when told to. They rethink answers that were not recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from pbem.inbox.pending import process_pending
from pbem.log import get_logger
from pbem.mail.addresses.addressing import reply_address
from pbem.mail.topic import MatchTopic
from pbem.matches.bots import Interrupted, Thinking, answer, bots, is_asked
from pbem.matches.match import MatchSummary, Player
from pbem.ports.inbound import FROM_BOTS, MailboxState, ReceivedMail
from pbem.ports.process import StorageUnavailable
from pbem.service.club import Club
from pbem.service.receive import receive
from pbem.service.work import Work, reading, writing

log = get_logger(__name__)

MOST_ANSWERS = 40
"""Rough limit on the answers of one run, so that bots playing each other don't keep the club from
its people.
"""
FORGOTTEN = timedelta(minutes=1)
"""After this long, a bot to act has no job, or one that is still queued."""
Stopping = Callable[[], bool]
Asked = tuple[Player, MatchSummary]
"""A bot, and the match in which it has to answer."""


def play_bots(club: Club, stopping: Stopping = lambda: False) -> int:
    """Record and process bots' answers until none is due or many are done. Return how many.

    Before each match, everything that waits is processed, since people come first.
    """
    answered = 0
    while answered < MOST_ANSWERS and not stopping():
        with reading(club) as work:
            asked = [match.id for _, match in _asked(work)]
        recorded = 0
        for match_id in dict.fromkeys(asked):
            process_pending(club, stopping)
            recorded += record_answers_in(club, match_id, stopping)
        process_pending(club, stopping)
        if not recorded:
            break
        answered += recorded
    return answered


def record_answers(club: Club, stopping: Stopping = lambda: False) -> int:
    """Record an answer in every match in which a bot has to. Return how many."""
    with reading(club) as work:
        asked = list(_asked(work))
    return _recorded(club, asked, stopping)


def record_answers_in(club: Club, match_id: int, stopping: Stopping) -> int:
    """Record the bots' answers that are due in one match. Return how many."""
    with reading(club) as work:
        match = work.matches.get(match_id)
        players = map(work.players.get, match.players)
        asked = [(each, match) for each in players if each.bot and _is_to_answer(work, each, match)]
    return _recorded(club, asked, stopping)


def put_bots_into_line(club: Club) -> None:
    """Queue matches in which a bot has been to act for a while, up to a limit."""
    with reading(club) as work:
        since = work.now - FORGOTTEN
        asked = [match for _, match in _asked(work) if (match.turn_started_at or since) <= since]
    with writing(club) as work:
        for match in asked[:MOST_ANSWERS]:
            work.jobs.enqueue("bots", match.id)


def _asked(work: Work) -> Iterator[Asked]:
    for bot in work.players.bots():
        for match in work.matches.of_player(bot.id):
            if _is_to_answer(work, bot, match):
                yield bot, match


def _is_to_answer(work: Work, bot: Player, match: MatchSummary) -> bool:
    """Return whether a bot has to answer and no answer is recorded yet."""
    if match.lacks_rules:
        return False
    return is_asked(match, bot.id) and not work.inbound.known(_state(match), [match.entries])


def _recorded(club: Club, asked: Iterable[Asked], stopping: Stopping) -> int:
    """Record bots' answers. Return how many were new."""
    recorded = 0
    for bot, match in asked:
        if stopping():
            break
        try:
            recorded += _record(club, bot, match, stopping)
        except StorageUnavailable:
            raise
        except Interrupted:
            break
        except Exception:  # one match that cannot be played must not stop the others
            log.exception("bot has no answer", match=match.id)
    return recorded


def _state(match: MatchSummary) -> MailboxState:
    return MailboxState(FROM_BOTS, match.id)


def _record(club: Club, bot: Player, match: MatchSummary, stopping: Stopping) -> bool:
    with reading(club) as work:
        whole = work.whole(match)
    lines = answer(whole, bot.id, bots()[bot.bot], Thinking(club.chance, stopping))
    if not lines:
        return False
    raw, now = _letter(club, bot, match, lines), club.clock.now()
    mail = ReceivedMail(*_state(match), match.entries, now, raw)
    with writing(club) as work:
        return receive(work, [mail]) == 1


def _letter(club: Club, bot: Player, match: MatchSummary, lines: list[str]) -> bytes:
    """Return a bot's email (RFC 5322)."""
    token = club.signer.token(
        MatchTopic(match.id, match.token_turn, match.seat_for(bot.id)), bot.id
    )
    message = EmailMessage()
    message["From"] = f"{bot.name} <{bot.address}>"
    message["To"] = reply_address(club.address, token)
    message["Subject"] = f"[{club.name} {match.id}]"
    message["Date"] = format_datetime(club.clock.now())
    message["Message-ID"] = f"<{club.unique()}@bots.{club.host}>"  # unlike those of our own emails
    message.set_content("\n".join(lines) + "\n")
    return message.as_bytes(policy=SMTP)
