"""Authentication-Results: the grammar of RFC 8601 section 2.2, and what servers make of it.

    field  = host [version] *(";" [result / "none"])
    result = method "=" verdict *(name "=" value)

Space and comments separate; a value is a sequence of words and quoted strings without any between
them. The senders of mails have a say in what stands there; so where anything is left over, or a
quoted string or comment has no end, nothing of the field can be relied upon.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple


class Result(NamedTuple):
    """What a server has found out by one method."""

    method: str
    """In lower case, without its version."""
    verdict: str
    """In lower case."""
    said: tuple[tuple[str, str], ...]
    """Names in lower case, and values as they were written."""


class Results(NamedTuple):
    """A field: who has added it, and what is in it."""

    host: str
    """In lower case; empty where it cannot be known."""
    results: tuple[Result, ...] | None
    """None where the field cannot be read."""


_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|[ \t]+|[^ \t"();\\]+|[(;]', re.DOTALL)
_OF_COMMENT = re.compile(r"[^()\\]+|\\.|[()]", re.DOTALL)
_BEGINNING = re.compile(r'[ \t]*([^ \t"();\\]+)')
_HOST = re.compile(r'(?:"([^"\\]*)"|([^ "=]+))(?: \d+)?')
_PAIR = re.compile(r'([A-Za-z0-9._/-]+) ?= ?((?:"(?:[^"\\]|\\.)*"|[^ "])*)(?: |\Z)')


def read_results(value: str) -> Results:
    """Results of a field as it was written."""
    try:
        head, *parts = _parts(value)
        host = _HOST.fullmatch(head)
        if host is None:
            raise ValueError("no host")
        results = tuple(_result(part) for part in parts if part not in ("", "none"))
    except ValueError:
        begun = _BEGINNING.match(value)
        return Results(begun[1].lower() if begun else "", None)
    return Results((host[1] or host[2] or "").lower(), results)


def _parts(value: str) -> list[str]:
    """Text between the semicolons; raises ValueError where something has no end."""
    parts: list[list[str]] = [[]]
    for piece in _outside_comments(value):
        if piece == ";":
            parts.append([])
        elif piece != " " or parts[-1][-1:] != [" "]:
            parts[-1].append(piece)
    return ["".join(part).strip(" ") for part in parts]


def _outside_comments(value: str) -> Iterator[str]:
    """Pieces, one space for any space and for a comment; raises ValueError."""
    if not value.replace("\t", " ").isprintable():
        raise ValueError("something that cannot be seen")
    depth, at = 0, 0
    while at < len(value):
        piece = (_OF_COMMENT if depth else _PIECE).match(value, at)
        if piece is None:
            raise ValueError("a quoted string that has no end, or a character out of place")
        text, at = piece[0], piece.end()
        if text == "(":
            depth += 1
            yield " "
        elif depth:
            depth -= text == ")"
        else:
            yield text if text.strip(" \t") else " "
    if depth:
        raise ValueError("a comment that has no end")


def _result(part: str) -> Result:
    """Result in a part; raises ValueError where anything in it is left over."""
    pairs: list[tuple[str, str]] = []
    at = 0
    while at < len(part):
        pair = _PAIR.match(part, at)
        if pair is None:
            raise ValueError("a rest")
        pairs.append((pair[1].lower(), pair[2]))
        at = pair.end()
    (method, verdict), *said = pairs
    return Result(method.partition("/")[0], verdict.lower(), tuple(said))
