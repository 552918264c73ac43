"""The in-memory storage after a clock rollback."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from pbem.matches.clock import OUTAGE
from tests.fakes.storage_data import Data


def set_back(data: Data, by: timedelta, now: datetime) -> None:
    """Move back the moments of everything in progress, and all moments later than now."""
    _matches(data, by, now)
    _mails(data, by, now)
    for player, known in data.addresses.items():
        data.addresses[player] = tuple(
            replace(
                each,
                failed_at=_perhaps(each.failed_at, by, now),
                works_since=_perhaps(each.works_since, by, now),
                added_at=_perhaps(each.added_at, by, now),
            )
            for each in known
        )
    for number, notice in data.absences.items():
        data.absences[number] = replace(notice, at=_back(notice.at, by, now))
    for number, digest in data.digests.items():
        data.digests[number] = replace(digest, at=_back(digest.at, by, now))
    for key, news in data.waiting_news.items():
        data.waiting_news[key] = replace(
            news, due_at=news.due_at - by, safe_until=news.safe_until - by
        )
    for competition, pause in data.pauses.items():
        data.pauses[competition] = replace(pause, start=_back(pause.start, by, now))
    moments = data.moments
    for name in moments.keys() - {"beat"}:
        moments[name] = min(moments[name] - by, now)
    if "beat" in moments:
        moments["beat"] = min(moments["beat"], now)


def _matches(data: Data, by: timedelta, now: datetime) -> None:
    for number, match in data.matches.items():
        if match.result is None and match.turn_started_at is not None:
            data.matches[number] = replace(
                match, turn_started_at=min(match.turn_started_at - by, now)
            )


def _mails(data: Data, by: timedelta, now: datetime) -> None:
    for number, mail in data.inbound.items():
        data.inbound[number] = replace(mail, recorded_at=_back(mail.recorded_at, by, now))
    for number, asked in data.questions.items():
        data.questions[number] = replace(asked, expires_at=asked.expires_at - by)
    for number, offer in data.offers.items():
        if offer.stands:
            data.offers[number] = replace(offer, expires_at=offer.expires_at - by)
    for number, each in data.outbox.items():
        tried_at = _perhaps(each.tried_at, by, now)
        queued = replace(each, at=_back(each.at, by, now), tried_at=tried_at)
        if not each.closed:
            queued = replace(
                queued,
                next_attempt_at=min(each.next_attempt_at, now),
                line=min(each.line, int(now.timestamp())),
                claimed_until=_perhaps(each.claimed_until, by, now + OUTAGE),
            )
        data.outbox[number] = queued


def _back(at: datetime, by: timedelta, after: datetime) -> datetime:
    """Return a moment, moved back if it is after another."""
    return min(at - by, after) if at > after else at


def _perhaps(at: datetime | None, by: timedelta, after: datetime) -> datetime | None:
    return None if at is None else _back(at, by, after)
