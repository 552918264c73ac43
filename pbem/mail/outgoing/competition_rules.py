"""Rules of competitions: sections of docs/competitions.md as Markdown for emails."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from pbem.games.diagram import WIDTH
from pbem.matches.competitions import kinds
from pbem.resources import folder

ALL = "competition"
"""The word for the rules of all kinds."""
_OF_ALL = ("Rules of all kinds", "The life of a competition", "Entries that change")
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_ROW = re.compile(r"^\| \[[^\]]+\]\(#([a-z-]+)\) \| `([a-z-]+)` \|", re.MULTILINE)
_ITEM = re.compile(r"\n(?=- |\d+\. )")


def rules_of(kind: str) -> str | None:
    """Return the rules of a kind of competition, or of all kinds. None if there is no such kind.

    If its terms have tie-breaks, the rules end with their section.
    """
    text = (folder("docs") / "competitions.md").read_text("utf-8")
    sections = {
        each.partition("\n")[0]: each for each in re.split(r"^##+ ", text, flags=re.MULTILINE)
    }
    if kind == ALL:
        wanted = _OF_ALL
    else:
        anchor_of = {each: anchor for anchor, each in _ROW.findall(text)}
        if kind not in anchor_of:
            return None
        anchors = {title.casefold().replace(" ", "-"): title for title in sections}
        chained = hasattr(kinds()[kind], "tie_breaks")
        wanted = (anchors[anchor_of[kind]], *(("Tie-breaks",) if chained else ()))
    found = (sections[title].rstrip() for title in wanted)
    blocks = (f"## {each}".split("\n\n") for each in found)
    return "\n\n".join(_folded(_LINK.sub(r"\1", block)) for each in blocks for block in each) + "\n"


def _folded(block: str) -> str:
    """Return a paragraph, list or table in lines that fit into an email. Tables become lists."""
    if block.startswith("#"):
        return block
    lines = _rows(block) if block.startswith("|") else _ITEM.split(block)
    return "\n".join(
        textwrap.fill(
            " ".join(line.split()),
            WIDTH,
            subsequent_indent="  " if line.startswith("- ") else "   " if line[0].isdigit() else "",
            break_on_hyphens=False,
            break_long_words=False,
        )
        for line in lines
    )


def _rows(table: str) -> Iterator[str]:
    head, _, *rows = (
        [cell.strip() for cell in row.strip("|").split("|")] for row in table.split("\n")
    )
    for first, *others in rows:
        if len(others) == 1:
            yield f"- {first}: {others[0]}"
            continue
        told = (f"{name}: {cell}" for name, cell in zip(head[1:], others, strict=True))
        yield f"- {head[0]}: {first}; {'; '.join(told)}"
