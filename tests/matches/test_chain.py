"""The heads of a history, computed by other means, and what they reveal about changes."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from pbem.games.api import Outcome
from pbem.matches.history import Kind
from pbem.matches.record import (
    Record,
    from_json,
    from_text,
    heads,
    short,
    to_json,
    to_text,
    verify,
)
from tests.matches.playing import ANNA, BERT, CLARA, Contest, started
from tests.matches.records import RESIGNED, records, resigned
from tests.support.examples import examples

HISTORY = """\
{"chain":1,"club":"pbem","game":"lanko-68","match":12,"options":{"days":5,"draw_offers":false,\
"game":{"quiet_limit":200,"repetition":1}},"rules_version":1,"seats":{"E":2,"N":3,"S":1,"W":2},\
"started":"2026-11-21T12:00:00Z"}
{"at":"2026-11-21T13:00:00Z","entry":1,"kind":"action","seat":"S","text":"[42-36]","turn":1}
{"at":"2026-11-21T14:00:00Z","entry":2,"kind":"action","seat":"N","text":"[N+++]","turn":2}
{"at":"2026-11-22T15:00:00Z","entry":3,"kind":"action","seat":"W","text":"[18-19 +++]","turn":2}
{"at":"2026-11-22T16:00:00Z","entry":4,"kind":"resigned","seat":"S","turn":3}
{"at":"2026-11-22T18:30:00Z","entry":5,"kind":"resigned","seat":"N","turn":3}
{"at":"2026-11-22T18:30:00Z","entry":6,"kind":"result",\
"scores":{"E":96,"N":-96,"S":-96,"W":96},"termination":"resignation","winners":["W","E"]}
""".splitlines()
"""The match that was resigned, as it is hashed: written by hand."""


def by_hand() -> list[str]:
    found = [""]
    for text in HISTORY:
        found.append(hashlib.sha256((found[-1] + text).encode()).hexdigest())
    return found[1:]


def test_heads_can_be_computed_by_anybody() -> None:
    assert list(heads(resigned())) == by_hand()
    assert list(resigned().heads.values()) == by_hand()[1:], "the club writes the same"


def test_record_forms_show_the_heads() -> None:
    shown = [base64.b32encode(bytes.fromhex(head[:20])).decode().lower() for head in by_hand()[1:]]
    grouped = [f"{each[:4]}-{each[4:8]}-{each[8:12]}-{each[12:]}" for each in shown]
    places = [RESIGNED.index(head) for head in grouped]
    assert places[:5] == sorted(places[:5])
    assert f'[Head "{grouped[5]}"]' in RESIGNED
    whole = json.loads(to_json(resigned()))
    assert [entry["head"] for entry in whole["history"]] == by_hand()[1:]


@settings(max_examples=examples(40), deadline=None)
@given(records())
def test_heads_can_be_computed_from_the_json_form(record: Record) -> None:
    whole = json.loads(to_json(record))
    fields = ("club", "match", "game", "rules_version", "options", "started")
    parts: list[dict[str, Any]] = [
        {"chain": 1, "seats": whole["numbers"], **{field: whole[field] for field in fields}}
    ]
    found = [entry.pop("head") for entry in whole["history"]]
    head = ""
    for part, due in zip([*parts, *whole["history"]], [None, *found], strict=True):
        told = json.dumps(part, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        head = hashlib.sha256((head + told).encode()).hexdigest()
        assert due in (None, head)
    assert head == whole["head"]
    assert short(head) in to_text(record)


# ---------------------------------------------------------------- traces that a change leaves


def changed_text(old: str, new: str, count: int = -1) -> Record:
    assert old in RESIGNED
    return from_text(RESIGNED.replace(old, new, count))


@pytest.mark.parametrize(
    ("record", "told"),
    (
        (changed_text("[18-19 +++]", "[18-27]"), "entry 3 ([18-27] by W in turn 2)"),
        (changed_text("T14:00:00Z", "T14:00:01Z"), "entry 2 ([N+++] by N in turn 2)"),
        (changed_text("resigns 2026-11-22T16:00", "resigns 2026-11-22T16:01"),
         "entry 4 (resigned by S in turn 3)"),
        (changed_text('"2026-11-22T18:30:00Z"', '"2026-11-22T18:30:01Z"'), "entry 6, the result"),
        (changed_text("96", "97"), "entry 6, the result"),
        (changed_text("u3w5-7cp2", "u3w5-7cp3"), "entry 6, the result"),
    ),
)  # fmt: skip
def test_changed_entry_is_reported(record: Record, told: str) -> None:
    assert (
        verify(record)[0] == f"The history has been changed: {told} does not agree with its head."
    )


@pytest.mark.parametrize(
    ("old", "new"),
    (
        ('[Club "pbem"]', '[Club "abem"]'),
        ('[Match "12"]', '[Match "13"]'),
        ('"S=1 W=2 N=3 E=2"', '"S=3 W=2 N=1 E=2"'),
        ('[Days "5"]', '[Days "6"]'),
        ("quiet_limit=200", "quiet_limit=20"),
        ('[Started "2026-11-21T12', '[Started "2026-11-21T11'),
        ("  1. S  [42-36]", "  1. S  [42-35]"),
    ),
)
def test_change_before_the_first_head_is_reported(old: str, new: str) -> None:
    problems = verify(changed_text(old, new))
    assert "something from its start up to entry 1" in problems[0]


def test_names_may_be_changed() -> None:
    assert verify(changed_text('"Anna"', '"former member 1"')) == []


def test_omitted_entry_is_reported() -> None:
    short_of_one = RESIGNED.replace(
        "  2. N  [N+++]  {2026-11-21T14:00:00Z f24a-z3lk-d4m6-yc7b}\n", ""
    )
    assert "The history has been changed" in verify(from_text(short_of_one))[0]


# --------------------------------------------------- who won is what the history leads to


def without_heads(contest: Contest, **fields: Any) -> Record:
    """Return the record with another result and recomputed heads: a clever forgery."""
    record = contest.record()
    assert record.result is not None
    return replace(record, result=record.result._replace(**fields), heads={})


def gave_up() -> Contest:
    contest = Contest(started("lanko-68", 3)).says(ANNA, "42-36")
    return contest.does(Kind.RESIGNED, ANNA).does(Kind.RESIGNED, CLARA)


def test_swapped_winner_of_a_resignation_is_a_contradiction() -> None:
    contest = gave_up()
    assert verify(contest.record()) == []
    scores = {"S": 96, "W": -96, "N": 96, "E": -96}
    flipped = without_heads(contest, winners=("S", "N"), scores=scores)
    assert "By the result, W and E resigned. By the history, S and N did." in verify(flipped)


def test_move_takes_back_a_resignation_in_the_history() -> None:
    contest = Contest(started("lanko-68", 3)).does(Kind.RESIGNED, ANNA).says(ANNA, "42-36")
    contest.does(Kind.RESIGNED, CLARA).does(Kind.RESIGNED, ANNA)
    assert verify(contest.record()) == []
    entries = contest.record().entries[:-1]
    problems = verify(replace(contest.record(), entries=entries, heads={}))
    assert "By the result, S and N resigned. By the history, N did." in problems


def drawn(*steps: tuple[Kind, int]) -> Contest:
    contest = Contest(started("lanrick-1893", 2))
    for kind, player in steps:
        contest.does(kind, player)
    return contest


NO_OFFER = ["The result is a draw, but the history has no accepted offer."]


def test_draw_needs_an_accepted_offer() -> None:
    contest = drawn(
        (Kind.DRAW_OFFERED, ANNA),
        (Kind.DRAW_DECLINED, BERT),
        (Kind.DRAW_OFFERED, BERT),
        (Kind.DRAW_ACCEPTED, ANNA),
    )
    record = contest.record()
    assert verify(record) == []
    for entries in ((), record.entries[:3], (*record.entries[:2], record.entries[3])):
        assert verify(replace(record, entries=entries, heads={})) == NO_OFFER


def test_loss_on_time_and_decision_need_their_entries() -> None:
    record = Contest(started("lanrick-1893", 2)).out_of_time(ANNA).record()
    assert verify(record) == []
    assert verify(replace(record, entries=(), heads={})) == [
        "The result was decided on time, but the history does not say who ran out of time."
    ]
    assert record.result is not None
    drawn = Outcome((), "flag-draw", dict.fromkeys(record.players, 0))
    assert verify(replace(record, result=drawn, heads={})) == [
        "A match is drawn on time only if the other side could no longer win."
    ]
    decided = record.result._replace(termination="adjudication")
    (entry,) = record.entries
    adjudged = entry._replace(kind=Kind.ADJUDGED, seat="")
    assert verify(replace(record, result=decided, entries=(adjudged,), heads={})) == []
    assert verify(replace(record, result=decided, heads={})) == [
        "The result says that the director decided, but the history does not."
    ]


@pytest.mark.parametrize("form", (to_text, to_json))
def test_longer_history_starts_with_the_same_heads(form: Callable[[Record], str]) -> None:
    contest = Contest(started("lanko-68", 3))
    before = heads(contest.record())
    contest.says(ANNA, "42-36").does(Kind.DRAW_OFFERED, BERT)
    after = heads(contest.record())
    assert after[:1] == before
    assert len(after) == 3
    read = from_text if form is to_text else from_json
    assert heads(read(form(contest.record()))) == after
