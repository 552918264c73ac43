"""Topic: what a mail is about: a match, an offer, a membership, an address, or a question.

Token, thread, Message-ID and limits speak of topics, and so do the rows of received and sent mail.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import NewType

TopicKey = NewType("TopicKey", str)
"""What all mails of a topic have in common, whatever their turn: `match 12`, `question 31`."""

Holder = int | str
"""Whom a mail is for, and whom its token proves: a player by number, a stranger by address."""

_OF_MATCH = re.compile(r"match (\d{1,9})", re.ASCII)
_FORM = re.compile(
    r"(\d{1,9})-(\d{1,9})-([a-z0-9]{1,16})|([a-z])(\d{1,9})(?:-(\d{1,9}))?",
    re.ASCII | re.IGNORECASE,
)
FORM = r"(?:\d{1,9}-\d{1,9}-[a-z0-9]{1,16}|[a-z]\d{1,9}(?:-\d{1,9})?)"
"""Pattern of what stands for a topic in a token."""
LONGEST_FORM = 36
"""Characters that it has at most."""


@dataclass(frozen=True)
class MatchTopic:
    """A match, as it stood for one of its seats."""

    match: int
    turn: int
    seat: str
    """Lower-case, as in addresses: `n`, `white`."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "seat", self.seat.lower())

    @property
    def key(self) -> TopicKey:
        """What all mails of the match have in common."""
        return match_key(self.match)

    def __str__(self) -> str:
        return f"{self.match}-{self.turn}-{self.seat}"


@dataclass(frozen=True)
class MembershipTopic:
    """A player and the club."""

    player: int
    turn: int = 0
    """Day on which the mail was written, counted from 1970 (UTC); 0 where that does not matter."""

    @property
    def key(self) -> TopicKey:
        """What all mails of the membership have in common."""
        return TopicKey(f"member {self.player}")

    def __str__(self) -> str:
        return f"m{self.player}-{self.turn}" if self.turn else f"m{self.player}"


@dataclass(frozen=True)
class AddressTopic:
    """An address that no member has: who answers can read what is sent there."""

    turn: int
    """Day on which the mail was written, counted from 1970 (UTC)."""

    @property
    def key(self) -> TopicKey:
        """What mails to any such address have in common; the address is their holder."""
        return TopicKey("address")

    def __str__(self) -> str:
        return f"a{self.turn}"


@dataclass(frozen=True)
class DirectorTopic:
    """What a director is told and decides, numbered mail by mail for each of them."""

    turn: int
    """Number of the mail: only the newest one decides anything."""

    @property
    def key(self) -> TopicKey:
        """What all mails to directors have in common."""
        return DIRECTORS

    def __str__(self) -> str:
        return f"d{self.turn}"


DIRECTORS = TopicKey("director")


@dataclass(frozen=True)
class QuestionTopic:
    """A question of the club that waits for an answer; its kind stands with the question."""

    question: int
    turn: int = 0
    """It has none: it is asked once."""

    @property
    def key(self) -> TopicKey:
        """What all mails of the question have in common."""
        return TopicKey(f"question {self.question}")

    def __str__(self) -> str:
        return f"q{self.question}"


@dataclass(frozen=True)
class OfferTopic:
    """An offer, as its terms stood at a revision."""

    offer: int
    turn: int
    """Revision of its terms."""

    @property
    def key(self) -> TopicKey:
        """What all mails of the offer have in common."""
        return TopicKey(f"offer {self.offer}")

    def __str__(self) -> str:
        return f"o{self.offer}-{self.turn}"


@dataclass(frozen=True)
class StopTopic:
    """That somebody wants fewer mails of a match; a mail to its address asks for nothing else."""

    match: int
    turn: int = 0
    """It has none: it stays possible."""

    @property
    def key(self) -> TopicKey:
        """Apart from the match: what proves this proves no move."""
        return TopicKey(f"stop {self.match}")

    def __str__(self) -> str:
        return f"s{self.match}"


Topic = (
    MatchTopic
    | MembershipTopic
    | AddressTopic
    | DirectorTopic
    | QuestionTopic
    | OfferTopic
    | StopTopic
)

Dated = (MembershipTopic, AddressTopic)
"""Topics that tell no thread, but on which day the mail was written."""

_FIRST_DAY = datetime(1970, 1, 1, tzinfo=UTC)


def day_of(moment: datetime) -> int:
    """The day of a moment as dated topics count it (UTC)."""
    return (moment - _FIRST_DAY).days


def midnight_of(day: int) -> datetime:
    """When such a day began, UTC."""
    return _FIRST_DAY + timedelta(days=min(day, 999_999))


def match_key(match: int) -> TopicKey:
    """Key of a match, whatever its turn."""
    return TopicKey(f"match {match}")


def match_of(key: str | None) -> int | None:
    """Number of the match that a key is of; None for any other."""
    found = _OF_MATCH.fullmatch(key or "")
    return int(found[1]) if found else None


def read_topic(text: str) -> Topic | None:
    """Topic as it stands in a token, in any case of letters; None if the text is none."""
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
    "m": MembershipTopic,
    "o": OfferTopic,
    "q": lambda question, _: QuestionTopic(question),
    "s": lambda match, _: StopTopic(match),
}
"""How what stands behind a letter is read: one number, or two."""
