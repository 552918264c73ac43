"""Cross-table of a round robin: points, Sonneborn-Berger, and who did what against whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pbem.games.diagram import WIDTH
from pbem.matches.match import MatchSummary, PlayerId

SIGNS = ("0", "=", "1")
"""A match by its half points: lost, drawn, won."""


class Row(NamedTuple):
    """Standing of one player."""

    player: PlayerId
    half_points: int
    quarter_sonneborn: int
    """Sonneborn-Berger times four: the points of those he beat, half those of who drew with him."""
    results: Mapping[PlayerId, tuple[int, ...]]
    """Half points against each opponent, match by match."""

    @property
    def points(self) -> str:
        """`2.5`."""
        return f"{self.half_points / 2:.1f}"

    @property
    def sonneborn(self) -> str:
        """`3.25`."""
        return f"{self.quarter_sonneborn / 4:.2f}"


def standings(players: Sequence[PlayerId], ended: Sequence[MatchSummary]) -> list[Row]:
    """Rows by points, then Sonneborn-Berger, then number in the tournament."""
    results = {player: _results(player, players, ended) for player in players}
    points = {p: sum(sum(scores) for scores in results[p].values()) for p in players}
    rows = [
        Row(
            player,
            points[player],
            sum(sum(scores) * points[other] for other, scores in results[player].items()),
            results[player],
        )
        for player in players
    ]
    return sorted(rows, key=lambda row: (-row.half_points, -row.quarter_sonneborn))


def _results(
    player: PlayerId, players: Sequence[PlayerId], ended: Sequence[MatchSummary]
) -> dict[PlayerId, tuple[int, ...]]:
    his = [match for match in ended if player in match.players]
    return {
        other: tuple(_half_points(match, player) for match in his if other in match.players)
        for other in players
        if other != player
    }


def _half_points(match: MatchSummary, player: PlayerId) -> int:
    assert match.result is not None, "only ended matches count"
    if match.sole_winner is None:  # nobody, or both: a win that is shared between two is a draw
        return 1
    return 2 if match.sole_winner == player else 0


def cross_table_text(
    players: Sequence[PlayerId], ended: Sequence[MatchSummary], names: Mapping[PlayerId, str]
) -> str:
    """The table as text; a dot where nothing has ended, names cut to what the width leaves."""
    rows = standings(players, ended)
    cell = 1 + max([2, *(len(scores) for row in rows for scores in row.results.values())])
    numbers = "".join(f"{number:{cell}}" for number in range(1, len(rows) + 1))
    tail = max(6, *(len(row.points) + 2 for row in rows))
    room = max(8, WIDTH - 6 - len(numbers) - tail - 8)
    width = min(room, max(len(names[player]) for player in players))
    lines = [f"    {'':{width}}{numbers}{'pts':>{tail}}{'SB':>8}"]
    for place, row in enumerate(rows, 1):
        cells = "".join(_cell(row, other.player).rjust(cell) for other in rows)
        name = names[row.player][:width]
        lines.append(f"{place:3} {name:{width}}{cells}{row.points:>{tail}}{row.sonneborn:>8}")
    return "\n".join(lines)


def _cell(row: Row, other: PlayerId) -> str:
    if other == row.player:
        return "x"
    return "".join(SIGNS[score] for score in row.results[other]) or "."
