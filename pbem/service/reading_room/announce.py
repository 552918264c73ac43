"""Announce: call the club's webhook for what the reading room shows, and nothing else.

The publisher notes the public matches whose pages it wrote. Events are worked out from the pages,
in a transaction of their own, and sent outside any.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any

from pbem.archive.site import addresses
from pbem.archive.site.values import MatchPage
from pbem.log import get_logger
from pbem.matches.match import RecordedAction, termination_words
from pbem.ports.process import Webhook, WebhookError
from pbem.ports.room import Announced
from pbem.service.club import Club
from pbem.service.reading_room.reading import RoomReading
from pbem.service.work import Work, reading, writing

log = get_logger(__name__)

BATCH = 50
DAY = timedelta(days=1)
"""Changes that have waited for so long are dropped."""
TEMPLATE = "_announced.txt.j2"


@dataclass(frozen=True)
class PublicEvent:
    """Something that everybody may know."""

    id: str
    """The same in each attempt."""
    body: bytes
    turn: int
    """The turn that the webhook knows after it."""
    over: bool = False


@dataclass(frozen=True)
class Changes:
    """The changes of a match that the webhook does not know."""

    events: Sequence[PublicEvent] = ()
    then: tuple[int, bool] | None = None
    """The turn that it knows after them, and whether it knows the end. None for no change."""


def announce(club: Club, stopping: Callable[[], bool] = lambda: False) -> int:
    """Send the events of changed matches. Return their number.

    Stops at the first failure, since the next event would fail too, and continues next time.
    """
    webhook, sent, last = club.webhook, 0, 0
    while webhook is not None and club.room is not None and not stopping():
        with reading(club) as work:
            if work.service.held_since() is not None:
                break
            some = work.announcements.waiting(BATCH, last)
            waiting = [(each, changes_of(work, each)) for each in some]
        for each, changes in waiting:
            if stopping() or not _send(club, webhook, each, changes):
                return sent
            sent, last = sent + len(changes.events), each.match_id
        if not waiting:
            break
    return sent


def _send(club: Club, webhook: Webhook, announced: Announced, changes: Changes) -> bool:
    """Send the events of a match in order. Return False after a failure."""
    for event in changes.events:
        try:
            webhook.post(event.id, event.body, club.clock.now())
        except WebhookError as error:
            log.warning("webhook failed", event_id=event.id, error=str(error))
            with writing(club) as work:
                work.service.webhook_failed(work.now)
            return False
        with writing(club) as work:
            work.announcements.known(announced.match_id, event.turn, over=event.over)
            if work.service.webhook_fails_since() is not None:
                work.service.webhook_works()
    with writing(club) as work:
        if changes.then is not None:
            turn, over = changes.then
            work.announcements.known(announced.match_id, turn, over=over)
        work.announcements.settle(announced)
    return True


def changes_of(work: Work, announced: Announced) -> Changes:
    """Return what the webhook does not know of a match. Nothing if it is not public."""
    match, room = work.matches.get(announced.match_id), work.club.room
    if room is None or not work.club.shows(match):
        return Changes()
    page = RoomReading(room, work).match_page(match)
    shown = page.entry.match
    is_old = announced.since < work.now - DAY
    events = () if is_old else tuple(_events(work, page, announced))
    return Changes(events, (shown.turn, shown.result is not None))


def _events(work: Work, page: MatchPage, known: Announced) -> Iterator[PublicEvent]:
    match, lately = page.entry.match, work.now - DAY
    result, is_new = match.result, not known.turn and match.started_at > lately
    if is_new:
        names = [page.entry.people[each].name for each in match.players]
        yield _event(work, page, "match.started", match.started_at, 1, players=names)
    # Of a match that was already being played, only the newest turn is news.
    first = known.turn or (1 if is_new else match.turn - 1)
    for number, group in groupby(page.actions, key=lambda each: each.turn):
        actions = [*group]
        is_whole = number < match.turn or result is not None
        if number >= first and is_whole and (known.turn or actions[-1].at > lately):
            yield _turn(work, page, actions)
    if result is not None and not known.over and result.ended_at > lately:
        winners = dict.fromkeys(match.seats[each] for each in result.winners)
        yield _event(
            work,
            page,
            "match.ended",
            result.ended_at,
            match.turn,
            over=True,
            termination=result.termination,
            why=termination_words(match, work.club.club_renderer.words),
            winners=[page.entry.people[each].name for each in winners],
        )


def _turn(work: Work, page: MatchPage, actions: Sequence[RecordedAction]) -> PublicEvent:
    match, last = page.entry.match, actions[-1]
    player = page.entry.people[match.held_by(last.seat, last.turn)].name
    return _event(
        work,
        page,
        "turn.played",
        last.at,
        last.turn + 1,
        turn=last.turn,
        seat=last.seat,
        player=player,
        actions=[each.text for each in actions],
        number=last.number,
    )


def _event(
    work: Work,
    page: MatchPage,
    kind: str,
    at: datetime,
    known: int,
    *,
    over: bool = False,
    **data: Any,
) -> PublicEvent:
    match, room = page.entry.match, work.club.room
    said = work.club.club_renderer.part([TEMPLATE], {"kind": kind, "match": match, **data})
    ids = {"match.started": "started", "match.ended": f"ended-{int(at.timestamp())}"}
    own = ids.get(kind) or f"turn-{data['turn']}.{data['number']}"
    told: dict[str, Any] = {"match": match.id, "game": match.game_key}
    told |= {key: value for key, value in data.items() if key not in ("number", "why")}
    if room is not None and room.site.url:
        place = f"#turn-{data['turn']}" if "turn" in data else ""
        told["url"] = f"{room.site.url}{addresses.match_page(match)}{place}"
    moment = at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    body = {"content": said, "data": told, "timestamp": moment, "type": kind}
    return PublicEvent(f"match-{match.id}-{own}", _line(body), known, over)


def _line(body: Mapping[str, Any]) -> bytes:
    return json.dumps(body, sort_keys=True).encode()
