"""Broken lines: whether a line may be the rest of the one above, which a client broke."""

from __future__ import annotations

import re

from pbem.mail.columns import columns

_NARROWEST = 56
"""Columns of the narrowest lines that clients break quotes into."""
_OF_OTHERS = re.compile(r"[>\s]*\|(?: |$)")


def is_of_others(line: str) -> bool:
    """Whether a line of the club's, quoted or not, repeats what somebody else wrote."""
    return _OF_OTHERS.match(line) is not None


def goes_on(above: str, line: str, *, any_words: bool) -> bool:
    """Whether a line may be the rest of the one above: no word more fits there.

    The club's own sentences end with a stop; of `any_words` that is not known.
    """
    above = above.rstrip()
    broken = columns(above) + 1 + columns(line.split(maxsplit=1)[0]) > _NARROWEST
    return broken and (any_words or not above.endswith((".", ":", "?")))
