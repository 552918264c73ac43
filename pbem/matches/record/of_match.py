"""The record of a match as it is stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from pbem.games.api import Outcome
from pbem.matches.history import SUCCESSIONS, Happening
from pbem.matches.match import MatchSummary, PlayerId, RecordedAction
from pbem.matches.record.model import Competition, Entry, Record, RecordError

SECOND = timedelta(seconds=1)


def record_of(
    match: MatchSummary,
    names: Mapping[PlayerId, str],
    actions: Iterable[RecordedAction],
    happenings: Iterable[Happening] = (),
    competition: Competition | None = None,
) -> Record:
    """Record of a match, ended or not, with its whole history; times to the second.

    Names are wanted of all who have ever played it (`everybody_in`), actions also of those that
    were taken back.
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
    if result is not None or not history:  # else the last entry has the newest
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
    )


def everybody_in(match: MatchSummary, happenings: Sequence[Happening]) -> tuple[PlayerId, ...]:
    """All who have ever played a match, once."""
    followed = (each.text.split()[1] for each in happenings if each.kind in SUCCESSIONS)
    return tuple(dict.fromkeys((*match.began.values(), *map(int, followed))))


def _in_order(
    actions: Iterable[RecordedAction], happenings: Iterable[Happening]
) -> list[RecordedAction | Happening]:
    """The history: happenings tell their place in it, actions take the others."""
    history: list[RecordedAction | Happening] = []
    waiting = sorted(happenings, reverse=True)
    for action in actions:
        while waiting and waiting[-1].entry <= len(history) + 1:
            history.append(waiting.pop())
        history.append(action)
    return [*history, *reversed(waiting)]


def _entry(each: RecordedAction | Happening) -> Entry:
    at = to_the_second(each.at)
    if isinstance(each, RecordedAction):
        return Entry(each.turn, each.seat, each.text, at)
    return Entry(each.turn, each.seat, each.text, at, each.kind)


def to_the_second(moment: datetime) -> datetime:
    """IMAP knows no fractions of a second, and nobody wants to read them."""
    return moment.replace(microsecond=0)
