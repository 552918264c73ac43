"""Distributions that tests install and remove: a folder on the path, with their metadata."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem import games
from pbem.games.installed import Choice

NIM = """
from dataclasses import replace
from pbem.games.api import Family
from tests.toys.pocket_games import Nim

def nim(key="nim", **info):
    game = Nim()
    game.info = replace(Nim.info, key=key, **info)
    return game

"""
"""Beginning of a module that provides the toy game, perhaps with other facts."""
FAMILY = "FAMILY = Family(api=1, games=(nim(),))"


class Shelf:
    """A folder of installed distributions, each with one module."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def install(
        self, name: str, code: str = FAMILY, *, version: str = "1.0", value: str = ""
    ) -> None:
        """Install a distribution, in place of an earlier version. `code` comes after `NIM`."""
        self._remove(name)
        module = name.replace("-", "_")
        (self.folder / f"{module}.py").write_text(NIM + code, "utf-8")
        metadata = self.folder / f"{module}-{version}.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", "utf-8"
        )
        (metadata / "entry_points.txt").write_text(
            f"[pbem.games]\n{name} = {value or f'{module}:FAMILY'}\n", "utf-8"
        )
        self._restart()

    def uninstall(self, name: str) -> None:
        """Remove a distribution."""
        self._remove(name)
        self._restart()

    def _remove(self, name: str) -> None:
        module = name.replace("-", "_")
        (self.folder / f"{module}.py").unlink(missing_ok=True)
        shutil.rmtree(self.folder / "__pycache__", ignore_errors=True)
        for metadata in self.folder.glob(f"{module}-*.dist-info"):
            shutil.rmtree(metadata)
        sys.modules.pop(module, None)

    def _restart(self) -> None:
        """Find what is installed, as a new process does."""
        importlib.invalidate_caches()
        games.find_again()


@contextmanager
def shelf(folder: Path) -> Iterator[Shelf]:
    """Put a folder of distributions on the path for a while."""
    folder.mkdir()
    sys.path.insert(0, str(folder))
    here = Shelf(folder)
    try:
        yield here
    finally:
        for metadata in folder.glob("*.dist-info"):
            here._remove(metadata.name.partition("-")[0])
        sys.path.remove(str(folder))
        games.choose(Choice())
        here._restart()
