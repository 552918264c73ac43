"""Topics of emails: a match, an offer, a digest, a membership, an address, or a question.

Tokens, threads, Message-IDs and limits use topics, and so do the rows of received and sent emails.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import NewType

TopicKey = NewType("TopicKey", str)
"""Key shared by all emails on a topic, whatever their turn: `match 12`, `question 31`."""

Holder = int | str
"""The reader of an email, proven by its token: a player's id or a stranger's address."""

_OF_MATCH = re.compile(r"match (\d{1,9})", re.ASCII)
_FORM = re.compile(
    r"(\d{1,9})-(\d{1,9})-([a-z0-9]{1,16})|([a-z])(\d{1,9})(?:-(\d{1,9}))?",
    re.ASCII | re.IGNORECASE,
)
FORM = r"(?:\d{1,9}-\d{1,9}-[a-z0-9]{1,16}|[a-z]\d{1,9}(?:-\d{1,9})?)"
"""Pattern of a topic in a token."""
LONGEST_FORM = 36
"""Maximum number of characters of that pattern."""


@dataclass(frozen=True)
class MatchTopic:
    """A match at a turn, as sent to one of its seats."""

    match: int
    turn: int
    seat: str
    """In lower case, as in addresses: `n`, `white`."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "seat", self.seat.lower())

    @property
    def key(self) -> TopicKey:
        """The key shared by all emails of the match."""
        return match_key(self.match)

    def __str__(self) -> str:
        return f"{self.match}-{self.turn}-{self.seat}"


@dataclass(frozen=True)
class MembershipTopic:
    """A player's membership of the club."""

    player: int
    turn: int = 0
    """Day of the email, counted from 1970 in UTC. 0 if it does not matter."""

    @property
    def key(self) -> TopicKey:
        """The key shared by all emails of the membership."""
        return TopicKey(f"member {self.player}")

    def __str__(self) -> str:
        return f"m{self.player}-{self.turn}" if self.turn else f"m{self.player}"


@dataclass(frozen=True)
class AddressTopic:
    """An address that no member has. An answer proves that its sender reads emails to it."""

    turn: int
    """Day of the email, counted from 1970 in UTC."""

    @property
    def key(self) -> TopicKey:
        """The key shared by emails to all such addresses. The address itself is their holder."""
        return TopicKey("address")

    def __str__(self) -> str:
        return f"a{self.turn}"


@dataclass(frozen=True)
class DirectorTopic:
    """Reports and decisions of one director, numbered by email."""

    turn: int
    """Number of the email. Only an answer to the newest can decide."""

    @property
    def key(self) -> TopicKey:
        """The key shared by all emails to directors."""
        return DIRECTORS

    def __str__(self) -> str:
        return f"d{self.turn}"


DIRECTORS = TopicKey("director")


@dataclass(frozen=True)
class QuestionTopic:
    """An open question of the club. Its kind is stored with the question."""

    question: int
    turn: int = 0
    """Always 0: a question is asked once."""

    @property
    def key(self) -> TopicKey:
        """The key shared by all emails of the question."""
        return TopicKey(f"question {self.question}")

    def __str__(self) -> str:
        return f"q{self.question}"


@dataclass(frozen=True)
class OfferTopic:
    """An offer with the terms of a revision."""

    offer: int
    turn: int
    """Revision of the terms."""

    @property
    def key(self) -> TopicKey:
        """The key shared by all emails of the offer."""
        return TopicKey(f"offer {self.offer}")

    def __str__(self) -> str:
        return f"o{self.offer}-{self.turn}"


@dataclass(frozen=True)
class StopTopic:
    """A request for fewer emails of a match. Any email to its address makes it."""

    match: int
    turn: int = 0
    """Always 0: the address does not expire."""

    @property
    def key(self) -> TopicKey:
        """A key apart from the match, since a token for this must not prove a move."""
        return TopicKey(f"stop {self.match}")

    def __str__(self) -> str:
        return f"s{self.match}"


@dataclass(frozen=True)
class DigestTopic:
    """An email about several matches. The turns that it showed are stored with its number."""

    digest: int
    turn: int = 0
    """Always 0: a digest is sent once."""

    @property
    def key(self) -> TopicKey:
        """The key of this digest alone."""
        return TopicKey(f"digest {self.digest}")

    def __str__(self) -> str:
        return f"g{self.digest}"


Topic = (
    MatchTopic
    | MembershipTopic
    | AddressTopic
    | DirectorTopic
    | QuestionTopic
    | OfferTopic
    | StopTopic
    | DigestTopic
)

Dated = (MembershipTopic, AddressTopic)
"""Topics whose turn is a day and not a place in a thread."""

_FIRST_DAY = datetime(1970, 1, 1, tzinfo=UTC)


def day_of(moment: datetime) -> int:
    """Return the day of a moment, as dated topics count it (UTC)."""
    return (moment - _FIRST_DAY).days


def midnight_of(day: int) -> datetime:
    """Return when such a day began, in UTC."""
    return _FIRST_DAY + timedelta(days=min(day, 999_999))


def match_key(match: int) -> TopicKey:
    """Return the key of a match."""
    return TopicKey(f"match {match}")


def match_of(key: str | None) -> int | None:
    """Return the number of the match that a key is for, None if it is for another topic."""
    found = _OF_MATCH.fullmatch(key or "")
    return int(found[1]) if found else None


def read_topic(text: str) -> Topic | None:
    """Parse the topic in a token, ignoring case. None if the text is not one."""
    found = _FORM.fullmatch(text)
    if found is None:
        return None
    if found[1]:
        return MatchTopic(int(found[1]), int(found[2]), found[3])
    read = _LETTERS.get(found[4].lower())
    return read(int(found[5]), int(found[6] or 0)) if read else None


_LETTERS: Mapping[str, Callable[[int, int], Topic]] = {
    "a": lambda day, _: AddressTopic(day),
    "d": lambda number, _: DirectorTopic(number),
    "g": lambda digest, _: DigestTopic(digest),
    "m": MembershipTopic,
    "o": OfferTopic,
    "q": lambda question, _: QuestionTopic(question),
    "s": lambda match, _: StopTopic(match),
}
"""Parsers for the one or two numbers after each letter."""
