"""Content: what of a line or a text no client changes, by which a letter is known in a quote."""

from __future__ import annotations

import re
import unicodedata

from pbem.mail.message.link_targets import LINK

_FORM = re.compile(r"[\s\"'`*_|>~-]|[^\x00-\x7f\w]")
"""What a client may put in, take out or replace: marks, spaces, typography and pictures."""


def content_of(text: str) -> str:
    """What of a line or a text no client changes; case-folded."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return _FORM.sub("", LINK.sub("", text.casefold()))
