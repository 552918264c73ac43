"""Entries of a history in the JSON form: read, each with its head."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from pbem.games.api import Outcome
from pbem.matches.history import NOBODY_S, WITH_TEXT, Kind
from pbem.matches.record.json_values import Object, integer, list_of, mapping_of, moment, text
from pbem.matches.record.model import Entry, RecordError

_HEAD = re.compile(r"[0-9a-f]{64}", re.ASCII)


class Item(NamedTuple):
    """One entry of the history: something that happened, or the end."""

    number: int
    head: str
    entry: Entry | None = None
    end: tuple[Outcome, datetime] | None = None


def read_item(value: Any, place: str) -> Item:
    """One entry, with its head."""
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
        return Item(number, head, end=(outcome_of(item), at))
    entry = Entry(
        item.read("turn", integer),
        item.read("seat", text) if "seat" in keys else "",
        item.read("text", text) if "text" in keys else "",
        at,
        item.read("kind", _kind),
    )
    return Item(number, head, entry)


_NOBODY_S = frozenset(map(str, NOBODY_S))
_ITEM_KEYS: Mapping[Any, tuple[str, ...]] = {
    **{str(kind): ("turn", "seat", "text") for kind in WITH_TEXT},
    "result": Outcome._fields,
}


def _kind(value: Any, place: str) -> Kind:
    try:
        return Kind(text(value, place))
    except ValueError as error:
        raise RecordError(f"{place}: {value!r} is nothing that happens in a match") from error


def head_of(value: Any, place: str) -> str:
    """A head in full."""
    if not _HEAD.fullmatch(text(value, place)):
        raise RecordError(f"{place}: this is not a head, 64 hexadecimal digits")
    return str(value)


def outcome_of(result: Object) -> Outcome:
    """Winners, reason and points of an object that has them."""
    return Outcome(
        tuple(result.read("winners", list_of(text))),
        result.read("termination", text),
        result.read("scores", mapping_of(integer)),
    )
