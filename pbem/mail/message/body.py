"""Body: the parts of an email, and the plain text closest to what the person wrote."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from pbem.games.phrases import Phrase
from pbem.mail.message.charsets import decode, tidy, transfer_decoded
from pbem.mail.message.headers import Headers, Parameters, parameters, split_headers
from pbem.mail.message.html_alternative import (
    enriched_text,
    letter_alone,
    marked_by,
    marked_by_signs,
    stands_for,
    with_signs,
)
from pbem.mail.message.html_text import declared_charset, html_text
from pbem.mail.message.size_limits import (
    LOOKED_AT,
    MAX_DEPTH,
    MAX_LINE,
    MAX_LINES,
    MAX_PARTS,
    MAX_TAGS,
    MAX_TEXT,
    TOO_DEEP,
    TOO_LONG_LINE,
    TOO_MANY_LINES,
    TOO_MANY_PARTS,
    TOO_MANY_TAGS,
    TOO_MUCH_TEXT,
)

_PICTURE = re.compile(rb"data:image/[a-z.+-]{1,20};base64,[A-Za-z0-9+/=\s]*", re.IGNORECASE)

_READ = (
    "text/plain",
    "text/html",
    "text/enriched",
    "text/richtext",  # name of text/enriched before RFC 1563
    "text/vnd.google.email-reaction+json",
)
_UNREAD = ("multipart/digest", "multipart/encrypted", "multipart/appledouble")
"""Kinds of multipart without any text of the sender."""


class BodyText(NamedTuple):
    """The text read from a body."""

    text: str
    excess: Phrase | None = None
    """The limit that was passed, in a player's words."""
    parts: tuple[str, ...] = ()
    """Type of each part in order, not including those of attached emails."""


class _Leaf(NamedTuple):
    """A decoded part with text."""

    html: bool
    text: str
    instead: bool = False
    """Whether it is all the person did, for example a reaction that other parts only describe."""

    @property
    def blank(self) -> bool:
        return not self.text.strip(" \t\n\xa0\u200b\ufeff")


@dataclass
class _Reader:
    """Reads the parts of one email and counts towards its limits."""

    parts: int = 0
    text: int = 0
    """Bytes of text so far."""
    tags: int = 0
    excess: Phrase | None = None
    met: list[str] = field(default_factory=list)

    def leaves(self, headers: Headers, body: bytes, depth: int = 0) -> list[_Leaf]:
        """Return the texts of a part in order, without attachments and attached emails."""
        self.excess = self.excess or headers.excess
        content = parameters(headers.first("content-type"))
        kind = _media_type(content)
        self.met.append(_with_method(kind, content))
        if kind.startswith("multipart/"):
            return self._of_multipart(kind, content, body, depth)
        if kind not in _READ or (depth and _attached(headers, content)):
            return []
        return [self._text(kind, content, headers, body)]

    def _of_multipart(self, kind: str, content: Parameters, body: bytes, depth: int) -> list[_Leaf]:
        boundary = content.values.get("boundary", "").rstrip().encode()
        if kind in _UNREAD or depth == MAX_DEPTH:
            self.excess = self.excess or (TOO_DEEP if depth == MAX_DEPTH else None)
            return []
        if not 0 < len(boundary) <= _LONGEST_BOUNDARY or b"--" + boundary not in body:
            boundary = _boundary_used(body)
        if not boundary:  # not really a multipart, so read it as text
            return [_Leaf(html=False, text=tidy(decode(self._at_most(body))))]
        children = (
            self.leaves(*split_headers(part), depth + 1) for part in self._parts(body, boundary)
        )
        if kind == "multipart/alternative":
            return _best(list(children))
        if kind in ("multipart/related", "multipart/signed"):  # the first part is the main one
            return next((leaves for leaves in children if leaves), [])
        return _in_order(leaf for leaves in children for leaf in leaves)

    def _parts(self, body: bytes, boundary: bytes) -> Iterator[bytes]:
        for part in _between(body, b"--" + boundary):
            self.parts += 1
            if self.parts > MAX_PARTS:
                self.excess = TOO_MANY_PARTS
                return
            yield part

    def _text(self, kind: str, content: Parameters, headers: Headers, body: bytes) -> _Leaf:
        encoding = headers.first("content-transfer-encoding").partition(";")[0].strip().lower()
        data = transfer_decoded(body, encoding)
        charset = content.values.get("charset", "").strip()
        if kind == "text/html":
            data = self._few_tags(self._at_most(_PICTURE.sub(b"", data)))
            return _Leaf(html=True, text=decode(data, charset or declared_charset(data)))
        text = letter_alone(self._few_lines(tidy(decode(self._at_most(data), charset))))
        if kind == "text/vnd.google.email-reaction+json":
            return _Leaf(html=False, text=_emoji(text), instead=True)
        if kind != "text/plain":
            return _Leaf(html=False, text=enriched_text(text))
        if content.values.get("format", "").lower() == "flowed":
            delete_space = content.values.get("delsp", "").lower() == "yes"
            text = unfolded(text, delete_space=delete_space)
        return _Leaf(html=False, text=with_signs(text))

    def _at_most(self, data: bytes) -> bytes:
        """Return the data, or only its beginning if the email is over a limit."""
        self.text += len(data)
        if self.text > MAX_TEXT:
            self.excess = TOO_MUCH_TEXT
        return data[:LOOKED_AT] if self.excess else data

    def _few_lines(self, text: str) -> str:
        """Return the text, cut if there are too many lines. Counts them before any are joined."""
        if text.count("\n") >= MAX_LINES:
            self.excess = TOO_MANY_LINES
        return text[:LOOKED_AT] if self.excess else text

    def _few_tags(self, data: bytes) -> bytes:
        """Return HTML, cut if there are too many tags. Counts them before parsing."""
        self.tags += data.count(b"<")
        if self.tags > MAX_TAGS:
            self.excess = TOO_MANY_TAGS
        return data[:LOOKED_AT] if self.excess else data


def body_text(headers: Headers, body: bytes) -> BodyText:
    """Return the text of an email: its text/plain parts, or its HTML if it has no others."""
    reader = _Reader()
    leaves = reader.leaves(headers, body)
    if reader.excess:  # the first parts were read before the limit was passed
        leaves = list(_beginning(leaves))
    texts = [with_signs(html_text(leaf.text)) if leaf.html else leaf.text for leaf in leaves]
    lines = marked_by_signs("\n".join(texts)).split("\n")
    excess = reader.excess or _excess(lines)
    text = "\n".join(lines)
    return BodyText(text[:LOOKED_AT] if excess else text, excess, tuple(reader.met))


def _beginning(leaves: list[_Leaf]) -> Iterator[_Leaf]:
    """Yield the first texts, cut at `LOOKED_AT` characters in all."""
    left = LOOKED_AT
    for leaf in leaves:
        yield leaf._replace(text=leaf.text[:left])
        left -= len(leaf.text)
        if left <= 0:
            return


def _excess(lines: list[str]) -> Phrase | None:
    """Return the limit that some lines pass, None if they pass none."""
    if max(map(len, lines)) > MAX_LINE:
        return TOO_LONG_LINE
    return TOO_MANY_LINES if len(lines) > MAX_LINES else None


def _media_type(content: Parameters) -> str:
    """Return the type in lower case. A missing or wrong one means text (RFC 2045 section 5.2)."""
    kind = content.main.partition(" ")[0]
    return kind if "/" in kind else "text/plain"


def _with_method(kind: str, content: Parameters) -> str:
    """Return the type with a calendar's method (RFC 6047 section 2.4).

    For example `text/calendar; method=reply`.
    """
    method = content.values.get("method", "").lower()
    return f"{kind}; method={method}" if method else kind


def _attached(headers: Headers, content: Parameters) -> bool:
    """Return whether a text is an attached file. It is if it has a name, even if shown inline."""
    disposition = parameters(headers.first("content-disposition"))
    named = "filename" in disposition.values or "name" in content.values
    return disposition.main == "attachment" or named


def _emoji(text: str) -> str:
    """Return the emoji of a Gmail reaction, empty if it has none."""
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    emoji = said.get("emoji", "") if isinstance(said, dict) else ""
    return tidy(emoji)[:_LONGEST_EMOJI] if isinstance(emoji, str) else ""


_LONGEST_EMOJI = 50
_LONGEST_BOUNDARY = 200
"""RFC 2046 allows 70. Patterns of longer boundaries would stay in the regex cache."""
_USED = re.compile(rb"^--(\S[^\r\n]{0,199})\r?\n(?=content-)", re.MULTILINE | re.IGNORECASE)


def _boundary_used(body: bytes) -> bytes:
    """Return the boundary actually used, if it is not the declared one. Empty if there is none."""
    found = _USED.search(body)
    return found[1].rstrip() if found else b""


def _best(alternatives: list[list[_Leaf]]) -> list[_Leaf]:
    """Return the best alternative: plain text unless it is empty, as some clients send it."""
    said = [leaves for leaves in alternatives if any(not x.blank for x in leaves)]
    if instead := next((leaves for leaves in said if leaves[0].instead), None):
        return instead
    plain = next((x for x in said if any(not y.html and not y.blank for y in x)), None)
    html = next((leaf for leaves in said for leaf in leaves if leaf.html), None)
    if plain is None or html is None or len(plain) > 1:
        return plain or next(iter(said), [])
    if stands_for(html.text, plain[0].text):
        return [html]
    return [_Leaf(html=False, text=marked_by(html.text, plain[0].text))]


def _in_order(leaves: Iterator[_Leaf]) -> list[_Leaf]:
    """Return texts in order, without HTML that repeats the plain text before it."""
    kept: list[_Leaf] = []
    for leaf in leaves:
        repeats = leaf.html and any(not x.html and not x.blank for x in kept)
        kept += [] if repeats else [leaf]
    return kept


def _between(body: bytes, delimiter: bytes) -> Iterator[bytes]:
    """Yield the parts between delimiter lines (RFC 2046 section 5.1.1).

    The last may lack its end. Uses one pattern, so large attachments with similar lines stay cheap.
    """
    start = -1
    for found in delimiter_line(delimiter).finditer(body):
        if start >= 0:
            yield body[start : found.start()].removesuffix(b"\n").removesuffix(b"\r")
        if found["last"]:
            return
        start = min(found.end() + 1, len(body))
    if start >= 0:
        yield body[start:]


def delimiter_line(delimiter: bytes) -> re.Pattern[bytes]:
    """Return the pattern of a line that delimits parts.

    The literal comes first since it is found fastest. Possessive, so blanks are scanned once.
    """
    literal = re.escape(delimiter)
    start_of_line = rb"(?<![^\n]" + literal + rb")"
    rest = rb"[ \t\r\f\v]*+(?P<last>--)?+[ \t\r\f\v]*+$"
    return re.compile(literal + start_of_line + rest, re.MULTILINE)


_QUOTE = re.compile(r">*")
_SIGNATURE = "-- "
NO_QUOTE = "\u200c"
"""Invisible. Goes before a `>` that the person typed at the start of a line."""


def unfolded(text: str, *, delete_space: bool = False) -> str:
    """Return text with flowed lines joined (RFC 3676). Lines of quotes keep their marks."""
    return "\n".join(_lines(text, delete_space))


def _lines(text: str, delete_space: bool) -> Iterator[str]:
    depth, pending = 0, list[str]()
    for line in text.split("\n"):
        marks = _QUOTE.match(line)
        level = marks.end() if marks else 0
        content = line[level + 1 :] if line[level : level + 1] == " " else line[level:]
        if not level and content.startswith(">"):  # stuffed, no quote (RFC 3676 section 4.4)
            content = NO_QUOTE + content
        # A flowed line ends where the quote depth changes, even if it claims to continue (section
        # 4.5). A signature line is never part of a paragraph (section 4.3).
        if pending and (level != depth or content == _SIGNATURE):
            yield _marked(depth, pending)
            pending = []
        depth = level
        if content.endswith(" ") and content != _SIGNATURE:
            pending.append(content[:-1] if delete_space else content)
        else:
            yield _marked(depth, [*pending, content])
            pending = []
    if pending:
        yield _marked(depth, pending)


def _marked(depth: int, pieces: list[str]) -> str:
    marks = ">" * depth + " " if depth else ""
    return marks + "".join(pieces)
