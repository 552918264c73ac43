"""Listing: the same things as lines for people, which steer no terminal, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Annotated, Any, NamedTuple

import typer

JsonOption = Annotated[
    bool, typer.Option("--json", help="As JSON, for programs; keys stay the same.")
]


LARGE = 10_000
"""From so many on they are told in the next larger unit."""


class ListedItem(NamedTuple):
    """One thing in a list."""

    line: str
    data: Mapping[str, Any]


def listed(items: Iterable[ListedItem], nothing: str, *, as_json: bool) -> list[str]:
    """A list: a line an item, or a JSON array; `nothing` says that it is empty."""
    if as_json:
        return [json_of([item.data for item in items])]
    return [item.line for item in items] or [nothing]


def json_of(data: Any) -> str:
    """Data as JSON, in ASCII: what people wrote must not steer a terminal."""
    return json.dumps(data, indent=2)


def printable(text: str) -> str:
    """Text that cannot steer a terminal."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else "�" for c in text.replace("\r", ""))


def moment(at: datetime | None) -> str | None:
    """A moment as it stands in JSON (RFC 3339)."""
    return None if at is None else f"{at:%Y-%m-%dT%H:%M:%SZ}"


def size(number: int) -> str:
    """Bytes as people at the shell read them."""
    for unit in ("bytes", "KB", "MB"):
        if number < LARGE:
            return f"{number:,} {unit}"
        number = round(number / 1000)
    return f"{number:,} GB"


def minute(at: datetime) -> str:
    """A moment as people at the shell read it."""
    return f"{at:%Y-%m-%d %H:%M} UTC"
