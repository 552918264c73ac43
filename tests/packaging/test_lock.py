"""The lock file names everything that pyproject.toml asks for, and no place to get it from."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[2]
LOCK = (ROOT / "requirements.lock").read_text()
PINS = {
    canonicalize_name(name): Version(version)
    for name, version in re.findall(r"^([\w.-]+)==([^\s;]+)", LOCK, re.MULTILINE)
}


def wanted() -> list[Requirement]:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text())
    lists = [
        pyproject["build-system"]["requires"],
        pyproject["project"]["dependencies"],
        *pyproject["project"]["optional-dependencies"].values(),
        *pyproject["dependency-groups"].values(),
    ]
    return [Requirement(text) for text in sorted({text for texts in lists for text in texts})]


@pytest.mark.parametrize("requirement", wanted(), ids=str)
def test_the_lock_satisfies(requirement: Requirement) -> None:
    pinned = PINS.get(canonicalize_name(requirement.name))
    assert pinned is not None, "run make lock"
    assert pinned in requirement.specifier, "run make lock"


def test_every_pin_has_a_hash() -> None:
    pins = re.split(r"^(?=[\w.-]+==)", LOCK, flags=re.MULTILINE)[1:]
    assert len(pins) == len(PINS)
    assert all("--hash=sha256:" in pin for pin in pins)


def test_the_lock_names_no_index() -> None:
    assert not re.search(r"://|--(extra-)?index-url|--find-links|--trusted-host|\s-[if]\s", LOCK)
