"""Play bots: the matches in which a bot is to say something, answered by mail like anybody's.

The mail is recorded as if it had been fetched from a folder, and told by its match and how long the
history was, so that neither a crash nor another worker makes it come twice. Bots think in no unit
of work, and stop at once where they are told to: what they had not recorded, they think again.
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
from pbem.matches.bots import BOTS, Interrupted, Thinking, answer, is_asked
from pbem.matches.match import MatchSummary, Player
from pbem.ports.inbound import FROM_BOTS, MailboxState, ReceivedMail
from pbem.ports.process import StorageUnavailable
from pbem.service.club import Club
from pbem.service.receive import receive
from pbem.service.work import Work, reading, writing

log = get_logger(__name__)

MOST_ANSWERS = 40
"""Answers of one run, about: bots that play each other do not keep the club from its people."""
FORGOTTEN = timedelta(minutes=1)
"""A bot whose turn has lasted so long has no job, or one that is in line still."""
Stopping = Callable[[], bool]
Asked = tuple[Player, MatchSummary]
"""A bot, and the match in which it is to say something."""


def play_bots(club: Club, stopping: Stopping = lambda: False) -> int:
    """Answers for bots and carries it out until none is asked, or many are; returns how many.

    Before each answer is thought about, everything that waits is processed: people come first.
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
    """Records an answer in every match where a bot is asked; returns how many."""
    with reading(club) as work:
        asked = list(_asked(work))
    return _recorded(club, asked, stopping)


def record_answers_in(club: Club, match_id: int, stopping: Stopping) -> int:
    """Records the answers of the bots that are asked in one match; returns how many."""
    with reading(club) as work:
        match = work.matches.get(match_id)
        players = map(work.players.get, match.players)
        asked = [(each, match) for each in players if each.bot and _is_to_answer(work, each, match)]
    return _recorded(club, asked, stopping)


def put_bots_into_line(club: Club) -> None:
    """Gives a job to each match in which a bot has been asked for a while, or to many of them."""
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
    """Whether a bot is asked, and nobody has recorded its answer yet."""
    return is_asked(match, bot.id) and not work.inbound.known(_state(match), [match.entries])


def _recorded(club: Club, asked: Iterable[Asked], stopping: Stopping) -> int:
    """Records what bots answer; returns how many have said something that is new."""
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
    lines = answer(whole, bot.id, BOTS[bot.bot], Thinking(club.chance, stopping))
    if not lines:
        return False
    raw, now = _letter(club, bot, match, lines), club.clock.now()
    mail = ReceivedMail(*_state(match), match.entries, now, raw)
    with writing(club) as work:
        return receive(work, [mail]) == 1


def _letter(club: Club, bot: Player, match: MatchSummary, lines: list[str]) -> bytes:
    """What the bot sends (RFC 5322)."""
    token = club.signer.token(
        MatchTopic(match.id, match.token_turn, match.seat_for(bot.id)), bot.id
    )
    message = EmailMessage()
    message["From"] = f"{bot.name} <{bot.address}>"
    message["To"] = reply_address(club.address, token)
    message["Subject"] = f"[{club.name} {match.id}]"
    message["Date"] = format_datetime(club.clock.now())
    message["Message-ID"] = f"<{club.unique()}@bots.{club.host}>"  # not of the form of our own mail
    message.set_content("\n".join(lines) + "\n")
    return message.as_bytes(policy=SMTP)
