"""Authentication: a mail server's verdict on signatures (RFC 8601), and their DKIM tags.

Only the topmost Authentication-Results field of a trusted host counts. A server adds its own above
all others, so a field written by the sender is below it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from pbem.mail.topic import DigestTopic, Topic

if TYPE_CHECKING:
    from pbem.mail.message.message import Message


class ProofRule(StrEnum):
    """The proof required that an email is from its player."""

    TOKEN = "token"
    TOKEN_AND_DKIM = "token+dkim"
    DKIM = "dkim"

    @property
    def wants_token(self) -> bool:
        """Whether the email must carry a token of its player."""
        return self is not ProofRule.DKIM

    @property
    def wants_signature(self) -> bool:
        """Whether the domain in From must have signed the email (DKIM, RFC 6376)."""
        return self is not ProofRule.TOKEN


def is_signed(message: Message, trusted_hosts: Collection[str]) -> bool:
    """Return whether a trusted host found a valid DKIM signature of the domain in From."""
    domain = message.from_address.rpartition("@")[2]
    return any(is_aligned(domain, signer) for signer in signing_domains(message, trusted_hosts))


def signing_domains(message: Message, trusted_hosts: Collection[str]) -> tuple[str, ...]:
    """Return the domains with DKIM signatures that a trusted host found valid, in lower case."""
    hosts = {host.lower() for host in trusted_hosts}
    for value in message.headers.written("authentication-results"):
        field = read_results(value)
        if field.host in hosts or not field.host:
            return tuple(_passed(field.results or ()))
    return ()


def is_aligned(domain: str, signer: str) -> bool:
    """Return whether a signer may sign for a domain.

    This is stricter than DMARC (RFC 7489 section 3.1.1): only the domain itself or a parent may
    sign.

    Checking which subdomains belong together would need the public suffix list. IDNA versions map
    letters differently (ß is ss in IDNA 2003 but its own letter in RFC 5894 section 7.2). So
    non-ASCII domains must be identical.
    """
    above = domain.isascii() and signer.isascii() and domain.endswith("." + signer)
    return "." in signer and (domain == signer or above)


def _passed(results: Iterable[AuthResult]) -> Iterator[str]:
    """Yield the signing domains of results `dkim=pass`. Some servers only give `i=`."""
    for result in results:
        names = [name for name, _ in result.said]
        said = dict(result.said)
        signer = _domain(said["header.d"] if "header.d" in said else said.get("header.i", ""))
        once = names.count("header.d") < 2 and names.count("header.i") < 2
        if (result.method, result.verdict) == ("dkim", "pass") and once and signer:
            yield signer


def _domain(value: str) -> str:
    """Return the domain of a value or identity: the text after the last unquoted @.

    Empty if it is not a domain. In `"x@good"@evil` only the local part is quoted. If the whole
    value is quoted, the server did that.
    """
    whole = len(value) > 1 and value[0] == value[-1] == '"' and value.count('"') == 2
    domain = (value[1:-1] if whole else value).rpartition("@")[2].lower()
    return "" if set(domain) & set('"\\ \t') else domain


class AuthResult(NamedTuple):
    """A server's result for one method."""

    method: str
    """In lower case, without the version."""
    verdict: str
    """In lower case."""
    said: tuple[tuple[str, str], ...]
    """Names in lower case, with their unmodified values."""


class AuthResults(NamedTuple):
    """One Authentication-Results field: the host that added it, and its results."""

    host: str
    """In lower case. Empty if unknown."""
    results: tuple[AuthResult, ...] | None
    """Results of the field. None if it cannot be parsed."""


_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|[ \t]+|[^ \t"();\\]+|[(;]', re.DOTALL)
_OF_COMMENT = re.compile(r"[^()\\]+|\\.|[()]", re.DOTALL)
_BEGINNING = re.compile(r'[ \t]*([^ \t"();\\]+)')
_HOST = re.compile(r'(?:"([^"\\]*)"|([^ "=]+))(?: \d+)?')
_PAIR = re.compile(r'([A-Za-z0-9._/-]+) ?= ?((?:"(?:[^"\\]|\\.)*"|[^ "])*)(?: |\Z)')


def read_results(value: str) -> AuthResults:
    """Parse an unmodified Authentication-Results field."""
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
    """Split a value at semicolons. Raises ValueError if a quote or comment is not closed."""
    parts: list[list[str]] = [[]]
    for piece in _outside_comments(value):
        if piece == ";":
            parts.append([])
        elif piece != " " or parts[-1][-1:] != [" "]:
            parts[-1].append(piece)
    return ["".join(part).strip(" ") for part in parts]


def _outside_comments(value: str) -> Iterator[str]:
    """Yield pieces outside comments, any blank or comment as one space. Raises ValueError."""
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
    """Parse one result. Raises ValueError if it is not parsed completely."""
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
    *("subject", "date"),  # up to here from RFC 5322 section 3.6
    *("mime-version", "content-type", "content-transfer-encoding", "content-disposition"),
)
"""Fields that say who wrote to whom and when, and how to read the text."""
_DECIDING = ("from", "to", "cc", "subject", "date")
"""Fields that identify match and turn without a token."""


def is_read_as_signed(message: Message) -> bool:
    """Return whether no important field is repeated and no end of the body is unsigned."""
    headers = message.headers
    if headers.excess or not headers.clear:
        return False
    if any(len(headers.written(name)) > 1 for name in _ONCE):
        return False
    return not any("l" in tags for tags in _own_signatures(message))


def is_all_signed(message: Message) -> bool:
    """Return whether each signature of the sender covers the fields that identify the turn."""
    present = {name for name in _DECIDING if name in message.headers}
    covered = (tags.get("h", "").lower().split(":") for tags in _own_signatures(message))
    return all(present <= set(names) for names in covered)


class DkimSigner(NamedTuple):
    """The signer of an email, by the name of its public key (RFC 6376 section 3.6)."""

    domain: str
    selector: str


def own_signers(message: Message) -> list[DkimSigner]:
    """Return the signers that may sign for the sender, with valid signatures or not."""
    signatures = _own_signatures(message)
    return [DkimSigner(tags["d"].lower(), tags.get("s", "").lower()) for tags in signatures]


def _own_signatures(message: Message) -> list[dict[str, str]]:
    """Return the tags of signatures whose domain may sign for From, valid or not."""
    domain = message.from_address.rpartition("@")[2]
    signatures = map(_tags, message.headers.written("dkim-signature"))
    return [tags for tags in signatures if is_aligned(domain, tags.get("d", "").lower())]


def _tags(value: str) -> dict[str, str]:
    """Parse the tags of a signature field (RFC 6376 section 3.2), ignoring folding between them."""
    pairs = ("".join(part.split()).partition("=") for part in value.split(";"))
    return {name: text for name, _, text in pairs}


class Proof(NamedTuple):
    """Facts that the token or signature of an email proves besides its sender."""

    topic: Topic
    """The topic of the token. Without one, the match in its current state."""
    latest: bool
    """Whether it answers the newest email to them on this topic."""
    token: bool = True
    """Whether there is a token. Otherwise the signature alone is the proof."""

    sent_to: str = ""
    """The address that got the token, if it was not the player's by then. Otherwise empty."""
    digest: DigestTopic | None = None
    """The digest whose token proves an answer about this topic, None for a token of the topic."""

    @property
    def token_topic(self) -> Topic:
        """The topic of the token itself."""
        return self.digest or self.topic

    @property
    def turn(self) -> int:
        """The answered turn."""
        return self.topic.turn
