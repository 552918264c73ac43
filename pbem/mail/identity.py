"""Identity: by what somebody is known, found in texts and mails, and taken out of them."""

from __future__ import annotations

import re
import unicodedata
from binascii import a2b_base64, a2b_qp
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from email import message_from_bytes, policy
from email.message import Message
from functools import cached_property
from html import escape

from pbem.mail.message.headers import decoded_words
from pbem.mail.outgoing.letter import Letter

BASE64 = re.compile(
    rb"^(?:[A-Za-z0-9+/]{4,}\r?\n)*[A-Za-z0-9+/]{2,}={0,2}\r?$|(?<=\?b\?)[A-Za-z0-9+/=]+(?=\?=)",
    re.MULTILINE | re.IGNORECASE,
)
"""Lines of nothing else, and encoded words (RFC 2047)."""
NOTE = "| "
"""What stands before each line of a note in a letter."""


@dataclass(frozen=True)
class Identity:
    """The names and the addresses of somebody, and what they are called instead."""

    names: tuple[str, ...]
    """The present one first."""
    addresses: tuple[str, ...]
    called: str
    others: tuple[str, ...] = ()
    """Names of others that hold one of these as a word, and stay."""

    @cached_property
    def _named(self) -> re.Pattern[str]:
        """A name as it is written: as words of its own, a line may end between them."""
        others = "|".join(map(_words, _longest_first(_forms(*self.others)))) or r"(?!)"
        own = "|".join(map(_words, _longest_first(_forms(*self.names))))
        return re.compile(rf"(?<!\w)(?:(?P<other>{others})|{own})(?!\w)")

    @cached_property
    def _addressed(self) -> re.Pattern[str]:
        """An address in any case of its letters."""
        forms = {form for each in self.addresses for form in _written(each)}
        any_of = "|".join(map(re.escape, _longest_first(forms))) or r"(?!)"
        return re.compile(rf"(?<![\w.+-])(?:{any_of})(?![\w-]|\.\w)", re.IGNORECASE)

    def is_in(self, text: str) -> bool:
        """Whether a text names them."""
        if self._addressed.search(text):
            return True
        return any(found["other"] is None for found in self._named.finditer(text))

    def out_of(self, text: str) -> str:
        """A text that does not name them any more."""
        without = self._addressed.sub(lambda _: self.called, text)
        return self._named.sub(lambda found: found["other"] or self.called, without)

    def out_of_letter(self, letter: Letter, *, with_notes: bool) -> Letter:
        """A letter that does not name them; and has no notes of anybody, if so wished.

        Who wrote a note is not told apart; without it the HTML part is made of the text.
        """
        text = _without_notes(letter.text) if with_notes else letter.text
        return replace(
            letter,
            to_name=self.out_of(letter.to_name),
            subject=self.out_of(letter.subject),
            text=self.out_of(text),
            html="" if with_notes else self.out_of(letter.html),
            picture="" if with_notes else self.out_of(letter.picture),
            attachments=tuple(
                each._replace(text=self.out_of(each.text)) for each in letter.attachments
            ),
        )

    def is_in_mail(self, raw: bytes) -> bool:
        """Whether a mail names them, however it is encoded; what cannot be read may."""
        if not self._may_be_in(raw):
            return False
        if self.is_in(raw.decode("utf-8", "replace")):
            return True
        try:
            return any(map(self.is_in, _decoded(message_from_bytes(raw, policy=policy.compat32))))
        except Exception:  # noqa: BLE001  a mail of a stranger can be broken in any way
            return True

    @cached_property
    def _pieces(self) -> tuple[bytes, ...]:
        """What is the same in all charsets of what they are known by; none where nothing is."""
        known = (*self.names, *(address.rpartition("@")[0] for address in self.addresses))
        runs = (re.findall(r"[a-z0-9]+", each.casefold()) for each in known)
        longest = [max(run, key=len, default="") for run in runs]
        return tuple(each.encode() for each in longest) if all(longest) else ()

    def _may_be_in(self, raw: bytes) -> bool:
        """Whether a piece of what they are known by is there: a hundred times quicker than to read.

        Parts and words in base64 are found by their form, whatever their headers say.
        """
        if not self._pieces:
            return True
        texts = (text.replace(b"\0", b"") for text in _texts(raw))  # as UTF-16 has them
        return any(piece in text for text in texts for piece in self._pieces)


KNOWN_BEFORE = "known before"
"""Key among the settings of a member: names and addresses they had, a line each, to be erased."""


def known_before(settings: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Names and addresses that somebody had before; no name holds an @."""
    lines = settings.get(KNOWN_BEFORE, "").splitlines()
    return [each for each in lines if "@" not in each], [each for each in lines if "@" in each]


def _texts(raw: bytes) -> Iterator[bytes]:
    """A mail in small letters as it is, and as it may be meant."""
    plain = raw.lower()
    yield plain
    if b"quoted-printable" in plain or b"?q?" in plain:
        yield a2b_qp(raw, header=True).lower()
    if b"base64" in plain or b"?b?" in plain:
        yield from (_from_base64(found[0]).lower() for found in BASE64.finditer(raw))


def _from_base64(text: bytes) -> bytes:
    whole = b"".join(text.split()).rstrip(b"=")
    try:
        return a2b_base64(whole[: len(whole) // 4 * 4] + _rest(whole))
    except ValueError:
        return b""


def _rest(whole: bytes) -> bytes:
    """The last letters of base64 with the padding that they need; a single one is no octet."""
    left = whole[len(whole) // 4 * 4 :]
    return left + b"=" * (4 - len(left)) if len(left) > 1 else b""


def _decoded(message: Message) -> Iterator[str]:
    """What stands in the headers and the parts of a mail."""
    for part in message.walk():
        yield from (decoded_words(str(value)) for value in part.values())
        payload = part.get_payload(decode=True)
        if isinstance(payload, bytes):
            yield payload.decode("utf-8", "replace")
            yield payload.decode(_charset(part), "replace")


def _charset(part: Message) -> str:
    named = part.get_content_charset("latin-1")
    try:
        "".encode(named)
    except LookupError:
        return "latin-1"
    return named


def _without_notes(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.startswith(NOTE))


def _forms(*names: str) -> set[str]:
    """Names as they are written in texts, in HTML and in links."""
    composed = {each for name in names for each in _composed(name)}
    return composed | set(map(escape, composed)) | set(map(_percent, names))


def _composed(text: str) -> set[str]:
    """The forms in which Unicode writes the same letters."""
    return {text, unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)}


def _words(name: str) -> str:
    """Pattern of a name whose words stand on one line, or on several of a quote."""
    return r"[\s|>]+".join(map(re.escape, name.split()))


def _written(address: str) -> Iterator[str]:
    """An address with its domain in either alphabet, in text, HTML and links."""
    local, _, domain = address.rpartition("@")
    domains = {domain}
    with suppress(UnicodeError):
        domains.add(domain.encode("idna").decode())
    with suppress(UnicodeError):
        domains.add(domain.encode("ascii").decode("idna"))
    for each in domains:
        whole = f"{local}@{each}"
        yield from (whole, escape(whole), _percent(whole), f"{local}%40{each}")


def _percent(text: str) -> str:
    """As it stands in a link, all but letters, digits and a few signs encoded."""
    kept = re.compile(rb"[A-Za-z0-9._~-]")
    octets = (bytes((octet,)) for octet in text.encode(errors="replace"))
    return "".join(o.decode() if kept.fullmatch(o) else f"%{o[0]:02X}" for o in octets)


def _longest_first(forms: set[str]) -> list[str]:
    return sorted(filter(None, forms), key=len, reverse=True)
