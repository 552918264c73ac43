"""Identity: find the names and addresses of a person in texts and emails, and remove them."""

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
"""Lines of base64, and encoded words (RFC 2047)."""
NOTE = "| "
"""Prefix of each line of a note in an email of the club."""


@dataclass(frozen=True)
class Identity:
    """The names and addresses of a person, and what replaces them."""

    names: tuple[str, ...]
    """The current name first."""
    addresses: tuple[str, ...]
    called: str
    others: tuple[str, ...] = ()
    """Names of other people that contain one of these as a word, and are kept."""

    @cached_property
    def _named(self) -> re.Pattern[str]:
        """Pattern of a name as whole words, with possible line breaks between them."""
        others = "|".join(map(_words, _longest_first(_forms(*self.others)))) or r"(?!)"
        own = "|".join(map(_words, _longest_first(_forms(*self.names))))
        return re.compile(rf"(?<!\w)(?:(?P<other>{others})|{own})(?!\w)")

    @cached_property
    def _addressed(self) -> re.Pattern[str]:
        """Pattern of an address, ignoring case."""
        forms = {form for each in self.addresses for form in _written(each)}
        any_of = "|".join(map(re.escape, _longest_first(forms))) or r"(?!)"
        return re.compile(rf"(?<![\w.+-])(?:{any_of})(?![\w-]|\.\w)", re.IGNORECASE)

    def is_in(self, text: str) -> bool:
        """Return whether a text contains a name or address of the person."""
        if self._addressed.search(text):
            return True
        return any(found["other"] is None for found in self._named.finditer(text))

    def out_of(self, text: str) -> str:
        """Return a text with their names and addresses replaced."""
        without = self._addressed.sub(lambda _: self.called, text)
        return self._named.sub(lambda found: found["other"] or self.called, without)

    def out_of_letter(self, letter: Letter, *, with_notes: bool) -> Letter:
        """Return an email with their names and addresses replaced.

        `with_notes` removes all notes, since their authors are unknown. The HTML part is then
        rebuilt from the text.
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
        """Return whether a received email contains them, however encoded. Unreadable ones might."""
        if not self._may_be_in(raw):
            return False
        if self.is_in(raw.decode("utf-8", "replace")):
            return True
        try:
            return any(map(self.is_in, _decoded(message_from_bytes(raw, policy=policy.compat32))))
        except Exception:  # noqa: BLE001  a stranger's email can be broken in any way
            return True

    @cached_property
    def _pieces(self) -> tuple[bytes, ...]:
        """Bytes of their names and addresses in any charset, none if one has no such bytes."""
        known = (*self.names, *(address.rpartition("@")[0] for address in self.addresses))
        runs = (re.findall(r"[a-z0-9]+", each.casefold()) for each in known)
        longest = [max(run, key=len, default="") for run in runs]
        return tuple(each.encode() for each in longest) if all(longest) else ()

    def _may_be_in(self, raw: bytes) -> bool:
        """Return whether such bytes are in an email, a hundred times faster than reading it.

        Base64 is recognised by its form, whatever the headers say.
        """
        if not self._pieces:
            return True
        texts = (text.replace(b"\0", b"") for text in _texts(raw))  # between UTF-16 letters
        return any(piece in text for text in texts for piece in self._pieces)


KNOWN_BEFORE = "known before"
"""Key in a member's settings: former names and addresses, one per line, to erase later."""


def former_names(settings: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Return a member's former names and addresses. A name never contains an @."""
    lines = settings.get(KNOWN_BEFORE, "").splitlines()
    return [each for each in lines if "@" not in each], [each for each in lines if "@" in each]


def _texts(raw: bytes) -> Iterator[bytes]:
    """Yield an email in lower case, as it is and decoded."""
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
    """Return the rest of base64 text with padding. A single letter is not a whole byte."""
    left = whole[len(whole) // 4 * 4 :]
    return left + b"=" * (4 - len(left)) if len(left) > 1 else b""


def _decoded(message: Message) -> Iterator[str]:
    """Yield the decoded headers and parts of an email."""
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
    """Return names as written in texts, HTML and links."""
    composed = {each for name in names for each in _composed(name)}
    return composed | set(map(escape, composed)) | set(map(_percent, names))


def _composed(text: str) -> set[str]:
    """Return the Unicode forms of the same letters."""
    return {text, unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)}


def _words(name: str) -> str:
    """Return a pattern of a name whose words may be on several lines of a quote."""
    return r"[\s|>]+".join(map(re.escape, name.split()))


def _written(address: str) -> Iterator[str]:
    """Yield an address with its domain in Unicode and in ASCII (IDNA), in text, HTML and links."""
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
    """Encode a text as in a link."""
    kept = re.compile(rb"[A-Za-z0-9._~-]")
    octets = (bytes((octet,)) for octet in text.encode(errors="replace"))
    return "".join(o.decode() if kept.fullmatch(o) else f"%{o[0]:02X}" for o in octets)


def _longest_first(forms: set[str]) -> list[str]:
    return sorted(filter(None, forms), key=len, reverse=True)
