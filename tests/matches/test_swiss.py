"""Swiss tournaments: rules of the pairing, tie-breaks, and a published program as oracle."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import example, given, settings, strategies as st
from py4swiss.engines import DutchEngine
from py4swiss.engines.common import PairingError
from py4swiss.trf import ParsedTrf, TrfParser

from pbem.games.api import OptionError
from pbem.matches.competitions.swiss import Swiss
from pbem.matches.meetings import meetings
from pbem.matches.swiss_pairing import Contender, Cost, _possible, _ranks, paired, total
from tests.matches.competing import OPTIONS, START, TWO, Club, again, played, result, won
from tests.matches.naive_tables import naive_swiss
from tests.support.examples import examples


def swiss(count: int, rounds: int, **terms: Any) -> Swiss:
    players = tuple(range(101, 101 + count))
    return Swiss(TWO, players, OPTIONS, START, id=4, number=4, rounds=rounds, **terms)


def changing(club: Club[Swiss], rng: random.Random) -> None:
    """Let players enter, withdraw, ask for byes and be replaced between two matches."""
    of = club.of
    now = max(each.place.round for each in club.stored if each.place)
    if now == of.rounds or rng.random() > 0.05:
        return
    player, what = rng.choice(of.players), rng.randint(1, 4)
    if what == 1 and len(of.in_round(now + 1)) > of.rounds + 2:
        club.of = of.without(player, now + 1)
    elif what == 2:
        club.of = of.with_late_entry(max(of.players) + 1, now + 1)
    elif what == 3 and len(of.in_round(now + 1)) > of.rounds + 4:
        club.of = of.with_bye(player, now + 1)
    elif what == 4:
        club.of = of.with_successor(player, max(of.players) + 1)


def test_first_round_pairs_the_upper_half_with_the_lower_half() -> None:
    club = Club(swiss(8, 3))
    assert [{*pair} for pair in played(club.stored)] == [{101 + n, 105 + n} for n in range(4)]
    firsts = [pair[0] < 105 for pair in played(club.stored)]
    assert firsts in ([True, False] * 2, [False, True] * 2)


def test_bye_is_a_point_for_one_of_the_last() -> None:
    club = Club(swiss(5, 3))
    byes = [club.of.bye(1, club.stored)]
    for _ in range(2):
        for match in club.running:
            club.ends(club.index(match), min(match.players))
        byes.append(club.of.bye(len(byes) + 1, club.stored))
    assert len(set(byes)) == 3
    points = {row.player: row.points for row in club.of.standing(club.stored).rows}
    assert all(player is not None and points[player] >= 1 for player in byes)


def test_tournament_ends_early_rather_than_repeat_a_match() -> None:
    club = Club(swiss(4, 3))
    for _ in club.plays(random.Random(2)):
        club.of = club.of.without(101, 3).without(102, 3).without(103, 3)
    assert (club.over, len(club.stored)) == (True, 4)
    assert club.of.length > len(club.stored) - 1


@settings(max_examples=examples(15), deadline=None)
@example(200, 2, 1)
@given(st.integers(8, 40), st.integers(1, 7), st.integers(0, 2**32))
def test_random_tournaments_keep_the_rules(count: int, rounds: int, seed: int) -> None:
    rng = random.Random(seed)
    club = Club(swiss(count, rounds, seed=seed % 100))
    for _ in club.plays(rng):
        changing(club, rng)
    of, stored = club.of, club.stored
    games = meetings(of, stored)
    pairs = Counter(frozenset(each.players) for each in games)
    assert max(pairs.values()) == 1, "nobody meets twice"
    last = max(each.round for each in games)
    assert last == rounds
    byes = [of.bye(round_, stored) for round_ in range(1, last + 1)]
    assert max(Counter(filter(None, byes)).values(), default=1) == 1
    for player in of.players:
        begun = [each.balance(player) for each in games if player in each.players]
        assert abs(sum(begun)) <= 2
        assert all(abs(sum(begun[at : at + 3])) < 3 for at in range(len(begun) - 2))
        in_rounds = [each.round for each in games if player in each.players]
        assert len(in_rounds) == len(set(in_rounds)), "one match a round"
    for round_ in range(1, last + 1):
        seated = sum(each.round == round_ for each in games) * 2
        asked = sum(
            of.entries.asked_bye(of.players.index(p) + 1, round_) for p in of.in_round(round_)
        )
        assert len(of.in_round(round_)) - asked - seated in (0, 1)
    rows = of.standing(stored).rows
    assert [row.player for row in rows] == naive_swiss(of, stored)
    assert len({(row.points, row.tie_breaks) for row in rows}) == len(rows), "no tie is left"
    assert again(of) == of


def trf(of: Swiss, stored: list[Any], contenders: tuple[Contender, ...], rounds: int) -> ParsedTrf:
    """Return a tournament in the report format of FIDE, with the rounds so far."""
    games = {(each.round, p): each for each in meetings(of, stored) for p in each.players}
    lines = [f"XXR {of.rounds + 1}"]
    for each in contenders:
        player, cells = of.players[each.number - 1], []
        for round_ in range(1, rounds + 1):
            game = games.get((round_, player))
            if game is None:
                bye = of.bye(round_, stored) == player
                cells.append(f"0000 - {'U' if bye else 'Z'}")
            else:
                other = of.players.index(game.other(player)) + 1
                side = "w" if game.balance(player) > 0 else "b"
                sign = {Fraction(0): "0", Fraction(1, 2): "=", Fraction(1): "1"}[game.of(player)]
                cells.append(f"{other:4} {side} {sign}")
        head = f"001 {each.number:4}  {'':3} {each.number:<33} {'':4} {'':3} {'':11} {'':10}"
        lines.append(f"{head} {float(each.points):4.1f} {each.number:4}  {'  '.join(cells)}")
    with TemporaryDirectory() as folder:
        file = Path(folder) / "rounds.trf"
        file.write_text("\n".join(lines))
        return TrfParser.parse(file)


def sums(pairs: list[tuple[int, int]], possible: dict[tuple[int, int], Cost]) -> Cost:
    """Return the costs of a pairing, without chance. Raises KeyError if a pair may not meet."""
    found = (possible.get((one, other)) or possible[other, one] for one, other in pairs)
    return total([cost[:-1] for cost in found])


@settings(max_examples=examples(10), deadline=None)
@given(st.integers(6, 24), st.integers(1, 6), st.integers(0, 2**32))
def test_pairings_compare_with_a_published_program(count: int, rounds: int, seed: int) -> None:
    """py4swiss pairs the same rounds by the Dutch system of FIDE. Its pairs are legal here, it
    finds a pairing if and only if we do, and it has no lower costs by our rules."""
    club = Club(swiss(count, min(rounds, count - 1), seed=seed % 100))
    rng, of = random.Random(seed), club.of
    for round_ in range(2, of.rounds + 1):
        stored = _round_over(club, rng)
        contenders = of.contenders(round_, stored)
        everybody = frozenset(each.number for each in contenders)
        ours = paired(contenders, everybody, of.seed, round_)
        try:
            theirs = DutchEngine.generate_pairings(trf(of, stored, contenders, round_ - 1))
        except PairingError:
            theirs = None
        assert (ours is None) == (theirs is None)
        if ours is None or theirs is None:
            break
        possible = _possible(contenders, _ranks(contenders), of.seed, round_, near=False)
        mine = [*ours.pairs, *([] if ours.bye is None else [(ours.bye, 0)])]
        legal = [(each.white, each.black) for each in theirs]
        assert sums(mine, possible) <= sums(legal, possible)
        assert sums(mine, possible)[0] == sums(legal, possible)[0] == 0, "balance is kept"
        club.begins()


def _round_over(club: Club[Swiss], rng: random.Random) -> list[Any]:
    """End all matches of a round without starting the next one."""
    for match in club.running:
        club.matches[club.index(match)] = won(match, result(match, rng))
    return club.stored


@pytest.mark.parametrize(
    ("count", "rounds", "chain"),
    ((4, 4, ("lots",)), (4, 0, ("lots",)), (4, 2, ("wins",)), (4, 2, ("luck", "lots"))),
)
def test_impossible_terms_are_refused(count: int, rounds: int, chain: tuple[str, ...]) -> None:
    with pytest.raises(OptionError):
        swiss(count, rounds, tie_breaks=chain).require_playable()
