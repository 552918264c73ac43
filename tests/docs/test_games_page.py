"""Test that docs/games.md builds a distribution that works, and lists what is public."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from tests.toys.pocket_games import PAGE, assemble

TEXT = PAGE.read_text("utf-8")
PUBLIC = re.findall(r"^\| `(pbem\.[a-z_.]+)` \| (.+) \|$", TEXT, re.MULTILINE)
CONSOLE = re.findall(r"^\$ (.+)$", TEXT, re.MULTILINE)
PIP = ("pip", "--quiet", "--disable-pip-version-check", "install")
OFFLINE = ("--no-index", "--no-deps", "--no-build-isolation")


def run(*command: str, folder: Path, **environment: str) -> str:
    """Run a command in a folder and return what it prints."""
    paths = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **paths, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.servers
def test_distribution_of_the_page_keeps_all_promises(tmp_path: Path) -> None:
    source, installed = tmp_path / "source", tmp_path / "installed"
    assemble(source)
    run(sys.executable, "-m", *PIP, *OFFLINE, "--target", str(installed), ".", folder=source)
    env = {"PYTHONPATH": str(installed), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    tested = run(sys.executable, "-m", "pytest", "-q", "-k", "not speed", folder=source, **env)
    assert " passed" in tested
    listed, played = (run("sh", "-c", each, folder=source, **env) for each in CONSOLE)
    assert "hexapawn" in listed
    assert '"canonical": "take 3"' in played
    run("mypy", "--strict", "pbem_pocket", folder=source, MYPYPATH=str(PAGE.parents[1]))
    rules = ("--config", str(PAGE.parents[1] / "pyproject.toml"), "--ignore", "I001")
    run("ruff", "check", *rules, folder=source)  # pbem is not first-party here


@pytest.mark.parametrize(("module", "names"), PUBLIC)
def test_page_lists_the_public_names(module: str, names: str) -> None:
    found = import_module(module)
    listed = names.replace("`", "").split()
    assert sorted(listed) == sorted(found.__all__)
    for name in listed:
        public = getattr(found, name)
        assert public.__doc__ or not isinstance(public, type), name
