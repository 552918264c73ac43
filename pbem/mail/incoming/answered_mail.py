"""Answered mail: its text, by which what a client made of its quote is told from what is new.

Clients mark, break and join lines as they like, but leave letters and their order as they were.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.mail.incoming.twin import letters_of

_ENOUGH = 24
"""Letters, the line's own aside, that tell where in a mail a line stands."""
_NEAR = 8
"""Lines to look for them, blank ones counted."""


def lines_of_answered(lines: Sequence[str], answered: str) -> frozenset[int]:
    """Lines that stand in a mail's text as they do in the mail it answers.

    A line alone proves nothing, since people do play the move of the example: it counts together
    with what is above it; or with what is below, unless it was put in between.
    """
    told = letters_of(answered)
    letters = [letters_of(line) for line in lines] if told else []
    return frozenset(at for at, own in enumerate(letters) if own and _stands_in(told, letters, at))


def _stands_in(told: str, letters: Sequence[str], at: int) -> bool:
    above = "".join(letters[max(0, at - _NEAR) : at])[-_ENOUGH:]
    below = "".join(letters[at + 1 : at + 1 + _NEAR])[:_ENOUGH]
    if len(above) == _ENOUGH and above in told:
        return above + letters[at] in told
    return len(below) == _ENOUGH and letters[at] + below in told
