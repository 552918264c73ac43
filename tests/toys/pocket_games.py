"""The distribution that docs/games.md builds, assembled from its blocks of code.

A block starts with the path of its file, as a comment. It replaces the file, or continues it.
"""

from __future__ import annotations

import atexit
import re
import shutil
import sys
from importlib import import_module
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from pbem.games.api import AnyGame, Family

PAGE = Path(__file__).parents[2] / "docs" / "games.md"
BLOCK = re.compile(
    r"^```\w+\n(?:#|<!--) ([\w./-]+\.\w+)(, continued[\w ]*)?(?: -->)?\n(.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


def files() -> dict[str, str]:
    """Return the files of the page by path."""
    found: dict[str, str] = {}
    for path, continued, text in BLOCK.findall(PAGE.read_text("utf-8")):
        found[path] = found[path] + text if continued else text
    return found


def assemble(folder: Path) -> None:
    """Write the files of the page into a folder."""
    for name, text in files().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def _imported() -> Any:
    folder = Path(mkdtemp(prefix="pocket-games-"))
    atexit.register(shutil.rmtree, folder)
    assemble(folder)
    sys.path.append(str(folder))
    return import_module("pbem_pocket")


_pocket = _imported()
FAMILY: Family = _pocket.FAMILY
Nim: type[AnyGame] = type(_pocket.NIM)
NIM: AnyGame = _pocket.NIM
HEXAPAWN: AnyGame = _pocket.HEXAPAWN
