"""Plus-addresses of the club: tokens, which prove an answer, and keys of bounces."""

from __future__ import annotations

import base64
import hmac
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from pbem.mail.topic import FORM, Holder, MatchTopic, Topic, read_topic

if TYPE_CHECKING:
    from pbem.mail.message.message import Message

_MAX_LOCAL_PART = 64  # octets, RFC 5321 section 4.5.3.1.1
_MAC_BYTES = 10
_MAC_LENGTH = 16  # base32 characters

_BOUNCE = re.compile(r"b-([a-z0-9]{1,32})", re.ASCII)
MAC = rf"-([a-z2-7]{{{_MAC_LENGTH}}})"
"""Pattern of the second part of a token, its MAC."""
TOKEN = rf"({FORM}){MAC}"
"""Pattern of a token: topic and MAC."""
_TOKEN = re.compile(TOKEN, re.ASCII)

_SECRET = re.compile(rf"{TOKEN}|\bb-[0-9a-f]{{20,32}}", re.ASCII | re.IGNORECASE)


Addresses = tuple[str, ...]
"""Addresses at which a club receives email. It sends from the first one."""


@dataclass(frozen=True)
class ReplyToken:
    """The topic of an email of the club, with a MAC over the topic and its reader."""

    topic: Topic
    mac: str

    def __str__(self) -> str:
        return f"{self.topic}-{self.mac}"


class TokenSigner:
    """Makes and checks tokens with the club's secrets.

    Secrets have versions, so one can be replaced while tokens in old emails stay valid.
    """

    def __init__(self, secrets: Mapping[int, bytes], current: int) -> None:
        if not all(secrets.values()):
            raise ValueError("a secret for tokens is empty")
        if current not in secrets:
            raise ValueError(f"there is no secret for tokens of version {current}")
        self._secrets = dict(secrets)
        self._current = current

    def __repr__(self) -> str:
        return f"TokenSigner(versions={sorted(self._secrets)}, current={self._current})"

    def token(self, topic: Topic, holder: Holder) -> ReplyToken:
        """Return a token for an email to a player or a stranger, made with the current secret."""
        return ReplyToken(topic, self._mac(self._current, topic, holder))

    def proves(self, token: ReplyToken, holder: Holder) -> bool:
        """Return whether a token was made for this holder with any of the kept secrets."""
        macs = [self._mac(version, token.topic, holder) for version in self._secrets]
        given = token.mac.encode()
        # Check all of them, so the time taken does not reveal which secret matched.
        return sum(hmac.compare_digest(mac.encode(), given) for mac in macs) > 0

    def lots(self, of: str) -> Callable[[int], int]:
        """Return a function that draws numbers from 0 up to, but not including, its argument.

        The numbers are unpredictable but the same on every run, for example in a restored club.
        """
        secret, draws = self._secrets[self._current], itertools.count()

        def draw(below: int) -> int:
            lot = f"pbem lot\0{of}\0{next(draws)}".encode()
            return int.from_bytes(hmac.digest(secret, lot, "sha256")) % below

        return draw

    def keys_of(self, mailbox: str) -> tuple[str, ...]:
        """Return keyed hashes of a mailbox, one for each kept secret, the current one first."""
        versions = sorted(self._secrets, key=lambda each: each != self._current)
        text = f"pbem mailbox\0{mailbox}".encode(errors="replace")
        return tuple(hmac.digest(self._secrets[each], text, "sha256").hex() for each in versions)

    def _mac(self, version: int, topic: Topic, holder: Holder) -> str:
        mac = hmac.digest(self._secrets[version], _signed(version, topic, holder), "sha256")
        return base64.b32encode(mac[:_MAC_BYTES]).decode().lower()


def _signed(version: int, topic: Topic, holder: Holder) -> bytes:
    """Return the data that a MAC covers.

    For a player in a match, the format predates topics, so that old tokens stay valid.
    """
    if isinstance(topic, MatchTopic) and isinstance(holder, int):
        parts = ("pbem token", version, topic.match, topic.turn, topic.seat, holder)
    else:
        who = ("player", holder) if isinstance(holder, int) else ("address", holder.casefold())
        parts = ("pbem topic", version, topic, *who)
    return "\0".join(map(str, parts)).encode(errors="replace")


def reply_address(club_address: str, token: ReplyToken) -> str:
    """Return the address for answers to a token. Raises ValueError if it would be too long."""
    local, _, host = club_address.rpartition("@")
    plus = f"{local}+{token}"
    if len(plus.encode()) > _MAX_LOCAL_PART:
        raise ValueError(
            f"the club's address is too long: {plus!r} has more than {_MAX_LOCAL_PART} octets"
        )
    return f"{plus}@{host}"


def message_id(token: ReplyToken, unique: str, host: str) -> str:
    """Return a Message-ID that carries a token, in case a client drops the plus-address."""
    return f"<{token}.{unique}@{host}>"


def bounce_address(club_address: str, key: str) -> str:
    """Return the envelope sender of one email, by which its bounce is recognised (VERP)."""
    local, _, host = club_address.rpartition("@")
    return f"{local}+b-{key}@{host}"


def bounce_keys(message: Message, club: Addresses) -> tuple[str, ...]:
    """Return the distinct keys in the bounce addresses an email was sent to."""
    details = _details(message.recipients, club)
    return tuple(dict.fromkeys(found[1] for each in details if (found := _BOUNCE.fullmatch(each))))


def with_unique(message_id: str, unique: str) -> str:
    """Return the Message-ID for another copy of the same email, with the same token."""
    local, _, host = message_id.strip("<>").rpartition("@")
    token, dot, _ = local.rpartition(".")
    return f"<{token}{dot}{unique}@{host}>"


def tokens_in(message: Message, club: Addresses) -> tuple[ReplyToken, ...]:
    """Return the distinct tokens in an email, proven or not, the likeliest first.

    They are in the club's plus-addresses among the recipients. If there is none, they are taken
    from the answered Message-IDs: In-Reply-To first, then References from the newest back. An email
    to a bounce address has no token, since no person answers there.
    """
    if bounce_keys(message, club):
        return ()
    return _distinct(_in_addresses(message.recipients, club)) or _distinct(
        _in_message_ids((*message.in_reply_to, *reversed(message.references)))
    )


def carries_token(message_id: str) -> bool:
    """Return whether a Message-ID has the form that the club gives to its emails."""
    return any(_in_message_ids((message_id,)))


def token_of_message_id(message_id: str) -> ReplyToken | None:
    """Return the token in a Message-ID of the club, None if it has none."""
    return next(_in_message_ids((message_id,)), None)


def token_of_address(address: str) -> tuple[ReplyToken | None, str]:
    """Return the token in an answer address, whichever club's it is, and the address without it."""
    local, _, host = address.lower().rpartition("@")
    name, _, detail = local.partition("+")
    return next(_token(_TOKEN.fullmatch(detail)), None), f"{name}@{host}"


def without_secrets(text: str) -> str:
    """Return a text with all tokens and bounce keys replaced."""
    return _SECRET.sub("…", text) if "-" in text else text


def is_club_address(address: str, club: Addresses) -> bool:
    """Return whether an address is the club's or one of its plus-addresses, ignoring case."""
    return any(True for _ in _details((address,), club))


def spread(club: Addresses, number: int) -> str:
    """Return the address to use for a match. If one is added, most matches keep theirs.

    Uses highest random weight: https://en.wikipedia.org/wiki/Rendezvous_hashing.
    """
    return max(club, key=lambda each: sha256(f"{each.lower()} {number}".encode()).digest())


def _in_addresses(recipients: Iterable[str], club: Addresses) -> Iterator[ReplyToken]:
    for detail in _details(recipients, club):
        yield from _token(_TOKEN.fullmatch(detail))


def _details(recipients: Iterable[str], club: Addresses) -> Iterator[str]:
    """Yield what follows the plus in addresses of the club (RFC 5233 section 1), perhaps empty."""
    owned = [each.lower().rpartition("@") for each in club]
    for address in recipients:
        local, _, host = address.lower().rpartition("@")
        for own, _, own_host in owned:
            if host == own_host and (local == own or local.startswith(f"{own}+")):
                yield local[len(own) + 1 :]


def _in_message_ids(ids: Iterable[str]) -> Iterator[ReplyToken]:
    """Yield the tokens in Message-IDs. The host is ignored, since the club's may have changed."""
    for found in ids:
        yield from _token(_TOKEN.fullmatch(found.casefold().strip("<>").partition(".")[0]))


def _token(found: re.Match[str] | None) -> Iterator[ReplyToken]:
    topic = read_topic(found[1]) if found else None
    if found and topic:
        yield ReplyToken(topic, found[2])


def _distinct(tokens: Iterable[ReplyToken]) -> tuple[ReplyToken, ...]:
    return tuple(dict.fromkeys(tokens))
