"""The tutorial's game, added by the steps of CONTRIBUTING, passes the tests of the other games."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOT_COPIED = shutil.ignore_patterns("__pycache__")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the repository in which Nim is one of the games."""
    for name in ("pbem", "tests", "docs"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=NOT_COPIED)
    for name in ("templates", "db", "pyproject.toml", "README.md"):
        (tmp_path / name).symlink_to(ROOT / name)
    add_nim(tmp_path)
    return tmp_path


def add_nim(root: Path) -> None:
    """Follow each step of CONTRIBUTING, "Add a game"."""
    nim = root / "pbem" / "games" / "nim"
    shutil.copytree(root / "tests" / "toys" / "nim", nim)
    for path in nim.rglob("*.py"):
        replace(path, "tests.toys.nim", "pbem.games.nim")
    shutil.copytree(nim / "data", root / "tests" / "data", dirs_exist_ok=True)
    shutil.rmtree(nim / "data")
    games = root / "pbem" / "games" / "__init__.py"
    lancelot = '    "lancelot": lancelot.FAMILY,\n'
    replace(games, lancelot, lancelot + '    "nim": nim.FAMILY,\n')
    replace(games, "import lancelot, lanko, lanrick", "import lancelot, lanko, lanrick, nim")
    lancelot = "| `lancelot` | `target` `exhausted` |\n"
    contracts = root / "docs" / "contracts.md"
    replace(contracts, lancelot, lancelot + "| `nim` | `last-one` |\n")


def replace(path: Path, old: str, new: str) -> None:
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")


@pytest.mark.servers
def test_game_of_tutorial_passes_tests_of_games(checkout: Path) -> None:
    tests = ("tests/games", "tests/docs/test_contracts.py", "tests/painters/test_pictures.py")
    chosen = "nim or missing or terminations"
    options = ("-q", "--tb=short", "-n", "0", "-p", "no:cacheprovider", "-k", chosen)
    command = (sys.executable, "-m", "pytest", *options, *tests)
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
