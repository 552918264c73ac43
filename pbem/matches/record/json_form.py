"""The JSON form of a record, described by `record.schema.json` in `pbem.matches`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import zip_longest
from typing import Any, NamedTuple

from pbem.games.api import OptionError, Outcome
from pbem.matches.history import NOBODY_S, WITH_TEXT, Kind
from pbem.matches.match_options import read_chosen, write_chosen
from pbem.matches.record.chain import entries, heads, unusual_data
from pbem.matches.record.json_values import (
    Object,
    integer,
    list_of,
    loaded,
    mapping_of,
    moment,
    numbered,
    seconds,
    switch,
    text,
)
from pbem.matches.record.model import (
    HistoryEntry,
    Record,
    RecordedCompetition,
    RecordError,
    write_moment,
    write_result,
)

FORMAT = "pbem-record-2"
SCHEMA = "record.schema.json"
"""File name of the schema in the package `pbem.matches`."""

_NO_ENTRIES = '": []'


def to_json(record: Record) -> str:
    """Return the JSON text of a record, one history entry per line."""
    chain = heads(record)
    lines = [
        json.dumps({**entry, "head": head})
        for entry, head in zip(entries(record), chain[1:], strict=True)
    ]
    # The last empty list. A name cannot contain this text, as its quotes would be escaped.
    head, _, tail = json.dumps(_without_history(record, chain[-1]), indent=2).rpartition(
        _NO_ENTRIES
    )
    inner = ",\n    ".join(lines)
    return f'{head}": [\n    {inner}\n  ]{tail}\n' if lines else f"{head}{_NO_ENTRIES}{tail}\n"


def _without_history(record: Record, head: str) -> dict[str, object]:
    competition, result = record.competition, record.result
    return {
        "format": FORMAT,
        "club": record.club,
        "match": record.match_id,
        "competition": None if competition is None else vars(competition),
        "game": record.game_key,
        "rules_version": record.rules_version,
        **({"provider": record.provider} if record.provider else {}),
        "players": dict(record.players),
        "numbers": dict(record.numbers),
        **_substitutes(record),
        **_clocks(record),
        "options": {
            "days": record.days,
            "draw_offers": record.draw_offers,
            "game": dict(record.options),
            **unusual_data(record),
        },
        "started": write_moment(record.started_at),
        "ended": None if record.ended_at is None else write_moment(record.ended_at),
        "result": None
        if result is None
        else {**result._asdict(), "winners": list(result.winners), "scores": dict(result.scores)},
        "head": head,
        "history": [],
    }


def _substitutes(record: Record) -> dict[str, object]:
    """Return the players who took over from others, if there are any."""
    named = {str(number): name for number, name in record.substitutes.items()}
    return {"substitutes": named} if named else {}


def _clocks(record: Record) -> dict[str, object]:
    """Return the seconds each player has used and has left, if clocks ran."""
    clocks = {"used": record.used, "left": record.left}
    return {
        key: {str(player): seconds for player, seconds in each.items()}
        for key, each in clocks.items()
        if each
    }


def from_json(written: str) -> Record:
    """Return the record of a JSON text. Raises RecordError that names the line or place."""
    whole = loaded(written)
    there = (key for key in _PERHAPS if isinstance(whole, dict) and key in whole)
    top = Object(whole, "the record", (*_KEYS, *there))
    if top.value("format") != FORMAT:
        raise RecordError(f"the record's format is not {FORMAT!r}")
    options = _options(top.value("options"))
    history = top.read("history", list_of(read_item))
    heads = {number: item.head for number, item in enumerate(history, start=1)}
    head = top.read("head", head_of)
    if heads.setdefault(len(history), head) != head:
        raise RecordError("the head of the record differs from that of its last entry")
    record = Record(
        match_id=top.read("match", integer),
        game_key=top.read("game", text),
        rules_version=top.read("rules_version", integer),
        players=top.read("players", mapping_of(text)),
        days=options.read("days", integer),
        time=options.read("time", text) if options.has("time") else "",
        unrated=options.has("unrated") and options.read("unrated", switch),
        chosen=options.read("chosen", _chosen) if options.has("chosen") else {},
        draw_offers=options.read("draw_offers", switch),
        options=options.read("game", mapping_of(integer)),
        started_at=top.read("started", moment),
        ended_at=top.optional("ended", moment),
        competition=top.optional("competition", _read_competition),
        entries=tuple(_entries(history)),
        result=top.optional("result", _read_result),
        club=top.read("club", text),
        numbers=top.read("numbers", mapping_of(integer)),
        substitutes=top.read("substitutes", numbered) if top.has("substitutes") else {},
        heads=heads,
        used=top.read("used", seconds) if top.has("used") else {},
        left=top.read("left", seconds) if top.has("left") else {},
        provider=top.read("provider", text) if top.has("provider") else "",
    )
    _check_history(history, record)
    return record


def _options(value: Any) -> Object:
    """Return a match's options. Some appear only if they differ from the defaults."""
    unusual = ("time", "unrated", "chosen")
    there = (name for name in unusual if isinstance(value, dict) and name in value)
    return Object(value, "options", ("days", "draw_offers", "game", *there))


def _chosen(value: Any, where: str) -> dict[str, str]:
    written = mapping_of(text)(value, where)
    try:
        return read_chosen(write_chosen(written))
    except OptionError as error:
        raise RecordError(f"{where}: {error}") from error


def _entries(history: Sequence[RecordItem]) -> Iterator[HistoryEntry]:
    """Yield the entries. A result before the last gets the turn of the reopening after it."""
    for item, after in zip_longest(history, history[1:]):
        if item.entry is not None:
            yield item.entry
        elif item.end is not None and after is not None:
            turn = after.entry.turn if after.entry is not None else 1
            yield HistoryEntry(turn, "", write_result(item.end[0]), item.end[1], Kind.RESULT)


def _check_history(history: Sequence[RecordItem], record: Record) -> None:
    for number, item in enumerate(history, start=1):
        if item.number != number:
            raise RecordError(f"the record, history, item {number}: this is entry {item.number}")
    due = [] if record.result is None else [(record.result, record.ended_at)]
    if [item.end for item in history[-1:] if item.end] != due:
        raise RecordError("the history does not end with the result of the record")


def _read_competition(value: Any, place: str) -> RecordedCompetition:
    part = Object(value, place, ("kind", "id", "index"))
    return RecordedCompetition(
        part.read("kind", text), part.read("id", integer), part.read("index", integer)
    )


_KEYS = (
    "format",
    "club",
    "match",
    "game",
    "rules_version",
    "players",
    "options",
    "started",
    "ended",
    "result",
    "competition",
    "numbers",
    "head",
    "history",
)
_PERHAPS = ("provider", "substitutes", "used", "left")


def _read_result(value: Any, place: str) -> Outcome:
    return outcome_of(Object(value, place, Outcome._fields))


_HEAD = re.compile(r"[0-9a-f]{64}", re.ASCII)


class RecordItem(NamedTuple):
    """An entry of the history: an event or the end."""

    number: int
    head: str
    entry: HistoryEntry | None = None
    end: tuple[Outcome, datetime] | None = None


def read_item(value: Any, place: str) -> RecordItem:
    """Return an entry with its head."""
    kind = value.get("kind") if isinstance(value, dict) else None
    by_kind = _ITEM_KEYS.get(kind) if isinstance(kind, str) else None
    keys = ("entry", "kind", *(by_kind or ("turn", "seat")), "at", "head")
    if isinstance(value, dict) and "seat" not in value and kind in _NOBODY_S:
        keys = tuple(key for key in keys if key != "seat")
    item = Object(value, place, keys)
    number, head, at = (
        item.read("entry", integer),
        item.read("head", head_of),
        item.read("at", moment),
    )
    if kind == "result":
        return RecordItem(number, head, end=(outcome_of(item), at))
    entry = HistoryEntry(
        item.read("turn", integer),
        item.read("seat", text) if "seat" in keys else "",
        item.read("text", text) if "text" in keys else "",
        at,
        item.read("kind", _kind),
    )
    return RecordItem(number, head, entry)


_NOBODY_S = frozenset(map(str, NOBODY_S))
_ITEM_KEYS: Mapping[Any, tuple[str, ...]] = {
    **{str(kind): ("turn", "seat", "text") for kind in WITH_TEXT},
    "result": Outcome._fields,
}


def _kind(value: Any, place: str) -> Kind:
    try:
        return Kind(text(value, place))
    except ValueError as error:
        raise RecordError(f"{place}: {value!r} is not a kind of entry") from error


def head_of(value: Any, place: str) -> str:
    """Return a full head."""
    if not _HEAD.fullmatch(text(value, place)):
        raise RecordError(f"{place}: this is not a head, 64 hexadecimal digits")
    return str(value)


def outcome_of(result: Object) -> Outcome:
    """Return the winners, reason and points of an object that holds them."""
    return Outcome(
        tuple(result.read("winners", list_of(text))),
        result.read("termination", text),
        result.read("scores", mapping_of(integer)),
    )
