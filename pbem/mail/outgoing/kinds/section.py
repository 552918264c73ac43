"""Section: a part of a mail with a template of its own, as each command of a player's has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Section(NamedTuple):
    """A part of the answer: a template and what it needs beside the view of the match."""

    name: str
    data: Mapping[str, Any]
