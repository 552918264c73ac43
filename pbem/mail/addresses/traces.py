"""Traces: what of the club's mails a mail shows anywhere, also in what it quotes or carries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from pbem.mail.addresses.addressing import MAC, Token
from pbem.mail.message.charsets import base64_decoded
from pbem.mail.message.limits import KIB
from pbem.mail.topic import FORM, LONGEST_FORM, read_topic

MOST_BYTES = 256 * KIB
"""Bytes of a mail that are searched beside its text; all its header fields are among them."""
MOST_TRACES = 500

_MAC = re.compile(MAC, re.ASCII | re.IGNORECASE)
_TOPIC_ABOVE = re.compile(rf"(?<!\d){FORM}\Z", re.ASCII | re.IGNORECASE)
_REST_OF_ID = re.compile(r"\.[a-z0-9]{1,64}@[a-z0-9.-]{1,255}", re.ASCII | re.IGNORECASE)
_SOFT_END = re.compile(rb"=\r?\n")  # RFC 2045 section 6.7
_ENCODED = re.compile(rb"\ncontent-transfer-encoding:[\s\"]{0,20}base64")  # in lower case
_EMPTY_LINE = re.compile(rb"\n\r?\n")
_HYPHEN = re.compile(r"[%=]2[dD]")
_FOLD = re.compile(r"\n[ \t>|]*+")


class Traces(NamedTuple):
    """Tokens, proven or not, and Message-IDs that carry one; each once."""

    tokens: tuple[Token, ...]
    message_ids: tuple[str, ...]


class _Trace(NamedTuple):
    """A token as it was found, in any case of letters, and what makes a Message-ID of it."""

    topic: str
    mac: str
    rest_of_id: str

    @property
    def message_id(self) -> str:
        """As it stands in headers."""
        return f"<{self.topic}-{self.mac}{self.rest_of_id}>"


def traces_in(raw: bytes, text: str) -> Traces:
    """Traces in the bytes of a mail, in those of its parts that are in base64, and in its text."""
    whole = [_with_hyphens(each) for each in (*_readable(raw[:MOST_BYTES]), text)]
    # Clients that quote write out where links go, and break that anywhere.
    places = (*whole, *map(_unfolded, whole))
    # Each once: a letter in HTML has the same address in each of its links.
    distinct = dict.fromkeys(trace for place in places for trace in _in(place))
    found = list(islice(distinct, MOST_TRACES))
    tokens = (Token(topic, it.mac.lower()) for it in found if (topic := read_topic(it.topic)))
    ids = (it.message_id for it in found if it.rest_of_id)
    return Traces(tuple(dict.fromkeys(tokens)), tuple(dict.fromkeys(ids)))


def _in(place: str) -> Iterator[_Trace]:
    """Traces in a text, in order; by their MACs, as few hyphens are followed by so many letters."""
    end = 0
    for mac in _MAC.finditer(place):
        begin = max(end, mac.start() - LONGEST_FORM)
        if topic := _TOPIC_ABOVE.search(place, begin, mac.start()):
            rest = _REST_OF_ID.match(place, mac.end())
            end = (rest or mac).end()
            yield _Trace(topic[0], mac[1], rest[0] if rest else "")


def _with_hyphens(text: str) -> str:
    """Text with those that some programs encode, who encode more than need be."""
    return _HYPHEN.sub("-", text) if "2d" in text or "2D" in text else text


def _unfolded(text: str) -> str:
    return _FOLD.sub("", text.replace("\r\n", "\n"))


def _readable(raw: bytes) -> Iterator[str]:
    yield _SOFT_END.sub(b"", raw).decode("latin-1")
    raw = b"\n" + raw  # a field at the very beginning stands below a line end, too
    low, end = raw.lower(), 0
    while part := _ENCODED.search(low, end):
        begin = _EMPTY_LINE.search(raw, part.end())
        if begin is None:
            return
        end = raw.find(b"\n--", begin.end())
        end = end if end >= 0 else len(raw)
        yield base64_decoded(raw[begin.end() : end]).decode("latin-1")
