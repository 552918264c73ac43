"""Test that docs/retention.md says how long the rows of each table are kept."""

from __future__ import annotations

import re
from pathlib import Path

from pbem.adapters.db.tables import DatabaseRow

PAGE = Path(__file__).parents[2] / "docs" / "retention.md"
SECTION = re.compile(r"^## Table by table$(.*?)^## ", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| (`.*?) \|", re.MULTILINE)


def test_every_table_is_on_the_page_once() -> None:
    section = SECTION.search(PAGE.read_text("utf-8"))
    assert section is not None
    told = [name for row in ROW.findall(section[1]) for name in re.findall(r"`([a-z_]+)`", row)]
    assert len(told) == len(set(told))
    assert set(told) == set(DatabaseRow.metadata.tables)
