"""Reliability: how punctually a member has played, conditions for offers, and bans after losses.

It covers turns that ended in the last year in matches with a clock against other people. A turn's
length is the time that the clock charged, so leave, pauses, nights off and failing addresses do not
count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from statistics import median_low
from typing import NamedTuple

from pbem.games.phrases import Phrase
from pbem.matches.history import SUCCESSIONS, Happening, Kind
from pbem.matches.match import UNCOUNTED, MatchSummary, PlayerId
from pbem.matches.off_time import read_span, write_span
from pbem.matches.offer_terms import OfferError
from pbem.matches.words import phrase

YEAR = timedelta(days=365)
NEW = 10
"""Number of turns below which a member is new, and has no figures."""
EARLY_ROUNDS = 2
"""A member who resigns in these first rounds has left the match."""


class TurnTime(NamedTuple):
    """A player's complete turn."""

    player: PlayerId
    spent: timedelta
    """Time that the clock charged."""
    late: bool = False
    """Whether the flag had fallen."""


class Leaving(StrEnum):
    """How a member left a match."""

    TIME = "time"
    """They lost on time."""
    FORFEIT = "forfeit"
    """A director declared a forfeit."""
    RESIGNED = "resigned"
    """They resigned in the first two rounds."""
    REPLACED = "replaced"
    """Somebody else plays for them."""


class LeftMatch(NamedTuple):
    """A match that a member left."""

    match_id: int
    at: datetime
    how: Leaving


def left_match(
    player: PlayerId, match: MatchSummary, happenings: Iterable[Happening]
) -> LeftMatch | None:
    """Return whether and when a player left a match, by its history. None if it doesn't count."""
    found: LeftMatch | None = None
    turn = 0
    seats, early = match.seats_of(player), EARLY_ROUNDS * len(match.seats)
    for each in happenings:
        kept = found is not None and found.how is Leaving.REPLACED
        how = _how(each, early) if each.seat in seats else None
        if each.kind in SUCCESSIONS:
            old, new = map(int, each.text.split())
            how = Leaving.REPLACED if old == player else None
            found = None if new == player and kept else found
        elif not kept and each.takes_back(turn):
            found = None
        if how is not None:
            found, turn = LeftMatch(match.id, each.at, how), each.turn
    ended_so = match.result is not None and match.result.termination in UNCOUNTED
    return None if ended_so else found


def _how(happening: Happening, early: int) -> Leaving | None:
    if happening.kind is Kind.LOST_ON_TIME:
        return Leaving.TIME
    if happening.kind is Kind.FORFEITED:
        return Leaving.FORFEIT
    if happening.kind is Kind.RESIGNED and happening.turn <= early:
        return Leaving.RESIGNED
    return None


@dataclass(frozen=True)
class Reliability:
    """A member's punctuality over the last year."""

    turns: int = 0
    """Completed turns, and turns in which they lost on time."""
    in_time: int = 0
    median: timedelta = timedelta()
    """Median time per completed turn."""
    left: int = 0
    """Matches that they left."""
    leave: int = 0
    """Days of leave that they took."""

    @property
    def is_new(self) -> bool:
        """Whether there are too few turns for figures."""
        return self.turns < NEW

    @property
    def percent(self) -> int:
        """Share of turns in time, rounded down, so that 100 means all of them."""
        return 100 * self.in_time // self.turns if self.turns else 0

    @property
    def hours(self) -> int:
        """Median in whole hours, rounded up."""
        return -(-self.median // timedelta(hours=1))


def reliability_of(
    turns: Sequence[TurnTime], left: Iterable[LeftMatch], leave: int = 0
) -> Reliability:
    """Return the reliability shown by turns, matches left and days of leave."""
    left = list(left)
    lost = sum(each.how is Leaving.TIME for each in left)
    return Reliability(
        turns=len(turns) + lost,
        in_time=sum(not each.late for each in turns),
        median=median_low(each.spent for each in turns) if turns else timedelta(),
        left=len({each.match_id for each in left}),
        leave=leave,
    )


class RatingRange(NamedTuple):
    """Ratings from a lowest to a highest, both included. None without a limit."""

    low: int | None = None
    high: int | None = None

    def __str__(self) -> str:
        return "-".join("" if each is None else str(each) for each in self)

    @property
    def said(self) -> Phrase:
        """Return the range in words."""
        low, high = self
        if low is None or high is None:
            end = low or high or 0
            return (
                phrase("needs.or-less", high=end)
                if low is None
                else phrase("needs.or-more", low=end)
            )
        return phrase("needs.between", low=low, high=high)


ALL_RATINGS = RatingRange()


@dataclass(frozen=True)
class Conditions:
    """Conditions that a member must meet to take up an offer."""

    ontime: int = 0
    """Least percentage of turns in time."""
    pace: timedelta | None = None
    """Longest median time per turn."""
    rating: RatingRange = ALL_RATINGS
    new: bool = True
    """Whether a member may join who has no such figure yet."""

    @property
    def written(self) -> Iterator[tuple[str, str]]:
        """Keys and values as players write them, without those that let everybody in."""
        if self.ontime:
            yield "ontime", str(self.ontime)
        if self.pace is not None:
            yield "pace", write_span(self.pace)
        if self.rating != ALL_RATINGS:
            yield "rating", str(self.rating)
        if not self.new:
            yield "new", "no"

    @property
    def said(self) -> Iterator[Phrase]:
        """The same in words."""
        if self.ontime:
            yield phrase("needs.said-ontime", least=self.ontime)
        if self.pace is not None:
            yield phrase("needs.said-pace", most=write_span(self.pace))
        if self.rating != ALL_RATINGS:
            yield phrase("needs.said-rating", range=self.rating.said)
        if not self.new:
            yield phrase("needs.said-new")


NO_CONDITIONS = Conditions()


def unmet(conditions: Conditions, has: Reliability, rating: int | None) -> Phrase | None:
    """Return the first condition that a member does not meet, with their own figure.

    `rating` is None for a member who has none yet.
    """
    if has.is_new and not conditions.new:
        return phrase("needs.new", turns=phrase("clock.some-turns", count=has.turns), least=NEW)
    if not has.is_new and has.percent < conditions.ontime:
        return phrase("needs.ontime", least=conditions.ontime, own=has.percent)
    if not has.is_new and conditions.pace is not None and has.median > conditions.pace:
        own = phrase("clock.some-hours", count=has.hours)
        return phrase("needs.pace", most=write_span(conditions.pace), own=own)
    low, high = conditions.rating
    if rating is None:
        limited = not conditions.new and conditions.rating != ALL_RATINGS
        return phrase("needs.no-rating", range=conditions.rating.said) if limited else None
    if (low is not None and rating < low) or (high is not None and rating > high):
        return phrase("needs.rating", range=conditions.rating.said, own=rating)
    return None


KEYS = ("ontime", "pace", "rating", "new")
"""Keys of conditions among the terms of an offer."""
ONTIME_STEP, RATING_STEP, NARROWEST = 5, 50, 200
PACE_STEP = timedelta(hours=12)
"""Conditions are coarse, so that none can be made to fit or to shut out a single member."""


def read_conditions(texts: Mapping[str, str]) -> Conditions:
    """Return the conditions among terms as players write them. Raises OfferError."""
    return Conditions(
        ontime=_read_ontime(texts.get("ontime", "")),
        pace=_read_pace(texts["pace"]) if "pace" in texts else None,
        rating=_read_rating(texts["rating"]) if "rating" in texts else ALL_RATINGS,
        new=_read_new(texts.get("new", "yes")),
    )


def _read_ontime(text: str) -> int:
    if not text:
        return 0
    digits = text.removesuffix("%").strip()
    percent = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 4 else 0
    if not 0 < percent <= 100 or percent % ONTIME_STEP:
        raise OfferError(phrase("needs.ontime-form", text=repr(text)))
    return percent


def _read_pace(text: str) -> timedelta:
    span = read_span(text)
    if span is None or span % PACE_STEP:
        raise OfferError(phrase("needs.pace-form", text=repr(text)))
    return span


def _read_rating(text: str) -> RatingRange:
    low, dash, high = (each.strip() for each in text.replace("–", "-").partition("-"))
    ends = [int(each) if each.isascii() and each.isdigit() else None for each in (low, high)]
    given = [each for each in ends if each is not None]
    written = sum(map(bool, (low, high)))
    wide = len(given) < 2 or given[1] - given[0] >= NARROWEST
    fits = all(each % RATING_STEP == 0 and each < 10_000 for each in given)
    if not dash or not given or len(given) != written or not wide or not fits:
        raise OfferError(phrase("needs.rating-form", text=repr(text), width=NARROWEST))
    return RatingRange(*ends)


def _read_new(text: str) -> bool:
    if text.casefold() not in ("yes", "no"):
        raise OfferError(phrase("needs.new-form", text=repr(text)))
    return text.casefold() == "yes"


@dataclass(frozen=True)
class BanRule:
    """How long a member who loses on time may take up nothing new. 0 days is never."""

    first: timedelta
    again: timedelta
    """After another loss within a year."""

    def ends_at(self, losses: Iterable[datetime], lifted_at: datetime | None) -> datetime | None:
        """Return when the latest ban ends or ended, None if there was none.

        A loss during a ban belongs to the same absence, and neither extends the ban nor counts as
        another one. Losses up to the moment at which a director lifted a ban don't count.
        """
        ends: datetime | None = None
        before: datetime | None = None
        for at in sorted(each for each in losses if lifted_at is None or each > lifted_at):
            if ends is not None and at < ends:
                continue
            again = before is not None and at - before <= YEAR
            before, ends = at, at + (self.again if again else self.first)
        return ends
