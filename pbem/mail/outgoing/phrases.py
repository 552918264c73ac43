"""Phrases: what the mails of a language say beside its templates, from its `phrases.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class MailPhrases:
    """The phrases of a language."""

    days: Sequence[str] = ()
    """From Monday."""
    months: Sequence[str] = ()
    stranger: str = ""
    """How somebody is addressed whose name the club does not know."""
    list: Mapping[str, str] = field(default_factory=dict)
    """What stands `between` two items, and before the `last`."""
    commands: Mapping[str, str] = field(default_factory=dict)
    """What a command does, by its word; where it is not here, the command itself says so."""
    arguments: Mapping[str, str] = field(default_factory=dict)
    """Names of arguments of commands, likewise."""
    helps: Mapping[str, str] = field(default_factory=dict)
    """What each of them is, by the word of its command and its name: `record number`."""
    groups: Mapping[str, str] = field(default_factory=dict)
    """Headings of commands, by the key of their group."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """What a player chooses by each setting, likewise."""
    competitions: Mapping[str, str] = field(default_factory=dict)
    """What each kind of competition is called, likewise."""

    def items(self, items: Iterable[object]) -> str:
        """`a`, `a and b`, `a, b and c`."""
        return in_words(items, **self.list)


def in_words(items: Iterable[object], between: str = ", ", last: str = " and ") -> str:
    """`a`, `a and b`, `a, b and c`."""
    *first, end = [str(item) for item in items] or [""]
    return f"{between.join(first)}{last}{end}" if first else end


def read_phrases(texts: Iterable[str]) -> MailPhrases:
    """Phrases of files, of which each says what those after it say otherwise, or more."""
    said: dict[str, Any] = {}
    for text in reversed(list(texts)):
        for key, value in tomllib.loads(text).items():
            said[key] = {**said.get(key, {}), **value} if isinstance(value, dict) else value
    return MailPhrases(**said)
