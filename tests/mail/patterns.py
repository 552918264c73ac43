"""Patterns: every regular expression of a package, and texts that slow a bad one down."""

from __future__ import annotations

import ast
import inspect
import pkgutil
import re
import re._constants as sre  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

MANY = 20
"""Repeats that may match at least this many times are attacked, others are not."""


METHODS = {"match", "search", "fullmatch", "findall", "finditer", "sub", "split"}
CALL = re.compile(r"\bre\s*\.")
"""A module without this calls nothing of `re`. Parsing it would take longer than all else here."""


class Attack(NamedTuple):
    """A prefix that leads into a repeat of a pattern, and the text that loops there."""

    way_in: str
    round: str


class Used(NamedTuple):
    """A pattern, and the methods it is used with."""

    pattern: re.Pattern[Any]
    ways: frozenset[str]


def patterns_of(package: ModuleType) -> dict[str, Used]:
    """Return all patterns passed to a function of `re`, by place."""
    found: dict[str, Used] = {}
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        module = import_module(info.name)
        source = inspect.getsource(module)
        if not CALL.search(source):
            continue
        nodes = list(ast.walk(ast.parse(source)))
        names = _names_of_values(nodes)
        methods = _methods_by_name(nodes)
        for node in nodes:
            if isinstance(node, ast.Call) and _is_of_re(node):
                pattern = _compiled(node, module)
                if pattern is not None:
                    ways = _ways(node, names[node], methods)
                    found[f"{info.name}:{node.lineno}"] = Used(pattern, ways)
    return found


def _names_of_values(nodes: Iterable[ast.AST]) -> Mapping[ast.AST, set[str]]:
    """Return the names that each value is assigned to in a module."""
    found: defaultdict[ast.AST, set[str]] = defaultdict(set)
    for node in nodes:
        if isinstance(node, ast.Assign):
            found[node.value] |= {each.id for each in node.targets if isinstance(each, ast.Name)}
    return found


def _methods_by_name(nodes: Iterable[ast.AST]) -> Mapping[str, set[str]]:
    """Return the pattern methods that a module calls on each name."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found[node.value.id] |= {node.attr} & METHODS
    return found


def _ways(call: ast.Call, names: set[str], methods: Mapping[str, set[str]]) -> frozenset[str]:
    """Return the methods a pattern is used with in its module, or `search` if none is seen."""
    assert isinstance(call.func, ast.Attribute)
    if call.func.attr != "compile":
        return frozenset({call.func.attr})
    return frozenset(set().union(*(methods[name] for name in names)) or {"search"})


def _is_of_re(call: ast.Call) -> bool:
    return (
        isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id == "re"
        and call.func.attr in (*METHODS, "compile")
    )


MADE = {
    "pbem.games.simple",
    "pbem.inbox.hand_over",
    "pbem.mail.identity",
    "pbem.mail.message.body",
}
"""Modules that build patterns from arguments, which are tested separately."""


def _compiled(call: ast.Call, module: ModuleType) -> re.Pattern[Any] | None:
    """Return the pattern of a call, whose text must be known without running the function.

    Returns None if it depends on arguments of that function, as few modules may.
    """
    flags = [arg for arg in ast.walk(call) if isinstance(arg, ast.Attribute) and arg.attr.isupper()]
    names = [arg.attr for arg in flags if isinstance(arg.value, ast.Name) and arg.value.id == "re"]
    try:
        text = eval(compile(ast.Expression(call.args[0]), "", "eval"), vars(module))
    except NameError:
        assert module.__name__ in MADE
        return None
    return re.compile(text, sum(getattr(re, name) for name in set(names)))


def attacks_on(pattern: re.Pattern[Any]) -> list[Attack]:
    """Return a few attacks on each long repeat in a pattern."""
    text = (
        pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    )
    tree = parser.parse(text, pattern.flags & ~re.UNICODE)
    several = (list(_attacks(tree, "", Random(seed))) for seed in range(2))
    return list(dict.fromkeys(attack for attacks in several for attack in attacks))


def _attacks(tree: Iterable[Any], before: str, chance: Random) -> Iterator[Attack]:
    for kind, value in tree:
        if kind in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            yield from _attacks(value[2], before, chance)
            if value[1] >= MANY:
                yield Attack(before, _sample(value[2], chance) or "a")
        else:
            for inner in _inside(kind, value):
                yield from _attacks(inner, before, chance)
        before += _sample([(kind, value)], chance)


def _inside(kind: Any, value: Any) -> list[Any]:
    if kind is sre.SUBPATTERN:
        return [value[3]]
    if kind is sre.BRANCH:
        return list(value[1])
    return [value[1]] if kind in (sre.ASSERT, sre.ASSERT_NOT) else []


def _sample(tree: Iterable[Any], chance: Random) -> str:
    """Return a text that the pattern probably matches, without trying it."""
    return "".join(_sample_of(kind, value, chance) for kind, value in tree)


def _sample_of(kind: Any, value: Any, chance: Random) -> str:
    if kind is sre.LITERAL:
        return chr(value)
    if kind is sre.NOT_LITERAL:
        return "b" if value == ord("a") else "a"
    if kind is sre.ANY:
        return chance.choice("a .")
    if kind is sre.IN:
        return _sample_of_set(value, chance)
    if kind is sre.BRANCH:
        return _sample(chance.choice(value[1]), chance)
    if kind is sre.SUBPATTERN:
        return _sample(value[3], chance)
    if kind in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
        return _sample(value[2], chance) * max(int(value[0]), chance.randrange(2))
    return ""


_OF_CATEGORY = {
    sre.CATEGORY_DIGIT: "7",
    sre.CATEGORY_SPACE: " ",
    sre.CATEGORY_WORD: "a",
    sre.CATEGORY_NOT_DIGIT: "a",
    sre.CATEGORY_NOT_SPACE: "a",
    sre.CATEGORY_NOT_WORD: "-",
}


def _sample_of_set(items: Any, chance: Random) -> str:
    if items[0][0] is sre.NEGATE:
        excluded = re.compile("|".join(re.escape(_first(item)) for item in items[1:]))
        return next((char for char in chance.sample("a b.-7", 6) if not excluded.match(char)), "~")
    return _first(chance.choice(items))


def _first(item: Any) -> str:
    kind, value = item
    if kind is sre.CATEGORY:
        return str(_OF_CATEGORY[value])
    return chr(value[0] if kind is sre.RANGE else value)
