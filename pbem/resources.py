"""Folders of files other than code.

In a checkout they are beside the package, in an install inside it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

PACKAGE = Path(__file__).parent


def folder(name: Literal["templates", "db", "docs"]) -> Path:
    """Return the folder of templates, migrations or players' pages."""
    inside = PACKAGE / name
    return inside if inside.is_dir() else PACKAGE.parent / name
