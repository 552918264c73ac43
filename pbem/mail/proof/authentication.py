"""Authentication: what a mail server found about an email's signatures (RFC 8601), and its DKIM.

Only the topmost Authentication-Results field of a trusted host counts. A server puts its own above
all that came with the mail, so a field that the sender has written stands below it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from pbem.mail.topic import Topic

if TYPE_CHECKING:
    from pbem.mail.message.message import Message


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


def _passed(results: Iterable[AuthResult]) -> Iterator[str]:
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


class AuthResult(NamedTuple):
    """What a server has found out by one method."""

    method: str
    """In lower case, without its version."""
    verdict: str
    """In lower case."""
    said: tuple[tuple[str, str], ...]
    """Names in lower case, and values as they were written."""


class AuthResults(NamedTuple):
    """A field: who has added it, and what is in it."""

    host: str
    """In lower case; empty where it cannot be known."""
    results: tuple[AuthResult, ...] | None
    """None where the field cannot be read."""


_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|[ \t]+|[^ \t"();\\]+|[(;]', re.DOTALL)
_OF_COMMENT = re.compile(r"[^()\\]+|\\.|[()]", re.DOTALL)
_BEGINNING = re.compile(r'[ \t]*([^ \t"();\\]+)')
_HOST = re.compile(r'(?:"([^"\\]*)"|([^ "=]+))(?: \d+)?')
_PAIR = re.compile(r'([A-Za-z0-9._/-]+) ?= ?((?:"(?:[^"\\]|\\.)*"|[^ "])*)(?: |\Z)')


def read_results(value: str) -> AuthResults:
    """Results of a field as it was written."""
    try:
        head, *parts = _parts(value)
        host = _HOST.fullmatch(head)
        if host is None:
            raise ValueError("no host")
        results = tuple(_result(part) for part in parts if part not in ("", "none"))
    except ValueError:
        begun = _BEGINNING.match(value)
        return AuthResults(begun[1].lower() if begun else "", None)
    return AuthResults((host[1] or host[2] or "").lower(), results)


def _parts(value: str) -> list[str]:
    """Text between the semicolons; raises ValueError where something has no end."""
    parts: list[list[str]] = [[]]
    for piece in _outside_comments(value):
        if piece == ";":
            parts.append([])
        elif piece != " " or parts[-1][-1:] != [" "]:
            parts[-1].append(piece)
    return ["".join(part).strip(" ") for part in parts]


def _outside_comments(value: str) -> Iterator[str]:
    """Pieces, one space for any space and for a comment; raises ValueError."""
    if not value.replace("\t", " ").isprintable():
        raise ValueError("something that cannot be seen")
    depth, at = 0, 0
    while at < len(value):
        piece = (_OF_COMMENT if depth else _PIECE).match(value, at)
        if piece is None:
            raise ValueError("a quoted string that has no end, or a character out of place")
        text, at = piece[0], piece.end()
        if text == "(":
            depth += 1
            yield " "
        elif depth:
            depth -= text == ")"
        else:
            yield text if text.strip(" \t") else " "
    if depth:
        raise ValueError("a comment that has no end")


def _result(part: str) -> AuthResult:
    """Result in a part; raises ValueError where anything in it is left over."""
    pairs: list[tuple[str, str]] = []
    at = 0
    while at < len(part):
        pair = _PAIR.match(part, at)
        if pair is None:
            raise ValueError("a rest")
        pairs.append((pair[1].lower(), pair[2]))
        at = pair.end()
    (method, verdict), *said = pairs
    return AuthResult(method.partition("/")[0], verdict.lower(), tuple(said))


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


class DkimSigner(NamedTuple):
    """Who signed a mail, by the name under which the public key is found (RFC 6376 section 3.6)."""

    domain: str
    selector: str


def own_signers(message: Message) -> list[DkimSigner]:
    """Signers that may sign for the sender, whether the signatures are good or not."""
    signatures = _own_signatures(message)
    return [DkimSigner(tags["d"].lower(), tags.get("s", "").lower()) for tags in signatures]


def _own_signatures(message: Message) -> list[dict[str, str]]:
    """Tags of the signatures, good or not, whose domain may sign for From."""
    domain = message.from_address.rpartition("@")[2]
    signatures = map(_tags, message.headers.written("dkim-signature"))
    return [tags for tags in signatures if is_aligned(domain, tags.get("d", "").lower())]


def _tags(value: str) -> dict[str, str]:
    """Tags of a signature field (RFC 6376 section 3.2); folding may stand anywhere between them."""
    pairs = ("".join(part.split()).partition("=") for part in value.split(";"))
    return {name: text for name, _, text in pairs}


class Proof(NamedTuple):
    """What the token or the signature of a mail proves beside who sent it."""

    topic: Topic
    """That of the token; without one, the match as it stands."""
    latest: bool
    """Whether it answers the newest mail about it that was sent to them."""
    token: bool = True
    """Whether there is a token; else the signature alone is the proof."""

    sent_to: str = ""
    """The address that was mailed the token, if it was not theirs by then, or is told apart."""

    @property
    def turn(self) -> int:
        """Turn that is answered."""
        return self.topic.turn
