"""Folding: the lines of a mail as they stand in its text, none of them too long."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

from pbem.games.diagram import WIDTH
from pbem.mail.columns import columns
from pbem.mail.harmless import harmless


def indented(text: str, first: int, further: int) -> str:
    """Lines of a text, each indented, and folded where it is long."""
    return "\n".join(
        textwrap.fill(line, WIDTH, initial_indent=" " * first, subsequent_indent=" " * further)
        for line in text.splitlines()
    )


def beside(rows: Sequence[Sequence[str]], gap: int = 2) -> str:
    """Rows of cells: the first on the left, the others below one another beside it."""
    width = max((len(first) for first, *_ in rows), default=0)
    return "\n".join(_beside(row, width + gap) for row in rows)


def _beside(row: Sequence[str], width: int) -> str:
    first, *others = row
    lines = [line for cell in filter(None, others) for line in _lines(cell, 2 + width)]
    below = "".join(f"\n{'':{2 + width}}{line}" for line in lines[1:])
    return f"  {first:{width}}{lines[0] if lines else ''}".rstrip() + below


SHORT = 12
"""Columns of a term that has what it is on its own line."""


def explained(rows: Sequence[Sequence[str]]) -> str:
    """Terms and what they are; a long term stands above it."""
    return "\n".join(
        _beside((term, said), SHORT + 2)
        if len(term) <= SHORT
        else "\n".join([f"  {term}", *(f"      {line}" for line in _lines(said, 6))])
        for term, said in rows
    )


def _lines(text: str, indent: int) -> list[str]:
    return textwrap.wrap(text, WIDTH - indent, break_on_hyphens=False)


def hanging(text: str, indent: int = 2) -> str:
    """A text with its long lines folded, each by itself."""
    return "\n".join(
        textwrap.fill(line, WIDTH, subsequent_indent=" " * indent, break_on_hyphens=False)
        for line in text.split("\n")
    )


OF_OTHERS = 56
"""Columns for what somebody wrote: no client breaks such a line when it is quoted, so that what
stands in it can never be taken for what the quoting player wrote."""
_MARK = "| "
_MOST_INDENTED = 20
_BEFORE_BLANKS = re.compile(r"(?<=\S)(?=\s)")


def tidy(text: str) -> str:
    """Text without trailing spaces and double empty lines, its long lines folded."""
    lines = [folded for line in harmless(text).splitlines() for folded in _folded(line.rstrip())]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n") + "\n"


def _folded(line: str) -> list[str]:
    if line.startswith(_MARK):
        return list(_words_of_others(line.removeprefix(_MARK).expandtabs()))
    if len(line) <= WIDTH:
        return [line]
    return textwrap.wrap(
        line,
        WIDTH,
        subsequent_indent=line[: len(line) - len(line.lstrip())],
        break_on_hyphens=False,
        break_long_words=False,
        replace_whitespace=False,
    )


def _words_of_others(text: str) -> Iterator[str]:
    """Lines that each have the mark, so that none passes for the club's own words."""
    words = text.lstrip()
    line = " " * min(len(text) - len(words), _MOST_INDENTED)
    for word in _BEFORE_BLANKS.split(words):
        if line.strip() and columns(_MARK + line + word) > OF_OTHERS:
            yield _MARK + line
            line = word.lstrip()
        else:
            line += word
    yield (_MARK + line).rstrip()
