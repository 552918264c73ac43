"""Certainty: whether there is only one way to part what a person newly wrote from the rest.

There is where it is the beginning of the text, and what stands below it is a quote with marks,
or what programs and people put under a mail; or where nothing is quoted at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.mail.reply.added_lines import disclaimer, footer, place_of_a_file, signature
from pbem.mail.reply.page import Page

_LONGEST_ATTRIBUTION = 3
"""Lines into which clients break "On ... Bob wrote:"."""
_UNDER_A_MAIL: tuple[Callable[[Page, int], int], ...] = (
    place_of_a_file,
    footer,
    signature,
    disclaimer,
)

Steps = Sequence[tuple[int, int]]
"""A text from its beginning to its end: a line, and how many from it on were left out, or 0."""


def is_certain(page: Page, steps: Steps) -> bool:
    """Whether it is certain which lines of a page are new."""
    said = [(at, left_out) for at, left_out in steps if page.keys[at]]
    end = next((i for i, (_, left_out) in enumerate(said) if left_out), len(said))
    if any(not left_out for _, left_out in said[end:]):
        return False  # something new stands below what is not
    below = said[end:]
    if not all(_is_plainly_left_out(page, at, left_out) for at, left_out in below):
        return False
    quotes = any(_has_literal_mark(page, at) for at, _ in below)
    return quotes or not _repeats(page, said[:end])


def _is_plainly_left_out(page: Page, at: int, left_out: int) -> bool:
    """Whether lines are parted from what is new by more than a comparison or words around them.

    A client that breaks quoted lines leaves their ends without a mark, right below one with it.
    """
    if _has_literal_mark(page, at) or _is_attribution(page, at, left_out):
        return True
    rest = left_out == 1 and at > 0 and _has_literal_mark(page, at - 1)
    return rest or _is_under_a_mail(page, at, left_out)


def _has_literal_mark(page: Page, at: int) -> bool:
    """Whether a line has the one mark that stands for a quote and for nothing else.

    A bar does not do: the club itself puts it before what others wrote.
    """
    return page.lines[at].lstrip().startswith(">")


def _is_attribution(page: Page, at: int, left_out: int) -> bool:
    """Whether lines stand right above a quote with marks, and are known by no comparison."""
    line: int | None = at
    for _ in range(_LONGEST_ATTRIBUTION if left_out <= _LONGEST_ATTRIBUTION else 0):
        if line is None or page.marked(line):
            return False
        line = page.next_line(line + 1)
        if line is not None and _has_literal_mark(page, line):
            return True
    return False


def _is_under_a_mail(page: Page, at: int, left_out: int) -> bool:
    """Whether lines are a signature (RFC 3676 section 4.3), a footer or a disclaimer."""
    if page.marked(at):
        return False
    return page.keys[at] == "--" or any(rule(page, at) == left_out for rule in _UNDER_A_MAIL)


def _repeats(page: Page, said: Steps) -> bool:
    """Whether a new line is one of a letter too: its quote may have lost all its form."""
    return any(page.witness.has_line(page.keys[at]) for at, _ in said)
