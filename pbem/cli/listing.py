"""Listing: the same things as lines for people and as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Annotated, Any, NamedTuple

import typer

from pbem.cli.terminal import printable

JsonOption = Annotated[
    bool, typer.Option("--json", help="As JSON, for programs; keys stay the same.")
]


LARGE = 10_000
"""From so many on they are told in the next larger unit."""


class Item(NamedTuple):
    """One thing in a list."""

    line: str
    data: Mapping[str, Any]


def print_items(items: Iterable[Item], nothing: str, *, as_json: bool) -> None:
    """A list: a line an item, or a JSON array; `nothing` says that it is empty."""
    if as_json:
        print_json([item.data for item in items])
        return
    lines = [item.line for item in items]
    for line in lines or [nothing]:
        typer.echo(printable(line))


def print_json(data: Any) -> None:
    """Data as JSON, in ASCII: what people wrote must not steer a terminal."""
    typer.echo(json.dumps(data, indent=2))


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
