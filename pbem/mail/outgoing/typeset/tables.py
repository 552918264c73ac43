"""Tables: standings as tables, numbers to the right."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from pbem.mail.outgoing.typeset.style import TABLE

_CELL = "padding:3px {gap}px;border-bottom:1px solid #b5ab97;text-align:{side}"
WIDE = 8
"""Columns past which cells stand closer, so that a phone shows them all."""


def table(head: Sequence[str], rows: Sequence[Sequence[str]], names: int = 0) -> str:
    """A table with a head; the column `names` holds them, the others numbers and marks."""
    gap = 7 if len(head) <= WIDE else 3
    styles = [
        _CELL.format(gap=gap, side="left" if at == names else "right") for at in range(len(head))
    ]
    lines = "\n".join(_row("td", row, styles) for row in rows)
    top = _row("th", head, styles) + "\n" if any(head) else ""
    return f'<div style="overflow-x:auto"><table style="{TABLE}">\n{top}{lines}\n</table></div>'


def _row(name: str, cells: Sequence[str], styles: Sequence[str]) -> str:
    texts = (
        f'<{name} style="{each}">{escape(cell, quote=False)}</{name}>'
        for cell, each in zip(cells, styles, strict=True)
    )
    return f"<tr>{''.join(texts)}</tr>"
