"""Charsets: decode wrongly declared text, and remove characters that could mislead readers."""

from __future__ import annotations

import binascii
import codecs
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE

_TEXT_CODECS = re.compile(
    r"ascii|utf-|cp\d|iso8859|latin|koi8|mac|gb|big5|euc|shift_jis|iso2022|hz|tis|johab"
)
"""Python's codecs for text. Others (idna, punycode) take quadratic time or are not charsets."""

_ALIASES = {"iso8859-1": "cp1252", "ascii": "utf-8", "iso8859-9": "cp1254", "gb2312": "gb18030"}
"""Meaning of labels in practice, as in browsers: the superset was typed."""

_WINDOWS = re.compile(rb"[\x80-\x9f]")
"""Bytes that are quotation marks in Windows charsets but unused in ISO 8859."""

_LINE_ENDS = re.compile(r"\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
"""All line ends of `str.splitlines`, which games and commands use to split lines."""
_REPLACED = "\ufffd"


def decode(data: bytes, charset: str = "") -> str:
    """Decode bytes as declared or as UTF-8, otherwise in the likeliest charset."""
    declared = "utf-16" if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else _codec(charset)
    if declared == "iso8859-2" and _WINDOWS.search(data):
        declared = "cp1250"
    for codec in dict.fromkeys((declared, "utf-8")):
        try:
            return data.decode(codec)
        except ValueError:
            continue
    return _damaged(data, declared)


def lines_of(text: str) -> list[str]:
    """Split a text at any kind of line end."""
    return _LINE_ENDS.sub("\n", text).split("\n")


def tidy(text: str) -> str:
    r"""Return text with `\n` line ends and without control and invisible characters."""
    usual = text.replace("\r\n", "\n")
    if usual.replace("\n", "").isprintable():  # as nearly every text is
        return usual
    return harmless("\n".join(lines_of(text)))


def transfer_decoded(body: bytes, encoding: str) -> bytes:
    """Remove the Content-Transfer-Encoding of a body (RFC 2045 section 6), tolerating damage."""
    if encoding == "quoted-printable":
        return binascii.a2b_qp(body)
    if encoding == "base64" and not _plainly_written(body):
        return base64_decoded(body)
    return body


_NO_BASE64 = re.compile(rb"[^A-Za-z0-9+/=\s]")
_SPACE = re.compile(rb"(?<=\S) (?=\S)")


def _plainly_written(body: bytes) -> bool:
    """Return whether a body is declared as base64 but looks like plain text."""
    beginning = body[:1000]
    others, spaces = len(_NO_BASE64.findall(beginning)), len(_SPACE.findall(beginning))
    return others * 5 > len(beginning) or spaces * 12 > len(beginning)


_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_NOT_BASE64 = bytes(set(range(256)) - set(_BASE64))


def base64_decoded(data: bytes) -> bytes:
    """Decode base64 even if its padding is wrong or it is damaged."""
    letters = data.translate(None, _NOT_BASE64)
    whole = letters[: len(letters) - (len(letters) % 4 == 1)]
    return binascii.a2b_base64(whole + b"=" * (-len(whole) % 4))


def _codec(charset: str) -> str:
    if not charset:
        return "utf-8"
    try:
        name = codecs.lookup(charset).name if charset.isascii() else ""
    except (LookupError, ValueError):
        return "utf-8"
    return _ALIASES.get(name, name) if _TEXT_CODECS.match(name) else "utf-8"


def _damaged(data: bytes, declared: str) -> str:
    """Decode damaged bytes: replace a few, or guess the charset if there are many."""
    text = data.decode(declared, errors="replace")
    foreign = sum(not char.isascii() for char in text)
    if declared != "cp1252" and text.count(_REPLACED) * 4 <= foreign:
        return text
    guesses = [data[:_ENOUGH].decode(codec, errors="replace") for codec in _LIKELY]
    best = max(range(len(guesses)), key=lambda number: _likelihood(guesses[number], number))
    return data.decode(tuple(_LIKELY)[best], errors="replace")


_ENOUGH = 4096
_WESTERN = "äöüßÄÖÜéèêëàâçùûîïôÉÈÀÇÊñáíóúÑÁÍÓÚåøÅØãõìò¿¡"
_CENTRAL = "ąćęłńóśźżĄĆĘŁŃÓŚŹŻáčďéěíňřšťúůýžČŘŠŽÁÉÍÚőűäöüßÄÖÜ"
_CYRILLIC = "абвгдежзийклмнопрстуфхцчшщъыьэюяії"
_LIKELY = {
    "cp1252": frozenset(_WESTERN),
    "cp1250": frozenset(_CENTRAL),
    "iso8859-2": frozenset(_CENTRAL),
    "cp1251": frozenset(_CYRILLIC),
    "koi8-r": frozenset(_CYRILLIC),
}
"""Single-byte charsets, the likeliest first, with the letters that identify them.

On texts as short as emails to the club, this is right more often than charset-normalizer.
"""
_TYPOGRAPHIC = frozenset("–—‘’“”„«»…•·°€\xa0 ")


def _likelihood(text: str, number: int) -> int:
    """Return the number of letters that fit a guess, minus the characters that contradict it."""
    letters = list(_LIKELY.values())[number]
    foreign = [char for char in text if not char.isascii() and char not in _TYPOGRAPHIC]
    score = sum(1 if char in letters else -1 for char in foreign)
    return score - 2 * len(_INSIDE_A_WORD.findall(text))


_INSIDE_A_WORD = re.compile(r"(?<=\w)[¿¡](?=\w)")
"""A letter of another charset that was read as Spanish punctuation."""


_HARMFUL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff"
    r"\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f]"
)
"""Harmful characters: controls, lone surrogates and invisible format characters.

They include bidirectional controls (Unicode annex 9). Joiners and variation selectors stay, since
scripts and emoji need them.
"""


def harmless(text: str) -> str:
    r"""Return text without harmful characters, but with `\n` line ends and tabs."""
    # A fast check for most texts: Python counts no harmful character as printable. It takes a tenth
    # of the time of a search.
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return _HARMFUL.sub("", text)


def columns(text: str) -> int:
    """Return the most columns that a text takes, as its number of bytes in UTF-8.

    Some characters take two columns, and some clients count bytes.
    """
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
