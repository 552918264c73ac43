"""What a season of competitions must fulfil, and its report."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from bench.simulated.independent import Facts, Game, table
from pbem.matches.announcement import OPEN, Phase
from pbem.matches.competition import Competition
from pbem.matches.competitions.set_league import SetLeague
from pbem.matches.match import MatchSummary

MEETINGS = {"tournament": 1, "league": 1, "swiss": 1, "knock-out": 3, "team-match": 2}
"""How often two players may meet, with replays."""
NO_RESULT = ("void", "abandoned")

Played = tuple[Competition, Sequence[MatchSummary]]
COLUMNS = (
    "announced",
    *Phase,
    "players",
    "late",
    "withdrawn",
    "byes",
    "replaced",
    "matches",
    "flags",
    "decided",
    "wrong",
)


def report(competitions: Sequence[Played], compared: int, wrong: Sequence[str]) -> bool:
    """Print competitions by kind, and what was wrong. Return whether nothing was."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    said = list(wrong)
    for of, matches in competitions:
        mistakes = [f"{of.kind} {of.number}: {each}" for each in mistakes_of(of, matches)]
        said += mistakes
        found[of.kind] += _counts(of, matches)
    for kind, counts in found.items():
        counts["wrong"] = sum(each.startswith(f"{kind} ") for each in said)
    print(f"\n{'Competitions':<12}", *(f"{each:>10}" for each in COLUMNS))
    for kind, counts in found.items():
        print(f"{kind:<12}", *(f"{counts[each]:>10,}" for each in COLUMNS))
    total = sum((Counter(counts) for counts in found.values()), Counter[str]())
    print(f"{'all':<12}", *(f"{total[each]:>10,}" for each in COLUMNS))
    print(f"{compared:,} tables were compared with an independent computation.")
    print(*said, sep="\n")
    return not said


def phase_of(of: Competition) -> Phase:
    """Return how far an announced competition has come."""
    assert of.announcement is not None, "it was announced"
    return of.announcement.phase


def _counts(of: Competition, matches: Sequence[MatchSummary]) -> Counter[str]:
    ends = [each.result.termination for each in matches if each.result is not None]
    return Counter(
        {
            "announced": 1,
            phase_of(of): 1,
            "players": len(of.players),
            "late": len(of.entries.late),
            "withdrawn": len(of.entries.withdrawn),
            "byes": sum(len(_idle(of, matches, round_)) for round_ in _rounds(of, matches)),
            "replaced": len(of.successors),
            "matches": len(matches),
            "flags": ends.count("flag"),
            "decided": sum(each.startswith("adjudicat") or each in NO_RESULT for each in ends),
        }
    )


def _rounds(of: Competition, matches: Sequence[MatchSummary]) -> list[int]:
    """Return the started rounds in which everybody should play. A knock-out has one."""
    if of.kind in ("ladder", "open-house"):
        return []
    found = sorted({each.place.round for each in matches if each.place is not None})
    return found[:1] if of.kind == "knock-out" else found


def _idle(of: Competition, matches: Sequence[MatchSummary], round_: int) -> set[int]:
    """Return the numbers of those who take part in a round and have no match."""
    facts = facts_of(of, matches)
    playing = {n for each in facts.games if each.round == round_ for n in each.players}
    return {n for n in range(1, facts.players + 1) if facts.here(n, round_)} - playing


def differences(of: Competition, matches: Sequence[MatchSummary]) -> Iterator[str]:
    """Yield where the table of a started competition differs from an independent one."""
    standing, facts = of.standing(matches), facts_of(of, matches)
    there = table(facts)
    if of.kind == "team-match":
        here = [of.players.index(each) + 1 for each in standing.winners]
        if standing.over and here != there:
            yield f"{here} win instead of {there}"
        return
    here = [of.players.index(row.player) + 1 for row in standing.rows]
    if here != there:
        yield f"the table is {here} instead of {there}"
    first = [n for n in there[:1] if of.kind == "knock-out" or n not in facts.withdrawn]
    if standing.over and list(standing.winners) != [of.players[n - 1] for n in first]:
        yield f"{standing.winners} win instead of {first}"


def facts_of(of: Competition, matches: Sequence[MatchSummary]) -> Facts:
    """Return a competition as numbers, read from its stored values alone."""
    terms, entries = of.terms, of.entries
    return Facts(
        of.kind,
        of.seed,
        len(of.players),
        [_game_of(of, each) for each in matches],
        late={int(n): at for n, at in entries.late.items()},
        withdrawn={int(n): at for n, at in entries.withdrawn.items()},
        byes={int(n): at for n, at in entries.byes.items()},
        **{key: terms[key] for key in _TERMS if key in terms},
    )


_TERMS = ("rounds", "sizes", "double", "third_place", "best_of", "extra")


def _game_of(of: Competition, match: MatchSummary) -> Game:
    """Return a match. Those who took over an entry count as the player whose entry it was."""
    assert match.place is not None, "it belongs to a competition"
    numbers = {player: number for number, player in enumerate(of.players, 1)}
    for old, new in of.successors.items():
        numbers[int(old)] = numbers[new]
    seats = {seat: numbers[player] for seat, player in match.seats.items()}
    players = tuple(dict.fromkeys(seats.values()))
    if of.kind == "ladder":
        challenges: Any = of.terms["challenges"]
        players = tuple(challenges[match.place.index - 1])
    if match.result is None:
        return Game(match.place.round, players)
    winners = {seats[seat] for seat in match.result.winners}
    solo = [n for n in players if list(seats.values()).count(n) > 1]
    return Game(
        match.place.round,
        players,
        match.result.ended_at,
        match.result.termination not in NO_RESULT,
        winner=winners.pop() if len(winners) == 1 else None,
        credits={seats[seat]: score for seat, score in match.result.scores.items()},
        solo=solo[0] if len(solo) == 1 else 0,
    )


def mistakes_of(of: Competition, matches: Sequence[MatchSummary]) -> Iterator[str]:
    """Yield what is wrong with a competition that should be over."""
    if phase_of(of) in OPEN:
        yield "it has not ended"
    if phase_of(of) is not Phase.ENDED:
        return
    facts = facts_of(of, matches)
    met = _meetings(of, matches)
    if of.kind in MEETINGS:
        often = [pair for pair, times in met.items() if times > MEETINGS[of.kind]]
        yield from (f"{sorted(pair)} met {met[pair]} times" for pair in often)
    for pair in _should_meet(facts):
        if not met[pair]:
            yield f"{sorted(pair)} have not met"
    if isinstance(of, SetLeague):
        most = of.evenness.meetings[1]
        yield from (f"{sorted(pair)} met {n} times" for pair, n in met.items() if n > most + 1)
    if of.kind == "swiss":
        idle = Counter(
            n
            for round_ in _rounds(of, matches)
            for n in _idle(of, matches, round_)
            if round_ not in facts.byes.get(n, ())
        )
        yield from (f"{n} had {times} byes" for n, times in idle.items() if times > 1)
    if of.kind == "knock-out" and len(met) > len(of.players):
        # All but one lose a tie, and one is for third place.
        yield f"{len(met)} ties of {len(of.players)} players"


def _meetings(of: Competition, matches: Sequence[MatchSummary]) -> Counter[frozenset[int]]:
    """Return how often two entrants met. In a set, three of them meet once."""
    met = set()
    for match in matches:
        game = _game_of(of, match)
        when = game.round if of.kind == "set-league" else match.id
        met |= {(when, frozenset(pair)) for pair in combinations(game.players, 2)}
    return Counter(pair for _, pair in met)


def _should_meet(facts: Facts) -> Iterator[frozenset[int]]:
    """Yield the pairs that must have met: everybody in a division who has not withdrawn."""
    if facts.kind not in ("tournament", "league"):
        return
    first = 0
    for size in facts.sizes or (facts.players,):
        division = range(first + 1, first + size + 1)
        yield from map(
            frozenset, combinations([n for n in division if n not in facts.withdrawn], 2)
        )
        first += size
