"""Results in words, and their lines."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from fractions import Fraction

from pbem.games.phrases import ENGLISH
from pbem.matches.match import MatchSummary, PlayerId, termination_words

WIDTH = 72

Names = Mapping[PlayerId, str]


def result_words(match: MatchSummary, names: Names) -> str:
    """Return the winners, the points and why the match ended. Empty if it has not."""
    if match.result is None:
        return ""
    scores = ", ".join(
        f"{names[player]} {signed(match.result.scores[match.seats_of(player)[0]])}"
        for player in match.players
    )
    winners = list(dict.fromkeys(names[match.seats[seat]] for seat in match.result.winners))
    verb = "draw" if match.result.drawn else "wins" if len(winners) == 1 else "win"
    drawn = "Drawn" if match.counts else "No result"
    end = f"{and_then(winners)} {verb}" if winners else drawn
    return f"{end}: {termination_words(match, ENGLISH)} ({scores})."


def and_then(names: list[str]) -> str:
    """Return names as `Anna`, `Anna and Bert` or `Anna, Bert and Clara`."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def signed(number: int | Fraction) -> str:
    """Return a number as `+3`, `0` or `-3`, or as `+2.3` if a result was shared."""
    if number.denominator > 1:
        return f"{float(number):+.1f}"
    return f"{int(number):+d}" if number else "0"


def wrapped(text: str, indent: str, further: str | None = None) -> list[str]:
    """Return a text as indented lines. `further` is the indent after the first line."""
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent if further is None else further,
        break_on_hyphens=False,
    )
