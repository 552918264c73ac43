"""Standings computed another way, from the sentences of docs/competitions.md."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from hashlib import sha256

from pbem.matches.competitions.swiss import Swiss
from pbem.matches.match import MatchSummary, PlayerId

HALF = Fraction(1, 2)
NOUGHT = Fraction()
Cell = tuple[PlayerId | None, Fraction, bool]
"""Opponent, points, and whether the player wanted to play."""


def drawn_place(seed: int, number: int, players: int) -> int:
    """Return the place of a number among all when each is drawn by its hash."""

    def lot(n: int) -> int:
        return int(sha256(f"{seed}:lots:{n}".encode()).hexdigest()[:12], 16)

    return 1 + sum(lot(n) < lot(number) for n in range(1, players + 1))


def cells(of: Swiss, matches: Sequence[MatchSummary], round_: int) -> dict[PlayerId, Cell]:
    """Return the cell of each player in a round that has ended."""
    now = {str(old): new for old, new in of.successors.items()}
    found: dict[PlayerId, Cell] = {}
    for m in matches:
        if m.place and m.place.round == round_ and m.result:
            a, b = (now.get(str(s), s) for s in dict.fromkeys(m.seats.values()))
            w = {now.get(str(m.seats[s]), m.seats[s]) for s in m.result.winners}
            found[a] = (b, Fraction(a in w) if w else HALF, True)
            found[b] = (a, Fraction(b in w) if w else HALF, True)
    for n, p in enumerate(of.players, 1):
        late, gone = of.entries.late.get(str(n), 1), of.entries.withdrawn.get(str(n), 10**6)
        if p not in found:
            here = late <= round_ < gone
            byes = of.entries.byes.get(str(n), ())
            asked, half = round_ in byes, round_ in byes[:2] and round_ < of.rounds
            worth = NOUGHT if not here else HALF * half if asked else Fraction(1)
            found[p] = (None, worth, here and not asked)
    return found


class NaiveTable:
    """The table of a Swiss tournament whose rounds have ended."""

    def __init__(self, of: Swiss, matches: Sequence[MatchSummary]) -> None:
        self.of = of
        last = max((m.place.round for m in matches if m.place), default=0)
        by_round = [cells(of, matches, round_) for round_ in range(1, last + 1)]
        self.grid = {p: [each[p] for each in by_round] for p in of.players}
        self.points = {p: sum((x for _, x, _ in self.grid[p]), NOUGHT) for p in of.players}

    def stays(self, p: PlayerId) -> bool:
        """Return whether a player has not withdrawn."""
        return str(self.of.players.index(p) + 1) not in self.of.entries.withdrawn

    def worth(self, player: PlayerId, opponent: PlayerId | None) -> Fraction:
        """Return what an opponent counts for Buchholz and Sonneborn-Berger."""
        if opponent is None:
            return self.points[player]
        rows, score = list(self.grid[opponent]), NOUGHT
        while rows and not rows[-1][2]:
            rows.pop()
            score += HALF
        return score + sum((x for _, x, _ in rows), NOUGHT)

    def direct(self, p: PlayerId) -> Fraction:
        """Return the points against those with equal points, if all of them have met."""
        level = [
            q
            for q in self.of.players
            if (self.stays(q), self.points[q]) == (self.stays(p), self.points[p])
        ]
        for a in level:
            for b in level:
                if a < b and all(q != b for q, _, _ in self.grid[a]):
                    return NOUGHT
        return sum((x for q, x, _ in self.grid[p] if q in level), NOUGHT)

    def key(self, p: PlayerId) -> tuple[Fraction | int, ...]:
        """Return the values that order the table."""
        worths = [(x, self.worth(p, q)) for q, x, _ in self.grid[p]]
        return (
            self.stays(p),
            self.points[p],
            self.direct(p),
            sum(worth for _, worth in worths),
            sum(x * worth for x, worth in worths),
            sum(q is not None and x == 1 for q, x, _ in self.grid[p]),
            -drawn_place(self.of.seed, self.of.players.index(p) + 1, len(self.of.players)),
        )


def naive_swiss(of: Swiss, matches: Sequence[MatchSummary]) -> list[PlayerId]:
    """Return the players in the order of the table."""
    return sorted(of.players, key=NaiveTable(of, matches).key, reverse=True)
