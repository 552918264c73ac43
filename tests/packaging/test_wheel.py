"""Test that a wheel can be built from the sdist, and that it contains the package and its data."""

import subprocess
import sys
from pathlib import Path, PurePosixPath
from zipfile import ZipFile

import pytest

pytestmark = pytest.mark.servers

ROOT = Path(__file__).parents[2]


def build(source: Path, target: str, folder: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "--target", target]
    subprocess.run([*command, "--directory", str(folder)], cwd=source, check=True)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel_names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Return the names in a wheel built from the sdist, as an installer would build it."""
    folder = tmp_path_factory.mktemp("dist")
    unpacked = folder / "source"
    unpacked.mkdir()
    subprocess.run(["tar", "-xf", build(ROOT, "sdist", folder / "sdist")], cwd=unpacked, check=True)
    (source,) = unpacked.iterdir()
    with ZipFile(build(source, "wheel", folder / "wheel")) as wheel:
        return set(wheel.namelist())


@pytest.mark.parametrize(
    ("folder", "shipped_as"),
    (("pbem", "pbem"), ("templates", "pbem/templates"), ("db", "pbem/db")),
)
def test_wheel_contains_every_file(folder: str, shipped_as: str, wheel_names: set[str]) -> None:
    files = {
        str(PurePosixPath(shipped_as, path.relative_to(ROOT / folder)))
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert files <= wheel_names


def test_wheel_contains_only_pbem(wheel_names: set[str]) -> None:
    assert {name.split("/")[0] for name in wheel_names} == {"pbem", "pbem-1.0.0.dist-info"}
