"""Identity: by what somebody is known, found in texts and mails, and taken out of them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from email import message_from_bytes, policy
from email.message import Message
from functools import cached_property
from html import escape

from pbem.mail.message.headers import decoded_words
from pbem.mail.outgoing.letter import Letter

ENCODED = re.compile(rb"base64|quoted-printable|=\?", re.IGNORECASE)
"""What a mail has in it that does not say plainly what it says."""
NOTE = "| "
"""What stands before each line of a note in a letter."""


@dataclass(frozen=True)
class Identity:
    """The name and the addresses of somebody, and what they are called instead."""

    name: str
    addresses: tuple[str, ...]
    called: str

    @cached_property
    def _named(self) -> re.Pattern[str]:
        """A name as it is written: as words of its own, a line may end between them."""
        forms = {form for each in _composed(self.name) for form in (each, escape(each))}
        forms |= {_percent(self.name)}
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(_words, _longest_first(forms)))})(?!\w)")

    @cached_property
    def _addressed(self) -> re.Pattern[str]:
        """An address in any case of its letters."""
        forms = {form for each in self.addresses for form in _written(each)}
        any_of = "|".join(map(re.escape, _longest_first(forms))) or r"(?!)"
        return re.compile(rf"(?<![\w.+-])(?:{any_of})(?![\w-]|\.\w)", re.IGNORECASE)

    def is_in(self, text: str) -> bool:
        """Whether a text names them."""
        return bool(self._addressed.search(text) or self._named.search(text))

    def out_of(self, text: str) -> str:
        """A text that does not name them any more."""
        without = self._addressed.sub(lambda _: self.called, text)
        return self._named.sub(lambda _: self.called, without)

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
        )

    def is_in_mail(self, raw: bytes) -> bool:
        """Whether a mail names them, however it is encoded; what cannot be read may."""
        if self.is_in(raw.decode("utf-8", "replace")):
            return True
        if not ENCODED.search(raw):
            return False
        try:
            return any(map(self.is_in, _decoded(message_from_bytes(raw, policy=policy.compat32))))
        except Exception:  # noqa: BLE001  a mail of a stranger can be broken in any way
            return True


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
        domains |= {domain.encode("idna").decode(), domain.encode().decode("idna")}
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
