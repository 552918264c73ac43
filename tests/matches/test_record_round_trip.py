"""A record comes back the same from both of its forms."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

from pbem.games import games
from pbem.matches.record import Record, RecordError, from_json, from_text, to_json, to_text, verify
from tests.matches.playing import START
from tests.matches.records import RESIGNED, broken, played_at_random, records, resigned
from tests.support.examples import examples


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("key", "players"), [(game.info.key, n) for game in games() for n in game.info.holders]
)
def test_whole_matches_come_back_the_same(key: str, players: int) -> None:
    record = played_at_random(key, players, seed=players).record()
    assert record.result is not None
    assert from_text(to_text(record)) == record
    assert from_json(to_json(record)) == record
    assert verify(record) == []
    assert all(len(line) <= 72 for line in to_text(record).splitlines())


@settings(max_examples=examples(60), deadline=None)
@given(records())
def test_both_forms_come_back_the_same(record: Record) -> None:
    assert from_text(to_text(record)) == record
    assert from_json(to_json(record)) == record
    assert to_text(from_json(to_json(record))) == to_text(record)


@settings(max_examples=examples(30), deadline=None)
@given(records())
def test_played_match_verifies(record: Record) -> None:
    assert verify(replace(record, started_at=START)) == []


@pytest.mark.parametrize(
    "name",
    (
        'Anna "the rook" B.',
        "back\\slash\\",
        "[Bert]",
        '"]\n[Match "13"]',
        "{2026-11-21T12:00:00Z}",
        "Łucja Żółć",
        "北斗 \U0001f3f0",
        "Anna\r\nBert\u2028\x85",
        " ",
        "%n ; *",
        "half of one \ud800",
    ),
)
def test_any_name_survives(name: str) -> None:
    record = replace(resigned(), players={"S": name, "W": "Bert", "N": "Clara", "E": "Bert"})
    text = to_text(record)
    assert from_text(text).players["S"] == name
    assert from_json(to_json(record)).players["S"] == name
    assert from_text(text.encode().decode()) == record


def test_record_that_breaks_the_rules_still_comes_back_the_same() -> None:
    record = broken(text="[42-99]")
    assert from_text(to_text(record)) == record
    assert from_json(to_json(record)) == record


@settings(max_examples=examples(200))
@given(st.text() | st.binary(max_size=60).map(lambda raw: RESIGNED[:300] + raw.decode("latin-1")))
def test_nonsense_is_refused_with_an_error(text: str) -> None:
    for read in (from_text, from_json):
        with pytest.raises(RecordError):
            read(text)
