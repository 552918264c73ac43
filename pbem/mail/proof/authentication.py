"""Authentication: what the club's own mail server found out about a mail's signatures (RFC 8601).

Only the topmost Authentication-Results field of a trusted host counts. A server puts its own above
all that came with the mail, so a field that the sender has written stands below it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from enum import StrEnum

from pbem.mail.message.message import Message
from pbem.mail.proof.authentication_results import Result, read_results


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
    return any(is_aligned(domain, signer) for signer in signing_domains(message, trusted_hosts))


def signing_domains(message: Message, trusted_hosts: Collection[str]) -> tuple[str, ...]:
    """Domains whose DKIM signatures a trusted host has found valid, in lower case."""
    hosts = {host.lower() for host in trusted_hosts}
    for value in message.headers.written("authentication-results"):
        field = read_results(value)
        if field.host in hosts or not field.host:
            return tuple(_passed(field.results or ()))
    return ()


def is_aligned(domain: str, signer: str) -> bool:
    """Whether a signer may sign for a domain.

    Stricter than DMARC (RFC 7489 section 3.1.1): only the domain itself or one above it signs.

    Telling which subdomains belong together would take the public suffix list. How letters beyond
    ASCII are mapped differs (ß is ss in IDNA 2003, but a letter of its own in RFC 5894 section
    7.2), so such domains are one only where they are written alike.
    """
    above = domain.isascii() and signer.isascii() and domain.endswith("." + signer)
    return "." in signer and (domain == signer or above)


def _passed(results: Iterable[Result]) -> Iterator[str]:
    """Signing domains of the results `dkim=pass`; some servers name the identity (`i=`) alone."""
    for result in results:
        names = [name for name, _ in result.said]
        said = dict(result.said)
        signer = _domain(said["header.d"] if "header.d" in said else said.get("header.i", ""))
        once = names.count("header.d") < 2 and names.count("header.i") < 2
        if (result.method, result.verdict) == ("dkim", "pass") and once and signer:
            yield signer


def _domain(value: str) -> str:
    """Domain of a value, which may be an identity: what stands after the last @ and is not quoted.

    Empty if that is none. In `"x@good"@evil` the local part is quoted; where all is, the quotes
    are the server's own.
    """
    whole = len(value) > 1 and value[0] == value[-1] == '"' and value.count('"') == 2
    domain = (value[1:-1] if whole else value).rpartition("@")[2].lower()
    return "" if set(domain) & set('"\\ \t') else domain
