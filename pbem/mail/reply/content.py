"""Content: what of a line or a text no client changes, by which a letter is known in a quote.

It has no marks, spaces, typography and pictures, which a client may put in, take out or replace.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from pbem.mail.message.link_targets import LINK

_MARKS = b"\"'`*_|>~- \t\r\v\f\x1c\x1d\x1e\x1f"
_TYPOGRAPHY = re.compile(r"[^\x00-\x7f\w]")
"""Spaces and pictures beyond ASCII are of it, too."""


def content_of(text: str) -> str:
    """What of a line or a text no client changes; case-folded."""
    return "".join(contents_of(text.split("\n")))


def contents_of(lines: Iterable[str]) -> list[str]:
    """The same of each of one or more lines, in the time of a few."""
    text = LINK.sub("", unicodedata.normalize("NFKC", "\n".join(lines)).casefold())
    # Of bytes they are taken at once, of text one by one; none is a part of a longer character.
    bare = text.encode(errors="surrogatepass").translate(None, _MARKS)
    text = bare.decode(errors="surrogatepass")
    return (text if text.isascii() else _TYPOGRAPHY.sub("", text)).split("\n")
