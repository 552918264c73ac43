"""Addresses in headers: the one a mail claims to be from, and all those it was sent to.

They are in lower case, and not case-folded: that would make `straße.example`, which is somebody
else's domain, `strasse.example`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from pbem.mail.address import is_address
from pbem.mail.message.headers import decoded_words


class Sender(NamedTuple):
    """Whom a mail claims to be from; both empty if it does not name exactly one mailbox."""

    address: str
    """In lower case."""
    name: str


NOBODY = Sender("", "")

_ADDRESS = re.compile(r'[^\s<>()",:;@\\\[\]]{1,64}@[^\s<>()",:;@\\\[\]]{1,255}')
_LIMITS = re.compile(r'[\s<>()",:;\\\[\]]+')
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\\.|[(),;<>]|[^"\\(),;<>]+|.', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)")


def sender(values: tuple[str, ...]) -> Sender:
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
    return Sender(found[0].address.lower(), found[0].display_name)


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
