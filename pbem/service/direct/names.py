"""Names at the beginning of a text, which may have spaces in them: `Bert Brown has vanished`."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.matches.directing import DecisionError
from pbem.service.work import Work


def split_name(text: str, names: Iterable[str]) -> tuple[str, str]:
    """The longest of some names that a text begins with, and the rest; else its first word."""
    words = text.split()
    known = {name.casefold() for name in names}
    for count in range(len(words), 0, -1):
        if " ".join(words[:count]).rstrip(",:").casefold() in known:
            return " ".join(words[:count]).rstrip(",:"), " ".join(words[count:])
    return (words[0].rstrip(",:"), " ".join(words[1:])) if words else ("", "")


def names_in(work: Work, number: int) -> list[str]:
    """Names of who plays a match; raises StorageError if there is none."""
    return [work.players.get(each).name for each in work.matches.get(number).players]


def split_member(work: Work, text: str) -> tuple[str, str]:
    """The name of a member that a text begins with, and the rest; raises DecisionError."""
    words = text.split()
    for count in range(len(words), 0, -1):
        if work.players.named(" ".join(words[:count])) is not None:
            return " ".join(words[:count]), " ".join(words[count:])
    raise DecisionError(f"there is no member {words[0]}" if words else "nobody is named")
