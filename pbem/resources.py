"""Where the files lie that are no code.

That is beside the package in a checkout, and inside it in an install.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

PACKAGE = Path(__file__).parent


def folder(name: Literal["templates", "db"]) -> Path:
    """Folder of templates or migrations."""
    inside = PACKAGE / name
    return inside if inside.is_dir() else PACKAGE.parent / name
