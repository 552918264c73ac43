"""Test that a release contains what its README links to, and that its wheel runs a club."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.servers

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a new sdist and wheel."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True)
    return folder


def test_sdist_contains_what_the_readme_and_checks_need(dist: Path) -> None:
    (sdist,) = dist.glob("*.tar.gz")
    with tarfile.open(sdist) as file:
        names = {name.partition("/")[2] for name in file.getnames()}
    readme = (ROOT / "README.md").read_text("utf-8")
    linked = {each.rstrip("/") for each in re.findall(r"\]\((?!\w+:)([^)#\s]+)", readme)}
    checks = {"Makefile", "requirements-dev.lock", "bench/requirements.lock", "bench/path.py"}
    folders = {str(parent) for name in names for parent in Path(name).parents}
    assert (linked | checks) - names - folders == set()


@pytest.mark.thorough
@pytest.mark.timeout(600)
def test_wheel_in_an_empty_environment_runs_a_club(dist: Path, tmp_path: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    python = tmp_path / "venv" / "bin" / "python"
    venv = [sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "venv")]
    subprocess.run(venv, check=True)
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    pip.append("--no-compile")  # most of it is never run
    lock = str(ROOT / "requirements.lock")
    subprocess.run([*pip, "--require-hashes", "-r", lock], check=True)
    subprocess.run([*pip, "--no-deps", str(wheel)], check=True)
    club = tmp_path / "club"
    club.mkdir()

    def pbem(*words: str) -> str:
        environment = {"PATH": os.environ["PATH"], "HOME": str(club)}
        program = str(python.with_name("pbem"))
        done = subprocess.run(
            [program, *words], cwd=club, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    pbem("init", "--defaults")
    pbem("member", "add", "Anna", "anna@example.org")
    pbem("member", "add", "Bert", "bert@example.org")
    pbem("match", "new", "lancelot", "Anna", "Bert")
    assert "Lancelot" in pbem("match", "show", "1")
