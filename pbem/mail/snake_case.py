"""Names of templates, from the names of the types that they are for."""

from __future__ import annotations

import re

_WORD = re.compile(r"(?<!^)(?=[A-Z])")


def snake_case(name: str) -> str:
    """`draw_accepted`, from `DrawAccepted`."""
    return _WORD.sub("_", name).lower()
