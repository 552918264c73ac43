"""Listing: the same items as lines for people, safe for a terminal, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Annotated, Any, NamedTuple

import typer

JsonOption = Annotated[
    bool, typer.Option("--json", help="Print JSON with stable keys, for programs.")
]


LARGE = 10_000
"""Smallest number that is shown in a larger unit."""


class ListedItem(NamedTuple):
    """One item of a list."""

    line: str
    data: Mapping[str, Any]


def listed(items: Iterable[ListedItem], nothing: str, *, as_json: bool) -> list[str]:
    """Return a list: a line per item, or a JSON array. `nothing` says that it is empty."""
    if as_json:
        return [json_of([item.data for item in items])]
    return [item.line for item in items] or [nothing]


def json_of(data: Any) -> str:
    """Return data as JSON in ASCII, so that people's texts cannot control a terminal."""
    return json.dumps(data, indent=2)


def printable(text: str) -> str:
    """Return text that cannot control a terminal."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else "�" for c in text.replace("\r", ""))


def moment(at: datetime | None) -> str | None:
    """Return a time in JSON form (RFC 3339)."""
    return None if at is None else f"{at:%Y-%m-%dT%H:%M:%SZ}"


def size(number: int) -> str:
    """Return a number of bytes as people read it on the command line."""
    for unit in ("bytes", "KB", "MB"):
        if number < LARGE:
            return f"{number:,} {unit}"
        number = round(number / 1000)
    return f"{number:,} GB"
