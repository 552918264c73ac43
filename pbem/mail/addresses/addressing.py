"""Addresses of the club that say more: tokens, which prove an answer, and keys of bounces."""

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
_MAC_LENGTH = 16  # base32 characters of them

_BOUNCE = re.compile(r"b-([a-z0-9]{1,32})", re.ASCII)
MAC = rf"-([a-z2-7]{{{_MAC_LENGTH}}})"
"""Pattern of the second part of a token, its MAC."""
TOKEN = rf"({FORM}){MAC}"
"""Pattern of a token: the topic, and the MAC."""
_TOKEN = re.compile(TOKEN, re.ASCII)

_SECRET = re.compile(rf"{TOKEN}|\bb-[0-9a-f]{{20,32}}", re.ASCII | re.IGNORECASE)


Addresses = tuple[str, ...]
"""Those to which a club's mail is sent; its own mails are from the first."""


@dataclass(frozen=True)
class ReplyToken:
    """What a mail of the club carries: what it is about, and a MAC over that and its reader."""

    topic: Topic
    mac: str

    def __str__(self) -> str:
        return f"{self.topic}-{self.mac}"


class TokenSigner:
    """The club's secrets, by version, so that one can be replaced while old mails still count."""

    def __init__(self, secrets: Mapping[int, bytes], current: int) -> None:
        if not all(secrets.values()):
            raise ValueError("a secret for tokens is empty")
        if current not in secrets:
            raise ValueError(f"there is no secret for tokens of version {current}")
        self._secrets = dict(secrets)
        self._current = current

    def __repr__(self) -> str:
        return f"Signer(versions={sorted(self._secrets)}, current={self._current})"

    def token(self, topic: Topic, holder: Holder) -> ReplyToken:
        """Token for a mail to a player or a stranger, by the current secret."""
        return ReplyToken(topic, self._mac(self._current, topic, holder))

    def proves(self, token: ReplyToken, holder: Holder) -> bool:
        """Whether a token was made for this reader, by any secret that is still kept."""
        macs = [self._mac(version, token.topic, holder) for version in self._secrets]
        given = token.mac.encode()
        # No short cut: how long it takes tells nothing about which secret it was.
        return sum(hmac.compare_digest(mac.encode(), given) for mac in macs) > 0

    def lots(self, of: str) -> Callable[[int], int]:
        """Numbers from 0 up to, not including, the one given, as drawn for something.

        Nobody can foresee them; drawn once more, as by a restored club, they are the same.
        """
        secret, draws = self._secrets[self._current], itertools.count()

        def draw(below: int) -> int:
            lot = f"pbem lot\0{of}\0{next(draws)}".encode()
            return int.from_bytes(hmac.digest(secret, lot, "sha256")) % below

        return draw

    def _mac(self, version: int, topic: Topic, holder: Holder) -> str:
        mac = hmac.digest(self._secrets[version], _signed(version, topic, holder), "sha256")
        return base64.b32encode(mac[:_MAC_BYTES]).decode().lower()


def _signed(version: int, topic: Topic, holder: Holder) -> bytes:
    """What a MAC is over; for a player in a match it is what it was before there were topics."""
    if isinstance(topic, MatchTopic) and isinstance(holder, int):
        parts = ("pbem token", version, topic.match, topic.turn, topic.seat, holder)
    else:
        who = ("player", holder) if isinstance(holder, int) else ("address", holder.casefold())
        parts = ("pbem topic", version, topic, *who)
    return "\0".join(map(str, parts)).encode(errors="replace")


def reply_address(club_address: str, token: ReplyToken) -> str:
    """Address that a player answers to; raises ValueError if the club's is too long for it."""
    local, _, host = club_address.rpartition("@")
    plus = f"{local}+{token}"
    if len(plus.encode()) > _MAX_LOCAL_PART:
        raise ValueError(
            f"the club's address is too long: {plus!r} has more than {_MAX_LOCAL_PART} octets"
        )
    return f"{plus}@{host}"


def message_id(token: ReplyToken, unique: str, host: str) -> str:
    """Message-ID that carries a token, for when the plus-address is lost on the way."""
    return f"<{token}.{unique}@{host}>"


def bounce_address(club_address: str, key: str) -> str:
    """Envelope sender of one mail, so that what comes back there is known to be about it (VERP)."""
    local, _, host = club_address.rpartition("@")
    return f"{local}+b-{key}@{host}"


def bounce_keys(message: Message, club: Addresses) -> tuple[str, ...]:
    """Distinct keys in the bounce addresses that a mail was sent to."""
    details = _details(message.recipients, club)
    return tuple(dict.fromkeys(found[1] for each in details if (found := _BOUNCE.fullmatch(each))))


def with_unique(message_id: str, unique: str) -> str:
    """Message-ID of another copy of the same mail: its token stays."""
    local, _, host = message_id.strip("<>").rpartition("@")
    token, dot, _ = local.rpartition(".")
    return f"<{token}{dot}{unique}@{host}>"


def tokens_in(message: Message, club: Addresses) -> tuple[ReplyToken, ...]:
    """Distinct tokens that a mail carries, proven or not, the likeliest first.

    They stand in the plus-addresses of the club it was sent to; only if none is there, in the
    Message-IDs it answers: In-Reply-To first, then References from the newest back. No person
    answers to where bounces go, so a mail that was sent there carries none.
    """
    if bounce_keys(message, club):
        return ()
    return _distinct(_in_addresses(message.recipients, club)) or _distinct(
        _in_message_ids((*message.in_reply_to, *reversed(message.references)))
    )


def carries_token(message_id: str) -> bool:
    """Whether a Message-ID is of the form that the club gives to its mails of a topic."""
    return any(_in_message_ids((message_id,)))


def token_of_message_id(message_id: str) -> ReplyToken | None:
    """Token in a Message-ID of the form that the club gives to its mails of a topic."""
    return next(_in_message_ids((message_id,)), None)


def token_of_address(address: str) -> tuple[ReplyToken | None, str]:
    """Token in an address to answer to, whichever club's it is, and the address without it."""
    local, _, host = address.lower().rpartition("@")
    name, _, detail = local.partition("+")
    return next(_token(_TOKEN.fullmatch(detail)), None), f"{name}@{host}"


def without_secrets(text: str) -> str:
    """Text in which tokens and keys of bounces, wherever they stand, are blanked."""
    return _SECRET.sub("…", text) if "-" in text else text


def is_club_address(address: str, club: Addresses) -> bool:
    """Whether an address is the club's own or one of its plus-addresses; not folded, as all are."""
    return any(True for _ in _details((address,), club))


def spread(club: Addresses, number: int) -> str:
    """Which address has to do with a match; where one more is added, most keep theirs.

    Highest random weight: https://en.wikipedia.org/wiki/Rendezvous_hashing.
    """
    return max(club, key=lambda each: sha256(f"{each.lower()} {number}".encode()).digest())


def _in_addresses(recipients: Iterable[str], club: Addresses) -> Iterator[ReplyToken]:
    for detail in _details(recipients, club):
        yield from _token(_TOKEN.fullmatch(detail))


def _details(recipients: Iterable[str], club: Addresses) -> Iterator[str]:
    """What stands after the plus in addresses of the club (RFC 5233 section 1), if anything."""
    owned = [each.lower().rpartition("@") for each in club]
    for address in recipients:
        local, _, host = address.lower().rpartition("@")
        for own, _, own_host in owned:
            if host == own_host and (local == own or local.startswith(f"{own}+")):
                yield local[len(own) + 1 :]


def _in_message_ids(ids: Iterable[str]) -> Iterator[ReplyToken]:
    """The host does not matter: it may have been another when that mail went out."""
    for found in ids:
        yield from _token(_TOKEN.fullmatch(found.casefold().strip("<>").partition(".")[0]))


def _token(found: re.Match[str] | None) -> Iterator[ReplyToken]:
    topic = read_topic(found[1]) if found else None
    if found and topic:
        yield ReplyToken(topic, found[2])


def _distinct(tokens: Iterable[ReplyToken]) -> tuple[ReplyToken, ...]:
    return tuple(dict.fromkeys(tokens))
