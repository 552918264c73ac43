"""Writing: a history goes on, each entry with its head."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Generic, NamedTuple

from pbem.games.api import Outcome
from pbem.games.replay import Played
from pbem.matches.event import ActionsPlayed, Event
from pbem.matches.history import Happened, Happening, kind_of, text_of
from pbem.matches.match import MatchSummary, RecordedAction, SummaryT
from pbem.matches.record.chain import entry_data, follow, heads, result_data
from pbem.matches.record.model import Entry
from pbem.matches.record.of_match import record_of, to_the_second


class Written(NamedTuple, Generic[SummaryT]):
    """A match with the head of its history, and what has to be stored beside it."""

    match: SummaryT
    actions: tuple[RecordedAction, ...]
    happenings: tuple[Happening, ...]


def opened(match: SummaryT) -> SummaryT:
    """A match whose history begins: it has its number, and nothing has happened in it."""
    numbers = {player: str(player) for player in match.players}  # names are not hashed
    return replace(match, entries=0, head=heads(record_of(match, numbers, ()))[0])


def written(
    before: MatchSummary, after: SummaryT, events: Iterable[Event], at: datetime
) -> Written[SummaryT]:
    """What happened in a match, in order, all at one time; the result too, if it has ended."""
    head, number = before.head, before.entries
    actions, happenings = list[RecordedAction](), list[Happening]()
    for each in _entries(events):
        number += 1
        head = follow(head, entry_data(number, _entry(each, to_the_second(at))))
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
    return Written(replace(after, entries=number, head=head), tuple(actions), tuple(happenings))


def _entries(events: Iterable[Event]) -> Iterator[Played | Happened]:
    """What goes into a history of some events, entry by entry."""
    for event in events:
        if isinstance(event, ActionsPlayed):
            yield from event.actions
        elif isinstance(event, Happened):
            yield event


def _entry(each: Played | Happened, at: datetime) -> Entry:
    if isinstance(each, Played):
        return Entry(each.turn, each.seat, each.text, at)
    return Entry(each.turn, each.seat, text_of(each), at, kind_of(each))
