"""The phrase files of a package, and the calls in its code that make phrases of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from pbem.games.phrases import DEFAULT


class Call(NamedTuple):
    """A place in the code that makes a phrase."""

    place: str
    home: str
    key: str
    values: frozenset[str]


def files(package: str) -> list[Path]:
    """Return the phrase files of a package, in all languages."""
    return [path for home in homes(package) for path in sorted(_folder(home).glob("*.toml"))]


@cache
def homes(package: str) -> tuple[str, ...]:
    """Return the packages below this one that have phrase files, perhaps including it."""
    root = _folder(package)
    found = (path.parent for path in root.rglob(f"{DEFAULT}.toml"))
    homes = (".".join((package, *folder.relative_to(root).parts)) for folder in found)
    return tuple(sorted(home for home in homes if _makes_phrases(_folder(home))))


def _makes_phrases(folder: Path) -> bool:
    code = folder / "__init__.py"
    return code.is_file() and "Phrases(__name__)" in code.read_text("utf-8")


def home_of(file: Path, package: str) -> str:
    """Return the package of a phrase file."""
    return next(home for home in homes(package) if _folder(home) == file.parent)


@cache
def calls(package: str) -> tuple[Call, ...]:
    """Return every call in the code of a package that makes a phrase of its own files."""
    return tuple(_calls(package))


def _calls(package: str) -> Iterator[Call]:
    root, known = _folder(package), homes(package)
    for path in sorted(root.rglob("*.py")):
        source = path.read_text("utf-8")
        if not any(f"from {home} import" in source for home in known) and (
            "Phrases(__name__)" not in source
        ):
            continue  # reading them all takes longer than the rest
        tree, module = ast.parse(source), _module(package, path.relative_to(root))
        names = dict(_names(tree, module, known))
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Name(id=name)) if name in names:
                    yield _call(f"{path.relative_to(root)}:{node.lineno}", names[name], node)


def _names(tree: ast.Module, module: str, known: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Return the names by which a module makes phrases, each with their home."""
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=str(home), names=names) if home in known:
                yield from ((alias.asname or alias.name, home) for alias in names)
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="Phrases"))
            ):
                yield name, module


def _call(place: str, home: str, node: ast.Call) -> Call:
    names = [keyword.arg for keyword in node.keywords]
    match node.args:
        case [ast.Constant(value=str(key))] if None not in names:
            return Call(place, home, key, frozenset(name for name in names if name))
    raise AssertionError(f"{place}: write out the key and the names of the values")


def _module(package: str, path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join((package, *(parts[:-1] if parts[-1] == "__init__" else parts)))


def _folder(package: str) -> Path:
    return Path(next(iter(import_module(package).__path__)))
