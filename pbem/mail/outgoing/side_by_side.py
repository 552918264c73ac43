"""Side by side: short items, as many to a line as fit."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.diagram import WIDTH
from pbem.mail.outgoing.figure import Figure
from pbem.mail.outgoing.typeset.lists import flowing


def columns(items: Iterable[str], gap: int = 4) -> str:
    """Items side by side, indented by two, as many to a line as fit."""
    lines, line = [], ""
    for item in items:
        longer = f"{line}{' ' * gap}{item}" if line else f"  {item}"
        if line and len(longer) > WIDTH:
            lines.append(line)
            longer = f"  {item}"
        line = longer
    return "\n".join([*lines, line]) if line else ""


def in_columns(items: Iterable[str], gap: int = 4) -> Figure:
    """The same as a part of a mail."""
    listed = list(items)
    return Figure(columns(listed, gap), lambda _: flowing(listed))
