"""Authentication: what the club's own mail server found out about a mail's signatures (RFC 8601).

Only the topmost Authentication-Results field of a trusted host counts. A server puts its own above
all that came with the mail, so a field that the sender has written stands below it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from enum import StrEnum

from pbem.mail.incoming.message import Message


class ProofRule(StrEnum):
    """What proves that a mail is from its player."""

    TOKEN = "token"
    TOKEN_AND_DKIM = "token+dkim"
    DKIM = "dkim"

    @property
    def wants_token(self) -> bool:
        """Whether the mail must carry a token of its player."""
        return self is not ProofRule.DKIM

    @property
    def wants_signature(self) -> bool:
        """Whether the mail must be signed by the domain in its From (DKIM, RFC 6376)."""
        return self is not ProofRule.TOKEN


def is_signed(message: Message, trusted_hosts: Collection[str]) -> bool:
    """Whether a trusted host has found a valid DKIM signature of the domain in From."""
    domain = message.from_address.rpartition("@")[2]
    return any(_aligned(domain, signer) for signer in signing_domains(message, trusted_hosts))


def signing_domains(message: Message, trusted_hosts: Collection[str]) -> tuple[str, ...]:
    """Domains whose DKIM signatures a trusted host has found valid, in lower case."""
    hosts = {host.lower() for host in trusted_hosts}
    for value in message.headers.all("authentication-results"):
        host, *results = _parts(value)
        if (host.split() or [""])[0].strip('"').lower() in hosts:
            return tuple(_passed(results))
    return ()


def _aligned(domain: str, signer: str) -> bool:
    """Stricter than DMARC (RFC 7489 section 3.1.1): only the domain itself or one above it signs.

    Telling which subdomains belong together would take the public suffix list. How letters beyond
    ASCII are mapped differs (ß is ss in IDNA 2003, but a letter of its own in RFC 5894 section
    7.2), so such domains are one only where they are written alike.
    """
    above = domain.isascii() and signer.isascii() and domain.endswith("." + signer)
    return "." in signer and (domain == signer or above)


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\\.|[();]|[^"\\();]+|.', re.DOTALL)


def _parts(value: str) -> list[str]:
    """Parts of a field between its semicolons, comments left out; a quoted string stays whole."""
    parts, depth = [""], 0
    for token in _TOKEN.findall(value):
        if token == "(":
            depth += 1
        elif depth:
            depth -= token == ")"
        elif token == ";":
            parts.append("")
        else:
            parts[-1] += token
    return parts


_PAIR = re.compile(r'([A-Za-z0-9./_-]{1,64})\s*=\s*("(?:[^"\\]|\\.)*"|[^\s"]+)')


def _passed(results: list[str]) -> Iterator[str]:
    """Signing domains of the results `dkim=pass`; some servers name the identity (`i=`) alone."""
    for result in results:
        pairs = [(name.lower(), text.strip('"')) for name, text in _PAIR.findall(result)]
        if pairs and pairs[0][0].partition("/")[0] == "dkim" and pairs[0][1].lower() == "pass":
            said = dict(reversed(pairs[1:]))
            signer = said.get("header.d") or said.get("header.i", "").rpartition("@")[2]
            yield signer.lower()
