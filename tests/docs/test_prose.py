"""Test that prose avoids the turns of phrase in prose.toml."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
AREAS = {
    "templates": ("templates/**/*.j2", "templates/**/*.toml", "pbem/**/words/*.toml"),
    "pages": ("*.md", "docs/**/*.md", "deploy/**/*.md", "changes/*.md", "pbem/**/*.md"),
    "code": ("pbem/**/*.py", "db/**/*.py"),
    "tests": ("tests/**/*.py", "bench/**/*.py"),
    "examples": (
        "examples/**/*.md",
        "examples/**/*.py",
        "examples/**/words/*.toml",
    ),
}
DROPPED = r"```.*?```|`[^`]*`|\{[a-z_]+\}|\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}|<[^<>]*>|\]\([^)]*\)"
"""Code, tags of templates and targets of links."""


class Rule(NamedTuple):
    match: re.Pattern[str]
    unless: re.Pattern[str] | None
    kind: str | None
    say: str


def rules() -> list[Rule]:
    """Read the rules, with a space in a phrase standing for any white space."""
    return [
        Rule(
            re.compile(each["match"].replace(" ", r"\s+")),
            re.compile(rf"\b{each['unless']}\s+$") if "unless" in each else None,
            each.get("in"),
            each["say"],
        )
        for each in tomllib.loads((ROOT / "tests/docs/prose.toml").read_text())["rule"]
    ]


def prose_of(path: Path) -> Iterator[tuple[str, int, str]]:
    """Yield each piece of prose in a file: its kind, first line and text."""
    source = path.read_text("utf-8")
    match path.suffix:
        case ".py":
            yield from prose_in_code(source)
        case ".toml":
            for number, line in enumerate(source.splitlines(), 1):
                for value in re.findall(r'"((?:[^"\\]|\\.)*)"', line):
                    yield "text", number, blanked(value)
        case _:
            indented = r"(?m:^ {4,}.*$)|" if path.suffix == ".md" else ""
            yield "text", 1, blanked(source, indented)


def blanked(text: str, more: str = "") -> str:
    """Replace code and tags with an x, keeping the number of lines."""
    pattern = re.compile(more + DROPPED, re.DOTALL)
    return pattern.sub(lambda found: "x" + "\n" * found.group().count("\n"), text)


def prose_in_code(source: str) -> Iterator[tuple[str, int, str]]:
    """Yield docstrings, including those of attributes, comments and names of tests."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield "docstring", node.lineno, blanked(text, r"(?m:^ {8,}.*$)|")
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                if name.startswith("test_"):
                    yield "name", node.lineno, name.removeprefix("test_").replace("_", " ")
    held: list[tuple[int, str]] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            if held and token.start[0] != held[-1][0] + 1:
                yield "comment", held[0][0], "\n".join(text for _, text in held)
                held = []
            held.append((token.start[0], blanked(token.string.lstrip("#: "))))
    if held:
        yield "comment", held[0][0], "\n".join(text for _, text in held)


def hits(path: Path, known: list[Rule]) -> Iterator[str]:
    """Yield each match in a file as `FILE:LINE: MATCH: say …`."""
    for kind, first, written in prose_of(path):
        text = written.lower()
        for rule in known:
            if rule.kind not in (None, kind):
                continue
            for found in rule.match.finditer(text):
                if not (rule.unless and rule.unless.search(text[: found.start()])):
                    line = first + text.count("\n", 0, found.start())
                    shown = " ".join(found.group().split())
                    yield f"{path.relative_to(ROOT)}:{line}: {shown!r}: say {rule.say}"


@pytest.mark.parametrize("area", AREAS)
def test_prose_is_plain_english(area: str) -> None:
    paths = {path for glob in AREAS[area] for path in ROOT.glob(glob)}
    found = [hit for path in sorted(paths) for hit in hits(path, rules())]
    assert not found, "\n".join(["", *found])
