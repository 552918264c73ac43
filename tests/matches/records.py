"""Records shared by the tests of the record formats."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, timedelta
from typing import Any

from hypothesis import strategies as st

from pbem.games import games
from pbem.matches.competitions import kinds
from pbem.matches.history import Kind
from pbem.matches.record import Record, RecordedCompetition, to_text
from tests.matches.playing import ANNA, BERT, CLARA, NAMES, START, Contest, started

# Two turns of Lanko-68, then the pair resigns. Clara declares in between, out of turn. The score is
# by hand: nothing has been taken, so 3 * 48 + 28 for Black against 76 for White.
RESIGNED = """\
[Record "pbem 2"]
[Club "pbem"]
[Match "12"]
[Set "3"]
[SetMatch "1"]
[Game "lanko-68"]
[Rules "1"]
[S "Anna"]
[W "Bert"]
[N "Clara"]
[E "Bert"]
[Numbers "S=1 W=2 N=3 E=2"]
[Days "5"]
[DrawOffers "off"]
[Options "repetition=on quiet_limit=200"]
[Started "2026-11-21T12:00:00Z"]
[Ended "2026-11-22T18:30:00Z"]
[Termination "resignation"]
[Scores "S=-96 W=+96 N=-96 E=+96"]
[Head "u3w5-7cp2-5lb7-io4h"]
[Result "W+E"]

  1. S  [42-36]  {2026-11-21T13:00:00Z 763k-bjnl-bfvp-ethh}
  2. N  [N+++]  {2026-11-21T14:00:00Z f24a-z3lk-d4m6-yc7b}
  2. W  [18-19 +++]  {2026-11-22T15:00:00Z 3ho4-f5hb-q5dn-aeba}
  3. S  {resigns 2026-11-22T16:00:00Z mlkj-pfdf-ugpp-3qkk}
  3. N  {resigns 2026-11-22T18:30:00Z q6bu-6h24-4agl-spf3}
W+E
"""
"""The record's heads are computed by other means in test_chain.py."""


def resigned() -> Record:
    contest = Contest(started("lanko-68", 3, draw_offers=False))
    contest.says(ANNA, "42-36").says(CLARA, "+++")
    contest.now += timedelta(days=1)
    contest.says(BERT, "18-19 +++")
    contest.does(Kind.RESIGNED, ANNA)
    contest.does(Kind.RESIGNED, CLARA, contest.now.replace(hour=18, minute=30))
    return replace(contest.record(), competition=RecordedCompetition("set", 3, 1))


def without_heads() -> Record:
    """Return the resigned match without the heads that would reveal any change."""
    return replace(resigned(), heads={})


def broken(action: int = 1, **fields: Any) -> Record:
    """Return the resigned match with one action changed."""
    record = without_heads()
    entries = list(record.entries)
    entries[action - 1] = entries[action - 1]._replace(**fields)
    return replace(record, entries=tuple(entries))


MOST_LISTED = 500


def played_at_random(key: str, players: int, seed: int, most: int = 10_000) -> Contest:
    """Play a random match. In Lanko some moves have `+++`, and players sometimes declare."""
    chance, contest = random.Random(seed), Contest(started(key, players, draw_offers=True))
    while contest.match.result is None and len(contest.actions) < most:
        declares = chance.random() if key.startswith("lanko") else 1
        if declares < 0.02:
            contest.says(chance.choice(contest.match.players), "[+++]")
        else:
            move = chance.choice(contest.legal()[:MOST_LISTED])
            contest.moves(move.replace("]", " +++]") if declares < 0.05 else move)
    return contest


def with_passes() -> Record:
    """Return a match in which a player had no move, found by trying."""
    for seed in range(20):
        record = played_at_random("lanko-103", 4, seed).record()
        if "[---]" in to_text(record):
            return record
    raise AssertionError("no match with a pass in twenty")


NAMES_OF_PEOPLE = st.text(st.characters(), min_size=1, max_size=40)
PLACES = (st.sampled_from(list(kinds())), st.integers(0, 10**6), st.integers(1, 30))
CHOSEN: tuple[dict[str, str], ...] = ({}, {"flag": "loss"}, {"flag": "claim", "substitutes": "on"})
MOMENTS = st.datetimes(min_value=START.replace(tzinfo=None), timezones=st.just(UTC))


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Draw records of any game: running, ended by the rules or by the players."""
    game = draw(st.sampled_from(games()))
    players = draw(st.sampled_from(sorted(game.info.holders)))
    contest = played_at_random(
        game.info.key, players, draw(st.integers(0, 99)), draw(st.integers(0, 40))
    )
    if contest.match.result is None:
        end = draw(st.sampled_from((_goes_on, _resigned, _flagged, _drawn)))
        end(contest)
    people = draw(st.lists(NAMES_OF_PEOPLE, min_size=5, max_size=5, unique=True))
    record = contest.record(dict(zip(NAMES, people, strict=True)))
    return replace(
        record,
        match_id=draw(st.integers(0, 999_999_999)),
        days=draw(st.integers(0, 400)),
        started_at=draw(MOMENTS),
        competition=draw(st.none() | st.builds(RecordedCompetition, *PLACES)),
        club=draw(st.text()),
        time=draw(st.sampled_from(("", "total=90"))),
        unrated=draw(st.booleans()),
        chosen=draw(st.sampled_from(CHOSEN)),
        used=draw(st.dictionaries(st.integers(1, 9), st.integers(0, 10**9 - 1), max_size=3)),
        left=draw(
            st.dictionaries(st.integers(1, 9), st.integers(1 - 10**9, 10**9 - 1), max_size=3)
        ),
        heads={},
    )


def _goes_on(contest: Contest) -> None:
    pass


def _resigned(contest: Contest) -> None:
    for player in contest.match.side_of(BERT):
        contest.does(Kind.RESIGNED, player)


def _flagged(contest: Contest) -> None:
    contest.out_of_time(ANNA)


def _drawn(contest: Contest) -> None:
    contest.does(Kind.DRAW_OFFERED, ANNA)
    for player in contest.match.others(ANNA):
        contest.does(Kind.DRAW_ACCEPTED, player)
