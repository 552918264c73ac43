"""The phrase files of pbem, and the calls in the code that make phrases of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pbem

PBEM = Path(pbem.__path__[0])
HOMES = tuple(
    "pbem." + ".".join(path.parent.relative_to(PBEM).parts)
    for path in sorted(PBEM.rglob("words/en.toml"))
)
"""Packages that have phrase files."""
FILES = tuple(sorted(PBEM.rglob("words/*.toml")))


class Call(NamedTuple):
    """A place in the code that makes a phrase."""

    place: str
    home: str
    key: str
    values: frozenset[str]


def home_of(file: Path) -> str:
    """Return the package of a phrase file."""
    return "pbem." + ".".join(file.parent.relative_to(PBEM).parts)


def calls() -> Iterator[Call]:
    """Return every call in pbem's code that makes a phrase."""
    for path in sorted(PBEM.rglob("*.py")):
        source = path.read_text("utf-8")
        if not any(f"from {home} import" in source for home in HOMES):
            continue  # reading them all takes longer than the rest
        tree = ast.parse(source)
        homes = dict(_imported(tree))
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Name(id=name)) if name in homes:
                    yield _call(f"{path.relative_to(PBEM)}:{node.lineno}", homes[name], node)


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Return the names under which a module knows the phrases of packages."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in HOMES:
            for alias in node.names:
                yield alias.asname or alias.name, node.module


def _call(place: str, home: str, node: ast.Call) -> Call:
    names = [keyword.arg for keyword in node.keywords]
    match node.args:
        case [ast.Constant(value=str(key))] if None not in names:
            return Call(place, home, key, frozenset(name for name in names if name))
    raise AssertionError(f"{place}: write out the key and the names of the values")
