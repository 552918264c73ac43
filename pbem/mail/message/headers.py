"""Headers of an email or a part of one, and the mailboxes in them; their form is not trusted."""

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
from pbem.mail.message.limits import (
    MAX_FIELDS,
    MAX_HEADER,
    MAX_ID,
    MAX_IDS,
    MAX_VALUE,
    TOO_LONG_FIELD,
    TOO_MANY_FIELDS,
)


class HeaderSender(NamedTuple):
    """Whom a mail claims to be from; both empty if it does not name exactly one mailbox."""

    address: str
    """In lower case."""
    name: str


NOBODY = HeaderSender("", "")

_ADDRESS = re.compile(r'[^\s<>()",:;@\\\[\]]{1,64}@[^\s<>()",:;@\\\[\]]{1,255}')
_LIMITS = re.compile(r'[\s<>()",:;\\\[\]]+')
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\\.|[(),;<>]|[^"\\(),;<>]+|.', re.DOTALL)


def sender(values: tuple[str, ...]) -> HeaderSender:
    """Sender by all the From values of a mail, as they were written.

    What cannot be seen in an address, and a comment inside it, is not taken out: then it is none.

    Several fields or mailboxes make a mail whose sender depends on who reads it, so it has none
    (RFC 5322 section 3.6 allows one field; DMARC treats more as this does, RFC 7489 section 6.6.1).
    """
    if len(values) != 1:
        return NOBODY
    found = list(_mailboxes(values[0]))
    if len(found) != 1 or not is_address(found[0].address):
        return NOBODY
    return HeaderSender(found[0].address.lower(), found[0].display_name)


def addresses(values: Iterable[str]) -> tuple[str, ...]:
    """Everything in these values that looks like an address, in lower case and order, each once.

    Lenient on purpose: what is found here is proven by its token or not used at all.
    """
    words = (word.strip("'.") for value in values for word in _LIMITS.split(value))
    likely = (word for word in words if "@" in word and word.isprintable())
    found = (word.lower() for word in likely if _ADDRESS.fullmatch(word))
    return tuple(dict.fromkeys(found))


@dataclass
class _Mailbox:
    """One element of an address list while it is being read."""

    words: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    angles: list[str] = field(default_factory=list)
    names_one: bool = False
    """Whether there is an address in it at all."""

    @property
    def address(self) -> str:
        if len(self.angles) > 1:
            return ""
        return (self.angles[0] if self.angles else "".join(self.words)).strip(" \t")

    @property
    def display_name(self) -> str:
        """Read only now: an encoded word never makes syntax (RFC 2047 section 5)."""
        named = self.words if self.angles else self.comments
        return decoded_words(_ESCAPED.sub(r"\1", "".join(map(_unquoted, named))))


def _mailboxes(value: str) -> Iterator[_Mailbox]:
    """Elements of an address list (RFC 5322 section 3.4); `Smith, Ann <a@b>` counts as one."""
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
"""A line of nothing but blanks, below another."""


@dataclass(frozen=True)
class Headers:
    """Header fields in order, with lower-case names."""

    raw: tuple[tuple[str, bytes], ...]
    """The fields as they came, whatever their length."""
    excess: Phrase | None = None
    """What was over the limits, in plain words; it has been left out."""
    clear: bool = True
    """Whether every reader finds the same fields: nothing but lines that are fields or go on."""

    @cached_property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """The fields read: lower-case names and unfolded values, encoded words as they came."""
        return tuple((name, _unfolded(value)) for name, value in self.raw)

    def all(self, *names: str) -> tuple[str, ...]:
        """Values of every field of these (lower-case) names, in the order of the mail."""
        return tuple(_unfolded(value) for name, value in self.raw if name in names)

    def written(self, *names: str) -> tuple[str, ...]:
        """Values as they were written: nothing is taken out of them, and nothing is cut off."""
        return tuple(_as_written(value) for name, value in self.raw if name in names)

    def first(self, name: str) -> str:
        """Value of the topmost field of a name, empty if there is none."""
        return _unfolded(self._topmost.get(name, b""))

    def __contains__(self, name: str) -> bool:
        return name in self._topmost

    @cached_property
    def _topmost(self) -> dict[str, bytes]:
        return dict(reversed(self.raw))


def split_headers(raw: bytes) -> tuple[Headers, bytes]:
    """Headers of an entity, and its body; a line that is no header field begins the body."""
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
        elif line.start() or not text.startswith(b"From "):  # the line mbox files put first
            body, whole = end, False
            break
        end = body
    else:
        endless = len(raw) > MAX_HEADER
    return _headers(fields, endless, whole and _is_clear(raw[:end])), raw[body:]


def _is_clear(lines: bytes) -> bool:
    """Whether there is nothing that some take for the end of a line, a field or all fields."""
    ends_of_others = b"\0" in lines or lines.count(b"\r") > lines.count(b"\r\n")
    return not ends_of_others and not _BLANK.search(lines)


def _headers(fields: list[tuple[bytes, list[bytes]]], endless: bool, clear: bool) -> Headers:
    raw = tuple((name.decode().lower(), b"".join(lines)) for name, lines in fields[:MAX_FIELDS])
    excess = TOO_LONG_FIELD if any(len(value) > MAX_VALUE for _, value in raw) else None
    if endless or len(fields) > MAX_FIELDS:
        excess = TOO_MANY_FIELDS
    return Headers(raw, excess, clear and not endless)


def _as_written(value: bytes) -> str:
    """Value on one line (RFC 5322 section 2.2.3), with every character that it has."""
    return decode(value.replace(b"\r\n", b"").replace(b"\n", b"")).strip(" \t\r")


def _unfolded(value: bytes) -> str:
    """Value on one line (RFC 5322 section 2.2.3)."""
    return _one_line(decode(value[:MAX_VALUE]))


def _one_line(text: str) -> str:
    """Text with spaces for line ends, and without control characters."""
    text = text.strip()  # what ends a field is no reason to look at each character
    return " ".join((text if text.isprintable() else tidy(text)).split())


_ENCODED_WORD = re.compile(r"=\?([^?\s*]{1,64})(?:\*[^?\s]{0,64})?\?([bBqQ])\?([^?]*)\?=")


def decoded_words(value: str) -> str:
    """Value with its encoded words read (RFC 2047), on one line and without control characters."""
    return _one_line("".join(_word_runs(value)) if "=?" in value else value)


def _word_runs(value: str) -> Iterator[str]:
    """Neighbouring words of one charset are one text: clients split inside a character."""
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
    """A structured header value: its main word and its parameters, all lower-case names."""

    main: str
    values: dict[str, str]


_PARAMETER = re.compile(r';\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|"?([^;\s"]*))')
_ESCAPED = re.compile(r"\\(.)")


def parameters(value: str) -> Parameters:
    """Main word and parameters of a value such as Content-Type; continued ones are joined.

    RFC 2231 section 3; the charset and language of section 4 stay in the text, nothing here needs
    them.
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
    """Message identifiers `<...>` in a value, in order, each once; folding inside one is undone.

    Ours quote them: what is no ASCII or too long for a line of a header is left out, and of a
    great many the first and the last are kept.
    """
    ids = (f"<{found.replace(' ', '')}>" for found in _ID.findall(value))
    found = list(dict.fromkeys(id_ for id_ in ids if id_.isascii() and len(id_) <= MAX_ID))
    half = MAX_IDS // 2
    return tuple(found if len(found) <= MAX_IDS else found[:half] + found[-half:])
