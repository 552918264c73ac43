"""The JSON form of a record, as `record.schema.json` beside this package describes it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from pbem.games.api import Outcome
from pbem.matches.record.model import Entry, Record, RecordError
from pbem.matches.record.moments import read_moment, write_moment

FORMAT = "pbem-record-1"
SCHEMA = "record.schema.json"
"""Name of the schema's file in the package `pbem.matches`."""

_NO_ACTIONS = '"actions": []'
T = TypeVar("T")


def to_json(record: Record) -> str:
    """JSON text of a record, an action a line."""
    result = record.result
    whole = {
        "format": FORMAT,
        "match": record.match_id,
        "set": None if record.set_id is None else {"id": record.set_id, "index": record.set_index},
        "game": record.game_key,
        "rules_version": record.rules_version,
        "players": dict(record.players),
        "options": {
            "days": record.days,
            "draw_offers": record.draw_offers,
            "game": dict(record.options),
        },
        "started": write_moment(record.started_at),
        "ended": None if record.ended_at is None else write_moment(record.ended_at),
        "result": None
        if result is None
        else {**result._asdict(), "winners": list(result.winners), "scores": dict(result.scores)},
        "actions": [],
    }
    # A name cannot hold this text: its quotes would be escaped.
    head, _, tail = json.dumps(whole, indent=2).partition(_NO_ACTIONS)
    lines = ",\n    ".join(json.dumps(_action(entry)) for entry in record.entries)
    actions = f'"actions": [\n    {lines}\n  ]' if lines else _NO_ACTIONS
    return f"{head}{actions}{tail}\n"


def _action(entry: Entry) -> dict[str, object]:
    return {**entry._asdict(), "at": write_moment(entry.at)}


def from_json(text: str) -> Record:
    """Record of a JSON text; raises RecordError that names the line, or the place in it."""
    top = _Object(_loaded(text), "the record", _KEYS)
    if top.value("format") != FORMAT:
        raise RecordError(f"the record's format is not {FORMAT!r}")
    set_id, set_index = top.optional("set", _read_set) or (None, None)
    options = _Object(top.value("options"), "options", ("days", "draw_offers", "game"))
    return Record(
        match_id=top.read("match", _number),
        game_key=top.read("game", _text),
        rules_version=top.read("rules_version", _number),
        players=top.read("players", _mapping_of(_text)),
        days=options.read("days", _number),
        draw_offers=options.read("draw_offers", _switch),
        options=options.read("game", _mapping_of(_number)),
        started_at=top.read("started", _moment),
        ended_at=top.optional("ended", _moment),
        set_id=set_id,
        set_index=set_index,
        entries=tuple(top.read("actions", _list_of(_read_action))),
        result=top.optional("result", _read_result),
    )


def _loaded(text: str) -> object:
    try:
        return json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_unique)
    except RecordError:
        raise
    except json.JSONDecodeError as error:
        raise RecordError(f"line {error.lineno}: this is not JSON: {error.msg}") from error
    except (RecursionError, ValueError) as error:
        raise RecordError("this is nested too deep, or a number is too long") from error


_KEYS = (
    "format",
    "match",
    "set",
    "game",
    "rules_version",
    "players",
    "options",
    "started",
    "ended",
    "result",
    "actions",
)

Read = Callable[[Any, str], T]
"""Reads a value; its place in the record is for the error."""


class _Object:
    """A JSON object with exactly these keys."""

    def __init__(self, value: object, place: str, keys: Sequence[str]) -> None:
        if not isinstance(value, dict):
            raise RecordError(f"{place} is not an object with {', '.join(keys)}")
        for key in keys:
            if key not in value:
                raise RecordError(f"{place} lacks {key!r}")
        if strangers := sorted(set(value).difference(keys)):
            raise RecordError(f"{place} has {strangers[0]!r}, which does not belong there")
        self._values: Mapping[str, Any] = value
        self._place = place

    def value(self, key: str) -> Any:
        """What stands there, whatever it is."""
        return self._values[key]

    def read(self, key: str, read: Read[T]) -> T:
        """Value of a key."""
        return read(self._values[key], f"{self._place}, {key}")

    def optional(self, key: str, read: Read[T]) -> T | None:
        """Value of a key, None for null."""
        return None if self._values[key] is None else self.read(key, read)


def _read_set(value: Any, place: str) -> tuple[int, int]:
    of_set = _Object(value, place, ("id", "index"))
    return of_set.read("id", _number), of_set.read("index", _number)


def _read_action(value: Any, place: str) -> Entry:
    action = _Object(value, place, Entry._fields)
    return Entry(
        action.read("turn", _number),
        action.read("seat", _text),
        action.read("text", _text),
        action.read("at", _moment),
    )


def _read_result(value: Any, place: str) -> Outcome:
    result = _Object(value, place, Outcome._fields)
    return Outcome(
        tuple(result.read("winners", _list_of(_text))),
        result.read("termination", _text),
        result.read("scores", _mapping_of(_number)),
    )


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    whole = dict(pairs)
    if len(whole) != len(pairs):
        raise RecordError(f"a key stands twice among {', '.join(key for key, _ in pairs)}")
    return whole


def _number(value: Any, place: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise RecordError(f"{place}: {value!r} is not a whole number")
    return value


def _switch(value: Any, place: str) -> bool:
    if not isinstance(value, bool):
        raise RecordError(f"{place}: {value!r} is neither true nor false")
    return value


def _text(value: Any, place: str) -> str:
    if not isinstance(value, str):
        raise RecordError(f"{place}: {value!r} is not a text")
    return value


def _moment(value: Any, place: str) -> Any:
    try:
        return read_moment(_text(value, place))
    except RecordError as error:
        raise RecordError(f"{place}: {error}") from error


def _list_of(read: Read[T]) -> Read[list[T]]:
    def read_list(value: Any, place: str) -> list[T]:
        if not isinstance(value, list):
            raise RecordError(f"{place}: this is not a list")
        return [read(item, f"{place}, item {number}") for number, item in enumerate(value, 1)]

    return read_list


def _mapping_of(read: Read[T]) -> Read[dict[str, T]]:
    def read_mapping(value: Any, place: str) -> dict[str, T]:
        if not isinstance(value, dict):
            raise RecordError(f"{place}: this is not an object")
        return {key: read(item, f"{place}, {key}") for key, item in value.items()}

    return read_mapping
