"""Headers: the fields of an email or a part, and the mailboxes in them, read without trust."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from pbem.games.phrases import Phrase
from pbem.mail.address import is_address
from pbem.mail.message.charsets import base64_decoded, decode, tidy
from pbem.mail.message.size_limits import (
    MAX_FIELDS,
    MAX_HEADER,
    MAX_ID,
    MAX_IDS,
    MAX_VALUE,
    TOO_LONG_FIELD,
    TOO_MANY_FIELDS,
)


class HeaderSender(NamedTuple):
    """The claimed sender of an email. Both fields are empty unless it names exactly one mailbox."""

    address: str
    """In lower case."""
    name: str


NOBODY = HeaderSender("", "")

_ADDRESS = re.compile(r'[^\s<>()",:;@\\\[\]]{1,64}@[^\s<>()",:;@\\\[\]]{1,255}')
_LIMITS = re.compile(r'[\s<>()",:;\\\[\]]+')
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\\.|[(),;<>]|[^"\\(),;<>]+|.', re.DOTALL)


def sender(values: tuple[str, ...]) -> HeaderSender:
    """Return the sender from all unmodified From values of an email.

    Invisible characters and comments inside an address are not removed, so it does not count.

    With several fields or mailboxes, the sender would depend on the reader, so there is none (RFC
    5322 section 3.6 allows one field; DMARC also rejects more, RFC 7489 section 6.6.1).
    """
    if len(values) != 1:
        return NOBODY
    found = list(_mailboxes(values[0]))
    if len(found) != 1 or not is_address(found[0].address):
        return NOBODY
    return HeaderSender(found[0].address.lower(), found[0].display_name)


def addresses(values: Iterable[str]) -> tuple[str, ...]:
    """Return all texts that look like an address, in lower case and without repeats.

    This is lenient: an address found here is proven by its token or not used.
    """
    words = (word.strip("'.") for value in values for word in _LIMITS.split(value))
    likely = (word for word in words if "@" in word and word.isprintable())
    found = (word.lower() for word in likely if _ADDRESS.fullmatch(word))
    return tuple(dict.fromkeys(found))


@dataclass
class _Mailbox:
    """One element of an address list while it is read."""

    words: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    angles: list[str] = field(default_factory=list)
    names_one: bool = False
    """Whether it contains an address."""

    @property
    def address(self) -> str:
        if len(self.angles) > 1:
            return ""
        return (self.angles[0] if self.angles else "".join(self.words)).strip(" \t")

    @property
    def display_name(self) -> str:
        """The name, decoded last: an encoded word must never become syntax (RFC 2047 section 5)."""
        named = self.words if self.angles else self.comments
        return decoded_words(_ESCAPED.sub(r"\1", "".join(map(_unquoted, named))))


def _mailboxes(value: str) -> Iterator[_Mailbox]:
    """Yield the elements of an address list (RFC 5322 section 3.4).

    `Smith, Ann <a@b>` counts as one.
    """
    mailbox, depth, angle = _Mailbox(), 0, False
    for token in _TOKEN.findall(value):
        if token == "(":
            depth += 1
            if angle:
                mailbox.angles[-1] += token
            mailbox.words.append(" ")
        elif depth:
            depth -= token == ")"
            mailbox.comments += [] if token == ")" else [token]
        elif token in "<>":
            angle = token == "<"
            mailbox.angles += [""] if angle else []
            mailbox.names_one = True
        elif angle:
            mailbox.angles[-1] += token
        elif token in ",;" and mailbox.names_one:
            yield mailbox
            mailbox = _Mailbox()
        else:
            mailbox.words.append(token)
            mailbox.names_one |= "@" in token
    if mailbox.names_one:
        yield mailbox


def _unquoted(token: str) -> str:
    return token[1:-1] if len(token) > 1 and token[0] == token[-1] == '"' else token


_MAX_PARAMETERS = 4096

_LINE = re.compile(rb"[^\n]*\n|[^\n]+")
_FIELD = re.compile(rb"([\x21-\x39\x3b-\x7e]+)[ \t]*:")
_BLANK = re.compile(rb"\n[ \t]+\r?(?:\n|\Z)")
"""A line of only blanks, below another line."""


@dataclass(frozen=True)
class Headers:
    """Header fields in order, with lower-case names."""

    raw: tuple[tuple[str, bytes], ...]
    """The fields as received, of any length."""
    excess: Phrase | None = None
    """The limit that was passed, in a player's words. Fields beyond it are left out."""
    clear: bool = True
    """Whether every program finds the same fields: each line starts or continues a field."""

    @cached_property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """Lower-case names and unfolded values of the fields, encoded words not decoded."""
        return tuple((name, _unfolded(value)) for name, value in self.raw)

    def all(self, *names: str) -> tuple[str, ...]:
        """Return the values of every field with one of these lower-case names, in order."""
        return tuple(_unfolded(value) for name, value in self.raw if name in names)

    def written(self, *names: str) -> tuple[str, ...]:
        """Return these values unmodified: nothing is removed or cut."""
        return tuple(_as_written(value) for name, value in self.raw if name in names)

    def first(self, name: str) -> str:
        """Return the value of the topmost field with a name, empty if there is none."""
        return _unfolded(self._topmost.get(name, b""))

    def __contains__(self, name: str) -> bool:
        return name in self._topmost

    @cached_property
    def _topmost(self) -> dict[str, bytes]:
        return dict(reversed(self.raw))


def split_headers(raw: bytes) -> tuple[Headers, bytes]:
    """Split an entity into headers and body.

    The first line that is not a header field starts the body.
    """
    fields: list[tuple[bytes, list[bytes]]] = []
    end, body, endless, whole = 0, 0, False, True
    for line in _LINE.finditer(raw, 0, MAX_HEADER):
        text, body = line[0], line.end()
        if not text.strip(b"\r\n"):
            break
        if text[:1] in b" \t" and fields:
            fields[-1][1].append(text)
        elif field := _FIELD.match(text):
            fields.append((field[1], [text[field.end() :]]))
        elif line.start() or not text.startswith(b"From "):  # mbox files put this line first
            body, whole = end, False
            break
        end = body
    else:
        endless = len(raw) > MAX_HEADER
    return _headers(fields, endless, whole and _is_clear(raw[:end])), raw[body:]


def _is_clear(lines: bytes) -> bool:
    """Return whether all programs see the same ends of lines, fields and headers."""
    ends_of_others = b"\0" in lines or lines.count(b"\r") > lines.count(b"\r\n")
    return not ends_of_others and not _BLANK.search(lines)


def _headers(fields: list[tuple[bytes, list[bytes]]], endless: bool, clear: bool) -> Headers:
    raw = tuple((name.decode().lower(), b"".join(lines)) for name, lines in fields[:MAX_FIELDS])
    excess = TOO_LONG_FIELD if any(len(value) > MAX_VALUE for _, value in raw) else None
    if endless or len(fields) > MAX_FIELDS:
        excess = TOO_MANY_FIELDS
    return Headers(raw, excess, clear and not endless)


def _as_written(value: bytes) -> str:
    """Return a value on one line (RFC 5322 section 2.2.3) with all its characters."""
    return decode(value.replace(b"\r\n", b"").replace(b"\n", b"")).strip(" \t\r")


def _unfolded(value: bytes) -> str:
    """Return a value on one line (RFC 5322 section 2.2.3), cut to the limit and tidied."""
    return _one_line(decode(value[:MAX_VALUE]))


def _one_line(text: str) -> str:
    """Return a text with spaces as line ends, and without control characters."""
    text = text.strip()  # a final line end alone must not trigger the slow path
    return " ".join((text if text.isprintable() else tidy(text)).split())


_ENCODED_WORD = re.compile(r"=\?([^?\s*]{1,64})(?:\*[^?\s]{0,64})?\?([bBqQ])\?([^?]*)\?=")


def decoded_words(value: str) -> str:
    """Return a value on one line, encoded words decoded (RFC 2047), without controls."""
    return _one_line("".join(_word_runs(value)) if "=?" in value else value)


def _word_runs(value: str) -> Iterator[str]:
    """Yield decoded texts, joining adjacent words in one charset, as clients split characters."""
    end, charset, pending = 0, "", b""
    for word in _ENCODED_WORD.finditer(value):
        between = value[end : word.start()]
        if between.strip() or not pending or word[1].lower() != charset:
            yield decode(pending, charset)
            yield between if between.strip() or not pending else ""
            pending = b""
        charset, end = word[1].lower(), word.end()
        pending += _word_bytes(word[2], word[3])
    yield decode(pending, charset)
    yield value[end:]


def _word_bytes(encoding: str, text: str) -> bytes:
    data = text.encode("utf-8", errors="replace")
    if encoding in "bB":
        return base64_decoded(data)
    return binascii.a2b_qp(data, header=True)


class Parameters(NamedTuple):
    """A structured header value: its main word and its parameters, all names in lower case."""

    main: str
    values: dict[str, str]


_PARAMETER = re.compile(r';\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|"?([^;\s"]*))')
_ESCAPED = re.compile(r"\\(.)")


def parameters(value: str) -> Parameters:
    """Parse a value such as Content-Type, joining parameters that continue (RFC 2231 section 3).

    The charset and language of section 4 stay in the text, since nothing needs them.
    """
    value = value[:_MAX_PARAMETERS]
    values: dict[str, str] = {}
    for found in _PARAMETER.finditer(value):
        name = found[1].partition("*")[0].lower()
        text = found[3] if found[2] is None else _ESCAPED.sub(r"\1", found[2])
        values[name] = values.get(name, "") + text
    return Parameters(value.partition(";")[0].strip().lower(), values)


_ID = re.compile(r"<([^<>]+)>")


def message_ids(value: str) -> tuple[str, ...]:
    """Return the Message-IDs `<...>` in a value, in order and without repeats, folding undone.

    Our answers quote them. So those that are not ASCII or too long for a header line are left out.
    Of very many, the first and last are kept.
    """
    ids = (f"<{found.replace(' ', '')}>" for found in _ID.findall(value))
    found = list(dict.fromkeys(id_ for id_ in ids if id_.isascii() and len(id_) <= MAX_ID))
    half = MAX_IDS // 2
    return tuple(found if len(found) <= MAX_IDS else found[:half] + found[-half:])
