"""Headers of a mail or of one of its parts, read without trust in their form."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from pbem.games.phrases import Phrase
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
