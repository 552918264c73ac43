"""Traces: what of the club's mails a mail shows anywhere, also in what it quotes or carries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from pbem.mail.addresses.addressing import TOKEN, Token
from pbem.mail.message.charsets import base64_decoded
from pbem.mail.message.limits import KIB
from pbem.mail.topic import read_topic

MOST_BYTES = 256 * KIB
"""Bytes of a mail that are searched beside its text; all its header fields are among them."""
MOST_TRACES = 500

_TRACE = re.compile(
    rf"(?<!\d){TOKEN}(\.[a-z0-9]{{1,64}}@[a-z0-9.-]{{1,255}})?",
    re.ASCII | re.IGNORECASE,
)
_SOFT_END = re.compile(rb"=\r?\n")  # RFC 2045 section 6.7
_ENCODED = re.compile(
    rb"^content-transfer-encoding:[\s\"]{0,20}base64", re.IGNORECASE | re.MULTILINE
)
_EMPTY_LINE = re.compile(rb"\n\r?\n")
_HYPHEN = re.compile(r"[%=]2d", re.IGNORECASE)  # where more is encoded than need be
_FOLD = re.compile(r"\r?\n[ \t>|]*+")


class Traces(NamedTuple):
    """Tokens, proven or not, and Message-IDs that carry one; each once."""

    tokens: tuple[Token, ...]
    message_ids: tuple[str, ...]


def traces_in(raw: bytes, text: str) -> Traces:
    """Traces in the bytes of a mail, in those of its parts that are in base64, and in its text."""
    whole = [_HYPHEN.sub("-", each) for each in (*_readable(raw[:MOST_BYTES]), text)]
    # Clients that quote write out where links go, and break that anywhere.
    places = (*whole, *(_FOLD.sub("", each) for each in whole))
    # By what they say: a letter in HTML has the same address in each of its links.
    traces = {each[0]: each for place in places for each in _TRACE.finditer(place)}
    found = list(islice(traces.values(), MOST_TRACES))
    tokens = (Token(topic, it[2].lower()) for it in found if (topic := read_topic(it[1])))
    ids = (f"<{it[0]}>" for it in found if it[3])
    return Traces(tuple(dict.fromkeys(tokens)), tuple(dict.fromkeys(ids)))


def _readable(raw: bytes) -> Iterator[str]:
    yield _SOFT_END.sub(b"", raw).decode("latin-1")
    end = 0
    while part := _ENCODED.search(raw, end):
        begin = _EMPTY_LINE.search(raw, part.end())
        if begin is None:
            return
        end = raw.find(b"\n--", begin.end())
        end = end if end >= 0 else len(raw)
        yield base64_decoded(raw[begin.end() : end]).decode("latin-1")
