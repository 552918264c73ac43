"""Address lists, read strictly: the plain addresses in a field, or that it is not understood.

`To` tells to whom a mail was shown. Whoever reads it leniently, and takes what they do not
understand for nobody, overlooks people. So this knows what usual clients write of RFC 5322
section 3.4, and says of everything else, however well-formed, that it has not understood it:

    list    = element *("," element)
    element = [ address / [name / address] "<" address ">" / name ":" ";" ]

Comments that hold no other one stand around, never in an address. A group with members, a route, a
quoted local part and a domain literal are among what is not understood.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pbem.mail.address import is_address

_PIECE = re.compile(
    r'(?P<q>"(?:[^"\\]|\\.)*")'  # a quoted string
    r'|".*'  # the rest, where it has no end
    r'|(?P<c>\([^()"\\]*\))'  # a comment
    r"|(?P<s>[ \t]+)"
    r'|(?P<w>[^][ \t()<>@,;:\\"]+)'  # a word, with the dots in it
    r"|.",
    re.DOTALL,
)
_ELEMENT = re.compile(r"[sc]*(?:w@w[sc]*)?(?:<w@w>[sc]*)?|[wqsc]*<w@w>[sc]*|[wqsc]+:[sc]*;[sc]*")
_ADDRESS = re.compile(r"w@w")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")


def plain_addresses(values: Iterable[str]) -> tuple[str, ...] | None:
    """All addresses in some values, in lower case; None unless every one is understood."""
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
    """Pieces between the commas."""
    element: list[re.Match[str]] = []
    for piece in _PIECE.finditer(value):
        if piece[0] == ",":
            yield element
            element = []
        else:
            element.append(piece)
    yield element
