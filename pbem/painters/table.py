"""A diagram as an HTML table, for mail programs: inline styles, nothing loaded, no class."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from pbem.games.diagram import Diagram


def table(diagram: Diagram, links: Mapping[str, str] | None = None) -> str:
    """The board; `links` makes squares of these names lead somewhere (a `mailto:` URL)."""
    rows = []
    for row in range(diagram.rows):
        cells = []
        for column in range(diagram.columns):
            cell = diagram.cells.get((column, row))
            text = "" if cell is None else escape(cell.piece)
            if cell is not None and links and cell.name in links:
                text = f'<a href="{escape(links[cell.name])}">{text}</a>'
            cells.append(f"<td>{text}</td>")
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table>{''.join(rows)}</table>"
