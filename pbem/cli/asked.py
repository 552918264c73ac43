"""Which command the words of a command line ask for."""

from __future__ import annotations

from collections.abc import Sequence


def asked_command(words: Sequence[str]) -> str:
    """The command that is asked for, behind the options of pbem itself; empty if none is."""
    rest = iter(words)
    for word in rest:
        if word == "--config":
            next(rest, "")
        elif not word.startswith("-"):
            return word
    return ""
