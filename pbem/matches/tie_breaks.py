"""Tie-breaks: a stated chain of values that orders players with equal points.

Source: FIDE Handbook, C.07 (Tie-Break Regulations), in particular article 16 for unplayed rounds.
docs/competitions.md states where we differ.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from pbem.games.api import OptionError
from pbem.matches.match import PlayerId
from pbem.matches.standing import Scored, StandingRow, TieBreak

HALF = Fraction(1, 2)
LOTS = "lots"


@dataclass(frozen=True)
class Outcome:
    """What a player got in a round."""

    points: Fraction
    against: PlayerId | None = None
    """The opponent. None in a round without one."""
    index: int = 0
    """Number of the match in the competition, 0 if there was none."""
    absent: bool = False
    """Whether there was no match because the player did not want one."""


Ledger = Mapping[PlayerId, Sequence[Outcome]]
"""Outcomes of each player in the order of the rounds, without those that are not known."""
Values = Mapping[PlayerId, Fraction]
Method = Callable[[Ledger, Sequence[PlayerId]], Values]
"""Returns a value for each of several players who are level so far. The highest is best."""


def total(outcomes: Iterable[Outcome]) -> Fraction:
    """Return the points of a player."""
    return sum((each.points for each in outcomes), Fraction())


def adjusted(outcomes: Sequence[Outcome]) -> Fraction:
    """Return the points of a player as an opponent of others (C.07, article 16.3).

    Rounds at the end from which they were absent count as drawn.
    """
    played = max((at for at, each in enumerate(outcomes, 1) if not each.absent), default=0)
    return total(outcomes[:played]) + HALF * (len(outcomes) - played)


def _worth(ledger: Ledger, player: PlayerId, outcome: Outcome) -> Fraction:
    """Return the score of an opponent, or for an unplayed round the player's own (article 16.4)."""
    if outcome.against is None:
        return total(ledger[player])
    return adjusted(ledger.get(outcome.against, ()))


def _direct(ledger: Ledger, level: Sequence[PlayerId]) -> Values:
    """Return the points in the matches among these players, if all of them have met (article 6)."""
    among = {player: [each for each in ledger[player] if each.against in level] for player in level}
    met = {(player, each.against) for player in level for each in among[player]}
    complete = all(pair in met for pair in combinations(level, 2))
    return {player: total(among[player]) if complete else Fraction() for player in level}


def _sonneborn_berger(ledger: Ledger, level: Sequence[PlayerId]) -> Values:
    return {
        player: sum(
            (each.points * _worth(ledger, player, each) for each in ledger[player]), Fraction()
        )
        for player in level
    }


def _buchholz(ledger: Ledger, level: Sequence[PlayerId]) -> Values:
    return {
        player: sum((_worth(ledger, player, each) for each in ledger[player]), Fraction())
        for player in level
    }


def _wins(ledger: Ledger, level: Sequence[PlayerId]) -> Values:
    return {
        player: Fraction(sum(each.index > 0 and each.points == 1 for each in ledger[player]))
        for player in level
    }


METHODS: Mapping[str, Method] = {
    "direct": _direct,
    "sonneborn-berger": _sonneborn_berger,
    "buchholz": _buchholz,
    "wins": _wins,
}
ALL_MEET = ("direct", "sonneborn-berger", "wins", LOTS)
"""Chain for competitions in which everybody meets everybody."""
SOME_MEET = ("direct", "buchholz", "sonneborn-berger", "wins", LOTS)
"""Chain for competitions in which players meet only some of the others."""


def require_known(chain: Sequence[str]) -> None:
    """Raise OptionError unless a chain has only known tie-breaks, each once, and ends by lots."""
    wrong = [key for key in chain if key not in {*METHODS, LOTS}]
    if wrong or len(set(chain)) < len(chain) or chain[-1:] != (LOTS,):
        known = ", ".join(METHODS)
        raise OptionError(f"tie-breaks are some of {known}, each once, and lots at the end")


def ranked(
    ledger: Ledger,
    chain: Sequence[str],
    lots: Mapping[PlayerId, int],
    staying: Collection[PlayerId],
) -> tuple[StandingRow, ...]:
    """Return the rows of a table, best first, by points and then by a chain of tie-breaks.

    Players who have withdrawn are below those who stay.
    """
    keys: dict[PlayerId, tuple[Fraction, ...]] = {
        player: (Fraction(player in staying), total(outcomes))
        for player, outcomes in ledger.items()
    }
    for key in chain:
        keys = {
            player: (*keys[player], value)
            for level in _level(keys)
            for player, value in _values(key, ledger, level, lots).items()
        }
    order = sorted(keys, key=lambda player: tuple(-value for value in keys[player]))
    return tuple(_row(player, ledger[player], chain, keys[player]) for player in order)


def _level(keys: Mapping[PlayerId, tuple[Fraction, ...]]) -> Iterable[Sequence[PlayerId]]:
    groups = defaultdict[tuple[Fraction, ...], list[PlayerId]](list)
    for player, key in keys.items():
        groups[key].append(player)
    return groups.values()


def _values(
    key: str, ledger: Ledger, level: Sequence[PlayerId], lots: Mapping[PlayerId, int]
) -> Values:
    if key == LOTS:
        return {player: -Fraction(lots[player]) for player in level}
    return METHODS[key](ledger, level)


def _row(
    player: PlayerId, outcomes: Sequence[Outcome], chain: Sequence[str], key: Sequence[Fraction]
) -> StandingRow:
    scored = tuple(
        Scored(each.index, (each.against,), each.points)
        for each in sorted(outcomes, key=lambda each: each.index)
        if each.index and each.against is not None
    )
    stays, points, *values = key
    breaks = (TieBreak(e, -v if e == LOTS else v) for e, v in zip(chain, values, strict=True))
    return StandingRow(player, points, scored, tuple(breaks), not stays)
