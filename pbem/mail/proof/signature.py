"""Signature: whether a signed mail is read as it was signed (DKIM, RFC 6376).

Of a field that stands twice a signature covers the lower one, and we read the upper (sections 5.4.2
and 8.15). What was left out of a signature, or stands behind its end (`l=`, section 8.2), anybody
can have written.
"""

from __future__ import annotations

from typing import NamedTuple

from pbem.mail.message.message import Message
from pbem.mail.proof.authentication import is_aligned

_ONCE = (
    *("from", "sender", "reply-to", "to", "cc", "bcc", "message-id", "in-reply-to", "references"),
    *("subject", "date"),  # up to here RFC 5322 section 3.6
    *("mime-version", "content-type", "content-transfer-encoding", "content-disposition"),
)
"""What tells who wrote to whom and when, and how the text is to be read."""
_DECIDING = ("from", "to", "cc", "subject", "date")
"""What tells match and turn where there is no token."""


def is_read_as_signed(message: Message) -> bool:
    """Whether no field that counts stands twice, and no end of the text was left unsigned."""
    headers = message.headers
    if headers.excess or not headers.clear:
        return False
    if any(len(headers.written(name)) > 1 for name in _ONCE):
        return False
    return not any("l" in tags for tags in _own_signatures(message))


def is_all_signed(message: Message) -> bool:
    """Whether each signature of the sender that the mail shows covers what tells match and turn."""
    present = {name for name in _DECIDING if name in message.headers}
    covered = (tags.get("h", "").lower().split(":") for tags in _own_signatures(message))
    return all(present <= set(names) for names in covered)


class Signer(NamedTuple):
    """Who signed a mail, by the name under which the public key is found (RFC 6376 section 3.6)."""

    domain: str
    selector: str


def own_signers(message: Message) -> list[Signer]:
    """Signers that may sign for the sender, whether the signatures are good or not."""
    signatures = _own_signatures(message)
    return [Signer(tags["d"].lower(), tags.get("s", "").lower()) for tags in signatures]


def _own_signatures(message: Message) -> list[dict[str, str]]:
    """Tags of the signatures, good or not, whose domain may sign for From."""
    domain = message.from_address.rpartition("@")[2]
    signatures = map(_tags, message.headers.written("dkim-signature"))
    return [tags for tags in signatures if is_aligned(domain, tags.get("d", "").lower())]


def _tags(value: str) -> dict[str, str]:
    """Tags of a signature field (RFC 6376 section 3.2); folding may stand anywhere between them."""
    pairs = ("".join(part.split()).partition("=") for part in value.split(";"))
    return {name: text for name, _, text in pairs}
