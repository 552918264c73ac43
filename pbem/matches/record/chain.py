"""Chain: write a history in which each entry is hashed with all before it, or start one.

The first head is the SHA-256 of the match's beginning. Each later head is that of the previous head
(64 hexadecimal digits) and the entry, as JSON with sorted keys and no spaces (RFC 8785). If you
have seen a head, you can check whether anything before it has changed since. `docs/record.md` shows
how to compute it without pbem.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import accumulate
from typing import Generic, NamedTuple

from pbem.games.api import Outcome
from pbem.games.replay import Played
from pbem.matches.event import ActionsPlayed, Event
from pbem.matches.history import (
    SUCCESSIONS,
    WITH_TEXT,
    Happened,
    Happening,
    Kind,
    kind_of,
    text_of,
)
from pbem.matches.match import MatchSummary, PlayerId, RecordedAction, SummaryT
from pbem.matches.record.model import (
    HistoryEntry,
    Record,
    RecordedCompetition,
    RecordError,
    read_result,
    write_moment,
    write_result,
)

VERSION = 1
_SHORT = 10
"""Bytes of a head shown in emails: 80 bits, as many as the MAC of a token."""

_JSON = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)
"""Equals RFC 8785 here, because all numbers are whole and all keys ASCII."""

Data = Mapping[str, object]


def heads(record: Record) -> tuple[str, ...]:
    """Return the head before the first entry and after each entry. The result is the last entry."""
    first = _digest(_JSON.encode(beginning(record)))
    return tuple(accumulate(entries(record), follow, initial=first))


def beginning(record: Record) -> Data:
    """Return what is fixed when a match starts, without names, since players can remove theirs."""
    return {
        "chain": VERSION,
        "club": record.club,
        "match": record.match_id,
        "game": record.game_key,
        "rules_version": record.rules_version,
        "options": {
            "days": record.days,
            "draw_offers": record.draw_offers,
            "game": dict(record.options),
            **unusual_data(record),
        },
        "seats": dict(record.numbers),
        "started": write_moment(record.started_at),
    }


def unusual_data(record: Record) -> Data:
    """Return a time control other than days per turn, whether it is unrated, and other choices.

    Defaults are never included, so a record keeps the heads it had before these options existed.
    """
    unusual = {
        "time": record.time,
        "unrated": record.unrated,
        "chosen": dict(record.chosen),
    }
    return {key: value for key, value in unusual.items() if value}


def entries(record: Record) -> Iterator[Data]:
    """Yield all entries as they are hashed."""
    for number, entry in enumerate(record.entries, start=1):
        yield entry_data(number, entry)
    if record.result is not None and record.ended_at is not None:
        yield result_data(len(record.entries) + 1, record.result, record.ended_at)


def entry_data(number: int, entry: HistoryEntry) -> Data:
    """Return the data of an action or another event."""
    if entry.kind is Kind.RESULT:
        return result_data(number, read_result(entry.text), entry.at)
    data: dict[str, object] = {"entry": number, "kind": str(entry.kind), "turn": entry.turn}
    if entry.seat:
        data["seat"] = entry.seat
    if entry.kind in WITH_TEXT:
        data["text"] = entry.text
    return {**data, "at": write_moment(entry.at)}


def result_data(number: int, result: Outcome, ended_at: datetime) -> Data:
    """Return the data of the result."""
    return {
        "entry": number,
        "kind": "result",
        "winners": list(result.winners),
        "termination": result.termination,
        "scores": dict(result.scores),
        "at": write_moment(ended_at),
    }


def follow(head: str, entry: Data) -> str:
    """Return the head after another entry."""
    return _digest(head + _JSON.encode(entry))


def short(head: str) -> str:
    """Return a head as people see it: `k7qa-3mz2-p5xw-6v2d`."""
    text = base64.b32encode(bytes.fromhex(head)[:_SHORT]).decode("ascii").lower()
    return "-".join(text[i : i + 4] for i in range(0, len(text), 4))


def is_head(found: str, head: str) -> bool:
    """Return whether a text, full or short, is this head."""
    return found in (head, short(head))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()


SECOND = timedelta(seconds=1)


def record_of(
    match: MatchSummary,
    names: Mapping[PlayerId, str],
    actions: Iterable[RecordedAction],
    happenings: Iterable[Happening] = (),
    competition: RecordedCompetition | None = None,
) -> Record:
    """Return the record of a match with its whole history, ended or not. Times are to the second.

    `names` must cover everyone who ever played it (`everybody_in`). `actions` must include those
    that were taken back.
    """
    happenings = list(happenings)
    seats, everybody = dict(match.began), everybody_in(match, happenings)
    if len({names[player] for player in everybody}) != len(everybody):
        raise RecordError(f"two players of match {match.id} have the same name")
    accounts = {
        each: match.clock.accounts[each] for each in everybody if each in match.clock.accounts
    }
    result, history = match.result, _in_order(actions, happenings)
    heads = {number: each.head for number, each in enumerate(history, start=1)}
    if result is not None or not history:  # otherwise the last entry has the newest
        heads[len(history) + (result is not None)] = match.head
    return Record(
        match_id=match.id,
        game_key=match.game_key,
        rules_version=match.rules_version,
        players={seat: names[player] for seat, player in seats.items()},
        days=match.options.days,
        time=match.options.time,
        unrated=match.options.unrated,
        chosen=dict(match.options.chosen),
        draw_offers=match.options.draw_offers,
        options=dict(match.options.game),
        started_at=to_the_second(match.started_at),
        ended_at=None if result is None else to_the_second(result.ended_at),
        competition=competition,
        entries=tuple(map(_entry, history)),
        result=None
        if result is None
        else Outcome(tuple(result.winners), result.termination, dict(result.scores)),
        club=match.club,
        numbers=seats,
        substitutes={each: names[each] for each in everybody if each not in seats.values()},
        heads=heads,
        used={player: each.used // SECOND for player, each in accounts.items()},
        left={p: each.bank // SECOND for p, each in accounts.items() if each.bank is not None},
        provider=match.provider,
    )


def everybody_in(match: MatchSummary, happenings: Sequence[Happening]) -> tuple[PlayerId, ...]:
    """Return everyone who ever played a match, once."""
    followed = (each.text.split()[1] for each in happenings if each.kind in SUCCESSIONS)
    return tuple(dict.fromkeys((*match.began.values(), *map(int, followed))))


def _in_order(
    actions: Iterable[RecordedAction], happenings: Iterable[Happening]
) -> list[RecordedAction | Happening]:
    """Return the history. Events know their place in it, and actions fill the others."""
    history: list[RecordedAction | Happening] = []
    waiting = sorted(happenings, reverse=True)
    for action in actions:
        while waiting and waiting[-1].entry <= len(history) + 1:
            history.append(waiting.pop())
        history.append(action)
    return [*history, *reversed(waiting)]


def _entry(each: RecordedAction | Happening) -> HistoryEntry:
    at = to_the_second(each.at)
    if isinstance(each, RecordedAction):
        return HistoryEntry(each.turn, each.seat, each.text, at)
    return HistoryEntry(each.turn, each.seat, each.text, at, each.kind)


def to_the_second(moment: datetime) -> datetime:
    """Return a moment to the second, as precise as IMAP, without noise for readers."""
    return moment.replace(microsecond=0)


class WrittenHistory(NamedTuple, Generic[SummaryT]):
    """A match with the head of its history, and the entries to store with it."""

    match: SummaryT
    actions: tuple[RecordedAction, ...]
    happenings: tuple[Happening, ...]


def opened(match: SummaryT) -> SummaryT:
    """Return a match with the head of its empty history. It must have its number."""
    numbers = {player: str(player) for player in match.players}  # names are not hashed
    return replace(match, entries=0, head=heads(record_of(match, numbers, ()))[0])


def written(
    before: MatchSummary, after: SummaryT, events: Iterable[Event], at: datetime
) -> WrittenHistory[SummaryT]:
    """Record simultaneous events of a match in order, and the result if it has ended."""
    head, number = before.head, before.entries
    actions, happenings = list[RecordedAction](), list[Happening]()
    if before.result is not None and after.result is None:  # its entry is no longer the last
        then, was = before.result, Kind.RESULT
        text = write_result(Outcome(then.winners, then.termination, then.scores))
        happenings.append(Happening(number, before.turn, "", was, then.ended_at, head, text))
    for each in _entries(events):
        number += 1
        head = follow(head, entry_data(number, _entry_of_event(each, to_the_second(at))))
        if isinstance(each, Played):
            recorded = (before.actions + len(actions) + 1, each.turn, each.seat, each.text)
            actions.append(RecordedAction(*recorded, each.passed, at, head))
        else:
            told = (number, each.turn, each.seat, kind_of(each), at, head, text_of(each))
            happenings.append(Happening(*told))
    if after.result is not None and before.result is None:
        number, end = number + 1, after.result
        outcome = Outcome(end.winners, end.termination, end.scores)
        head = follow(head, result_data(number, outcome, to_the_second(end.ended_at)))
    return WrittenHistory(
        replace(after, entries=number, head=head), tuple(actions), tuple(happenings)
    )


def _entries(events: Iterable[Event]) -> Iterator[Played | Happened]:
    """Yield the history entries of some events."""
    for event in events:
        if isinstance(event, ActionsPlayed):
            yield from event.actions
        elif isinstance(event, Happened):
            yield event


def _entry_of_event(each: Played | Happened, at: datetime) -> HistoryEntry:
    if isinstance(each, Played):
        return HistoryEntry(each.turn, each.seat, each.text, at)
    return HistoryEntry(each.turn, each.seat, text_of(each), at, kind_of(each))
