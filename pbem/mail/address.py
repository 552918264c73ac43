"""Address: the form of an email address, in From fields and on the command line alike.

No part is hidden, dropped or normalised, so two addresses that look the same are the same. An
invalid address is an error on the command line. In a From field, it belongs to nobody.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

_FORM = re.compile(r'[^\s<>()",:;@\\\[\]]{1,64}@[^\s<>()",:;@\\\[\]]{1,255}')
_UNSEEN = re.compile(
    r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufffd"
    r"\U000e0100-\U000e01ef]"
)
"""Invisible letters and marks (Unicode Default_Ignorable_Code_Point, replacement character)."""


def is_address(text: str) -> bool:
    """Return whether a text is a plain address: no quotes, comments, encoded words (RFC 2047)."""
    if not _FORM.fullmatch(text) or "=?" in text:
        return False
    return text.isprintable() and (text.isascii() or all(map(_is_itself, text)))


def mailbox_of(address: str) -> str:
    """Return the mailbox that an address most likely reaches, as a key to count by.

    Drops the part after a plus, dots before the @, and a dot that ends the domain. Only some
    providers ignore dots before the @. If two people share a key for that reason, they just share a
    limit.
    """
    local, at, domain = address.casefold().rpartition("@")
    bare = local.partition("+")[0].replace(".", "")
    return f"{bare or local}{at}{domain.rstrip('.')}"


def _is_itself(letter: str) -> bool:
    """Return whether a letter is visible and has no ASCII letter as its lower case.

    The Kelvin sign does: it becomes k.
    """
    if letter.isascii():
        return True
    hidden = unicodedata.category(letter)[0] in "CZ" or _UNSEEN.match(letter)
    return not hidden and not letter.lower().isascii()


_PIECE = re.compile(
    r'(?P<q>"(?:[^"\\]|\\.)*")'  # a quoted string
    r'|".*'  # the rest, if the quote has no end
    r'|(?P<c>\([^()"\\]*\))'  # a comment
    r"|(?P<s>[ \t]+)"
    r'|(?P<w>[^][ \t()<>@,;:\\"]+)'  # a word, including dots
    r"|.",
    re.DOTALL,
)
_ELEMENT = re.compile(r"[sc]*(?:w@w[sc]*)?(?:<w@w>[sc]*)?|[wqsc]*<w@w>[sc]*|[wqsc]+:[sc]*;[sc]*")
_ADDRESS = re.compile(r"w@w")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")


def plain_addresses(values: Iterable[str]) -> tuple[str, ...] | None:
    """Return all addresses in these values in lower case, None unless every one is understood."""
    found: list[str] = []
    for value in values:
        if _CONTROL.search(value):
            return None
        for pieces in _elements(value):
            shape = "".join(piece.lastgroup or piece[0][0] for piece in pieces)
            if not _ELEMENT.fullmatch(shape):
                return None
            texts = [piece[0] for piece in pieces]
            found += ("".join(texts[it.start() : it.end()]) for it in _ADDRESS.finditer(shape))
    return tuple(each.lower() for each in found) if all(map(is_address, found)) else None


def _elements(value: str) -> Iterator[list[re.Match[str]]]:
    """Yield the pieces between commas."""
    element: list[re.Match[str]] = []
    for piece in _PIECE.finditer(value):
        if piece[0] == ",":
            yield element
            element = []
        else:
            element.append(piece)
    yield element
