"""Test that the lock files list everything that pyproject.toml needs, and name no package index."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[2]
RUNNING, DEVELOPING = ((ROOT / f"requirements{kind}.lock").read_text() for kind in ("", "-dev"))


def pins(lock: str) -> dict[NormalizedName, Version]:
    found = re.findall(r"^([\w.-]+)==([^\s;]+)", lock, re.MULTILINE)
    return {canonicalize_name(name): Version(version) for name, version in found}


def wanted(*, developing: bool) -> list[Requirement]:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = pyproject["dependency-groups"]
    extras = dict(pyproject["project"]["optional-dependencies"])
    testing = extras.pop("testing")  # no club needs it
    lists = [
        pyproject["build-system"]["requires"],
        pyproject["project"]["dependencies"],
        *extras.values(),
        *([testing] if developing else []),
        *([groups["build"], groups["dev"]] if developing else [groups["build"]]),
    ]
    return [Requirement(text) for text in sorted({text for texts in lists for text in texts})]


def test_runtime_dependencies_are_locked() -> None:
    assert lacking(wanted(developing=False), pins(RUNNING)) == [], "run make lock"


def test_development_dependencies_are_locked() -> None:
    assert lacking(wanted(developing=True), pins(DEVELOPING)) == [], "run make lock"


def lacking(
    requirements: list[Requirement], pinned: dict[NormalizedName, Version]
) -> list[Requirement]:
    """Return the dependencies that are not pinned, or pinned to an unwanted version."""
    versions = [(each, pinned.get(canonicalize_name(each.name))) for each in requirements]
    return [each for each, version in versions if not version or version not in each.specifier]


def test_runtime_dependencies_are_tested_in_the_locked_versions() -> None:
    assert pins(RUNNING).items() <= pins(DEVELOPING).items()


def test_test_tools_are_not_runtime_dependencies() -> None:
    assert pins(RUNNING).keys().isdisjoint({"pytest", "mypy", "ruff", "hypothesis", "grimp"})


@pytest.mark.parametrize("lock", (RUNNING, DEVELOPING), ids=("running", "developing"))
def test_every_pin_has_a_hash(lock: str) -> None:
    entries = re.split(r"^(?=[\w.-]+==)", lock, flags=re.MULTILINE)[1:]
    assert len(entries) == len(pins(lock))
    assert all("--hash=sha256:" in entry for entry in entries)


@pytest.mark.parametrize("lock", (RUNNING, DEVELOPING), ids=("running", "developing"))
def test_no_lock_names_an_index(lock: str) -> None:
    assert not re.search(r"://|--(extra-)?index-url|--find-links|--trusted-host|\s-[if]\s", lock)
