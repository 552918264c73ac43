"""Play bots: bots answer by email like everybody else.

Each answer is recorded as if fetched from a folder, and identified by its match and the length of
its history. So neither a crash nor another worker can record it twice. Bots think outside any
transaction and stop at once when told to. They rethink answers that were not recorded. A bot that
fails, such as a broken chess engine, is tried again after ever longer times, and holds up no other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from pbem.inbox.pending import process_pending
from pbem.log import get_logger
from pbem.mail.addresses.addressing import reply_address
from pbem.mail.topic import MatchTopic
from pbem.matches.bots import Bot, BotError, Interrupted, Thinking, answer, bots, is_asked
from pbem.matches.match import MatchSummary, Player
from pbem.ports.inbound import FROM_BOTS, MailboxState, ReceivedMail
from pbem.ports.process import StorageUnavailable
from pbem.ports.storage import FailedBot, Failures
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
LEAST_WAIT, MOST_WAIT = timedelta(minutes=1), timedelta(minutes=15)
"""A bot that fails is tried again after as long as it has been failing, within these limits."""
Stopping = Callable[[], bool]
Asked = tuple[Player, MatchSummary]
"""A bot, and the match in which it has to answer."""


def play_bots(club: Club, stopping: Stopping = lambda: False) -> int:
    """Record and process bots' answers until none is due or many are done. Return how many.

    Before each match, everything that waits is processed, since people come first. A kind of bot
    that fails is not tried again in the same run, as it may take long to fail.
    """
    answered, failed = 0, set[str]()
    while answered < MOST_ANSWERS and not stopping():
        recorded = 0
        for match_id in dict.fromkeys(match.id for _, match in _due(club)):
            process_pending(club, stopping)
            recorded += record_answers_in(club, match_id, stopping, failed)
        process_pending(club, stopping)
        if not recorded:
            break
        answered += recorded
    return answered


def record_answers(club: Club, stopping: Stopping = lambda: False) -> int:
    """Record an answer in every match in which a bot has to. Return how many."""
    return _recorded(club, _due(club), stopping, set())


def record_answers_in(
    club: Club, match_id: int, stopping: Stopping, failed: set[str] | None = None
) -> int:
    """Record the bots' answers that are due in one match. Return how many.

    Kinds of bots in `failed` are left out, and those that fail are added.
    """
    with reading(club) as work:
        match = work.matches.get(match_id)
        players = map(work.players.get, match.players)
        asked = [(each, match) for each in players if each.bot and _is_to_answer(work, each, match)]
    return _recorded(club, asked, stopping, set() if failed is None else failed)


def put_bots_into_line(club: Club) -> None:
    """Queue matches in which a bot has been to act for a while, up to a limit."""
    since = club.clock.now() - FORGOTTEN
    asked = [match for _, match in _due(club) if (match.turn_started_at or since) <= since]
    with writing(club) as work:
        for match in asked[:MOST_ANSWERS]:
            work.jobs.enqueue("bots", match.id)


def _due(club: Club) -> Sequence[Asked]:
    """Return the bots that have to answer now, and forget failures that are over."""
    with reading(club) as work:
        asked, failed, now = [*_asked(work)], work.service.failed_bots(), work.now
    if over := failed.keys() - set(map(_named, asked)):
        with writing(club) as work:
            for each in over:
                work.service.bot_works(*each)
    return [each for each in asked if _is_due(failed.get(_named(each)), now)]


def _named(asked: Asked) -> FailedBot:
    bot, match = asked
    return FailedBot(bot.bot, match.id)


def _is_due(failures: Failures | None, now: datetime) -> bool:
    if failures is None:
        return True
    wait = min(max(failures.last - failures.since, LEAST_WAIT), MOST_WAIT)
    return not failures.last <= now < failures.last + wait


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


def _recorded(club: Club, asked: Iterable[Asked], stopping: Stopping, failed: set[str]) -> int:
    """Record bots' answers. Return how many were new."""
    recorded = 0
    for bot, match in asked:
        if bot.bot in failed:
            continue
        if stopping():
            break
        try:
            recorded += _record(club, bot, match, stopping)
        except StorageUnavailable:
            raise
        except Interrupted:
            break
        except Exception as error:  # noqa: BLE001  one bot must not stop the others
            failed.add(bot.bot)
            _note_failure(club, bot.bot, match.id, error)
    return recorded


def _note_failure(club: Club, bot: str, match_id: int, error: Exception) -> None:
    """Note that a bot failed in a match, and log the reason. The first time, it is an error."""
    with writing(club) as work:
        known = FailedBot(bot, match_id) in work.service.failed_bots()
        work.service.bot_failed(bot, match_id, work.now)
    why = {"reason": str(error)} if isinstance(error, BotError) else {"exc_info": error}
    if known:
        log.info("bot still has no answer", bot=bot, match=match_id, **why)
    else:
        log.error("bot has no answer", bot=bot, match=match_id, **why)


def _state(match: MatchSummary) -> MailboxState:
    return MailboxState(FROM_BOTS, match.id)


def _record(club: Club, bot: Player, match: MatchSummary, stopping: Stopping) -> bool:
    with reading(club) as work:
        whole = work.whole(match)
    lines = answer(whole, bot.id, _playing(bot.bot), Thinking(club.chance, stopping))
    if not lines:
        return False
    raw, now = _letter(club, bot, match, lines), club.clock.now()
    mail = ReceivedMail(*_state(match), match.entries, now, raw)
    with writing(club) as work:
        return receive(work, [mail]) == 1


def _playing(kind: str) -> Bot:
    """Return a kind of bot. Raises BotError if its family does not bring it at present."""
    known = bots()
    if kind not in known:
        raise BotError("there is no such bot now. `pbem doctor` says why")
    return known[kind]


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
