"""`mails`: which emails about matches a player gets, in general and for one match."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from itertools import groupby

from pbem.matches.match import MatchSummary, Player
from pbem.matches.zones import read_time, zone_named
from pbem.settings import Setting, SettingError

TURN, ALL, DIGEST, USUAL = "turn", "all", "digest", "usual"
CHOICES = (TURN, ALL, DIGEST, USUAL)
"""Choices for one match."""
MANY_PLAYERS = 3
"""Number of players from which most emails of a match need no answer from the reader."""
DAYS = ("mo", "tu", "we", "th", "fr", "sa", "su")
EXAMPLE = f"{DIGEST} 07:30"
_DIGEST = re.compile(rf"{DIGEST}(?:\s+(?:at\s+)?(\S+(?:\s*[ap]m)?))?((?:\s.*)?)")
_SPAN = re.compile(r"([a-z]+)(?:[-\u2013]([a-z]+))?")


@dataclass(frozen=True)
class DigestTime:
    """The time of the day, and the days of the week, at which a member gets a digest."""

    at: time
    days: frozenset[int] = frozenset(range(7))
    """From 0, Monday."""

    def after(self, moment: datetime, zone: str) -> datetime:
        """Return the first such time after a moment, in UTC.

        A time that the clocks skip is that much later. One that comes twice is the first.
        """
        place, _ = zone_named(zone)
        day = moment.astimezone(place).date()
        while True:
            then = datetime.combine(day, self.at, place).astimezone(UTC)
            if day.weekday() in self.days and then > moment:
                return then
            day += timedelta(days=1)

    def __str__(self) -> str:
        named = "" if len(self.days) == len(DAYS) else f" {','.join(_spans(self.days))}"
        return f"{DIGEST} {self.at:%H:%M}{named}"


def read_digest(text: str) -> DigestTime:
    """Read `digest 7:30 mo-fr`. Raises SettingError."""
    found = _DIGEST.fullmatch(" ".join(text.casefold().split()))
    if found is None or not found[1]:
        raise SettingError(f"name a time for the digest, as in {EXAMPLE}")
    hour = read_time(found[1])
    if hour is None:
        raise SettingError(f"{found[1]} is not a time of the day. Write it as in {EXAMPLE}")
    minutes = hour // timedelta(minutes=1)
    days = found[2].replace(" - ", "-")
    return DigestTime(time(*divmod(minutes, 60)), _days(days))


def _days(text: str) -> frozenset[int]:
    """Read days of the week, such as `mo-fr` or `sa, su`. None named means all."""
    found: set[int] = set()
    for span in re.split(r"[,;\s]+", text.strip()) if text.strip() else ():
        ends = _SPAN.fullmatch(span)
        first = _day(ends[1]) if ends else None
        last = (_day(ends[2]) if ends[2] else first) if ends else None
        if first is None or last is None:
            raise SettingError(f"{span} is not a day. Write days as in {EXAMPLE} mo-fr")
        found.update((first + each) % 7 for each in range((last - first) % 7 + 1))
    return frozenset(found or range(7))


def _day(word: str) -> int | None:
    """Return a day of the week, from at least its first two letters."""
    names = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
    fits = [at for at, name in enumerate(names) if len(word) > 1 and name.startswith(word)]
    return fits[0] if fits else None


def _spans(days: frozenset[int]) -> Iterator[str]:
    """Yield days in order, three or more that follow one another as a span."""
    for _, some in groupby(sorted(days), key=lambda day: day - sorted(days).index(day)):
        names = [DAYS[day] for day in some]
        yield from [f"{names[0]}-{names[-1]}"] if len(names) > 2 else names


def _read(text: str) -> str:
    value = text.strip().casefold()
    if value in (TURN, ALL, USUAL):
        return value
    if value.split()[:1] == [DIGEST]:
        return str(read_digest(value))
    raise SettingError(
        f"{text.strip()} is not a choice. Choose one of: {TURN}, {ALL}, {USUAL}, {EXAMPLE}"
    )


SETTING = Setting(
    "mails",
    "which emails of your matches you get: turn (those that need an answer), all, usual "
    "(turn with three or more players, otherwise all), or digest 07:30 mo-fr (one email about "
    "all matches, on all days if you name none)",
    USUAL,
    _read,
)


def digest_time(player: Player) -> DigestTime | None:
    """Return when a player gets digests, None if they want none."""
    value = SETTING.of(player)
    return read_digest(value) if value.startswith(DIGEST) else None


def key_for(match_id: int) -> str:
    """Return the key of the choice for one match."""
    return f"{SETTING.key} {match_id}"


def chosen(player: Player, match: MatchSummary) -> str:
    """Return which emails about a match a player gets: `turn`, `all` or `digest`."""
    general = SETTING.of(player).partition(" ")[0]
    of_match = player.settings.get(key_for(match.id), USUAL)
    for choice in (general if of_match == DIGEST else of_match, general):
        if choice != USUAL:
            return choice
    return TURN if len(match.players) >= MANY_PLAYERS else ALL


def with_choice(player: Player, match_id: int, choice: str) -> Player:
    """Return the player with a choice for one match."""
    return replace(player, settings={**player.settings, key_for(match_id): choice})
