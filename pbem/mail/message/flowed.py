"""Format=flowed (RFC 3676): paragraphs that a client broke into short lines, made whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

_QUOTE = re.compile(r">*")
_SIGNATURE = "-- "
NO_QUOTE = "\u200c"
"""Cannot be seen; stands before a `>` that the person typed at the beginning of a line."""


def unfolded(text: str, *, delete_space: bool = False) -> str:
    """Text with flowed lines joined; quote marks stay, each line of a quote keeps its own."""
    return "\n".join(_lines(text, delete_space))


def _lines(text: str, delete_space: bool) -> Iterator[str]:
    depth, pending = 0, list[str]()
    for line in text.split("\n"):
        marks = _QUOTE.match(line)
        level = marks.end() if marks else 0
        content = line[level + 1 :] if line[level : level + 1] == " " else line[level:]
        if not level and content.startswith(">"):  # stuffed because it is no quote (section 4.4)
            content = NO_QUOTE + content
        # A flowed line ends where the quote depth changes, whatever it says (section 4.5), and a
        # signature line is never part of a paragraph (section 4.3).
        if pending and (level != depth or content == _SIGNATURE):
            yield _marked(depth, pending)
            pending = []
        depth = level
        if content.endswith(" ") and content != _SIGNATURE:
            pending.append(content[:-1] if delete_space else content)
        else:
            yield _marked(depth, [*pending, content])
            pending = []
    if pending:
        yield _marked(depth, pending)


def _marked(depth: int, pieces: list[str]) -> str:
    marks = ">" * depth + " " if depth else ""
    return marks + "".join(pieces)
