"""Gaps: what stands in a mail between the lines that are known of letters."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple


class Gap(NamedTuple):
    """Lines without a mark that are not known, next to some that are."""

    above: int | None
    between: list[int]
    below: int | None


def gaps(lines: Sequence[str], places: Container[int]) -> Iterator[Gap]:
    """Those of a text, in order; `places` are the numbers of the lines that are known."""
    above: int | None = None
    between = list[int]()
    for at, line in enumerate(lines):
        if line.startswith(">"):
            above, between = None, []
        elif at in places:
            if between:
                yield Gap(above, between, at)
            above, between = at, []
        elif line.strip():
            between.append(at)
    if between and above is not None:
        yield Gap(above, between, None)
