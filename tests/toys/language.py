"""A toy language: the English templates and phrases of emails with every word reversed.

Text that readers send back stays as it is: commands in quotation marks, and lines indented by four
spaces. So do Jinja's keywords and expressions.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, DictLoader, Environment, FileSystemLoader

from pbem.commands import all_commands
from pbem.games.phrases import Forms, stored
from pbem.mail.outgoing.render import Renderer
from pbem.resources import folder
from pbem.settings import players_settings
from pbem.testing.toy_language import turned, turned_forms, vocabulary as of_games, words_in

LANGUAGE = "toy"
_KEPT = re.compile(r"\"[^\"\n]*\"|^ {4}\S.*$|^  set\b|\bpbem [a-z ]+|\bconfirm\b", re.MULTILINE)
_ENGLISH = folder("templates") / "mail" / "en"


def toy_language() -> Renderer:
    """Return the templates in the toy language, with the English ones beside them."""
    files = {f"{LANGUAGE}/{name}": text for name, text in _templates().items()}
    files[f"{LANGUAGE}/phrases.toml"] = _phrases()
    loader = ChoiceLoader([DictLoader(files), FileSystemLoader(_ENGLISH.parent)])
    return Renderer(loader, source=_forms)


def _forms(home: str, language: str) -> Forms:
    return turned_forms(home, language) if language == LANGUAGE else stored(home, language)


def _prose_turned(text: str) -> str:
    """Return a template with its words reversed, except for text to be sent unchanged."""
    parts, end = [], 0
    for kept in _KEPT.finditer(text):
        parts += [turned(text[end : kept.start()]), kept[0]]
        end = kept.end()
    return "".join([*parts, turned(text[end:])])


def _files() -> list[Path]:
    return sorted(_ENGLISH.rglob("*.j2"))


@cache
def _templates() -> dict[str, str]:
    return {
        str(path.relative_to(_ENGLISH)): "".join(
            _prose_turned(text) if prose else text for prose, text in _tokens(path)
        )
        for path in _files()
    }


def _prose(path: Path) -> Iterator[str]:
    return (text for prose, text in _tokens(path) if prose)


def _tokens(path: Path) -> Iterator[tuple[bool, str]]:
    """Return the pieces of a template, and whether each is prose or Jinja code."""
    environment = Environment(keep_trailing_newline=True)
    for _, kind, text in environment.lex(path.read_text("utf-8")):
        yield kind == "data", text


@cache
def _phrases() -> str:
    english: dict[str, Any] = tomllib.loads((_ENGLISH / "phrases.toml").read_text("utf-8"))
    names = (each.name for command in all_commands() for each in command.arguments)
    tables = {
        "list": {key: turned(text) for key, text in english["list"].items()},
        "commands": {command.word: turned(command.summary) for command in all_commands()},
        "arguments": {name: turned(name) for name in names},
        "helps": {
            f"{command.word} {each.name}": turned(each.help)
            for command in all_commands()
            for each in command.arguments
        },
        "groups": {key: turned(text) for key, text in english["groups"].items()},
        "settings": {each.key: turned(each.help) for each in players_settings()},
        "competitions": {kind: turned(kind) for kind in ("set", "series", "tournament")},
        **{
            name: {key: turned(text) for key, text in english[name].items()}
            for name in ("kinds", "states", "urgencies", "lapsed")
        },
    }
    lines = [f"{key} = {[turned(name) for name in english[key]]}" for key in ("days", "months")]
    lines += [f"keep = {json.dumps(turned(english['keep']))}"]
    for name, table in tables.items():
        lines += [f"[{name}]", *(f'"{key}" = {json.dumps(text)}' for key, text in table.items())]
    return "\n".join(lines)


@cache
def vocabulary() -> frozenset[str]:
    """Return all words of the language."""
    said = " ".join(_KEPT.sub("", text) for path in _files() for text in _prose(path))
    phrases = tomllib.loads(_phrases())
    named = [*phrases["days"], *phrases["months"], phrases["keep"]]
    for table in phrases.values():
        named += table.values() if isinstance(table, dict) else ()
    return frozenset(words_in(turned(said)) | words_in(" ".join(named)) | of_games())
