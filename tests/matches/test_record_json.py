"""The JSON form of a record, and its schema."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given, settings

from pbem.matches.match_options import CHOICES
from pbem.matches.record import SCHEMA, Record, RecordError, from_json, to_json
from tests.matches.json_schema import errors
from tests.matches.records import records, resigned
from tests.support.examples import examples


def test_json_has_all_parts_of_a_record() -> None:
    whole = json.loads(to_json(resigned()))
    assert whole["format"] == "pbem-record-2"
    assert whole["club"] == "pbem"
    assert whole["competition"] == {"kind": "set", "id": 3, "index": 1}
    assert whole["numbers"] == {"S": 1, "W": 2, "N": 3, "E": 2}
    assert whole["players"] == {"S": "Anna", "W": "Bert", "N": "Clara", "E": "Bert"}
    assert whole["options"]["game"] == {"repetition": 1, "quiet_limit": 200}
    (*_, before_last, last) = whole["history"]
    assert (before_last["kind"], before_last["seat"]) == ("resigned", "N")
    assert (last["kind"], last["head"]) == ("result", whole["head"])
    action = whole["history"][1]
    assert len(action.pop("head")) == 64
    assert action == {
        "entry": 2,
        "kind": "action",
        "turn": 2,
        "seat": "N",
        "text": "[N+++]",
        "at": "2026-11-21T14:00:00Z",
    }
    assert whole["result"]["winners"] == ["W", "E"]
    assert whole["result"]["scores"]["S"] == -96


def schema() -> dict[str, Any]:
    whole = json.loads(files("pbem.matches").joinpath(SCHEMA).read_text("utf-8"))
    assert isinstance(whole, dict)
    return whole


def changed(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    whole: dict[str, Any] = json.loads(to_json(resigned()))
    change(whole)
    return whole


def test_schema_knows_every_choice() -> None:
    options = schema()["properties"]["options"]["properties"]
    pattern = options["chosen"]["propertyNames"]["pattern"]
    assert [key for key in CHOICES if not re.search(pattern, key)] == []


@settings(max_examples=examples(40), deadline=None)
@given(records())
def test_json_fits_the_schema(record: Record) -> None:
    assert errors(schema(), json.loads(to_json(record))) == []


@pytest.mark.parametrize(
    ("whole", "complaint"),
    (
        ([], "the record is not an object"),
        (changed(lambda w: w.pop("match")), "the record has no 'match'"),
        (changed(lambda w: w.update(elo=1)), "the record has 'elo', which does not belong there"),
        (changed(lambda w: w.update(format="pgn")), "format is not 'pbem-record-2'"),
        (changed(lambda w: w.update(match="12")), "the record, match: '12' is not a whole number"),
        (changed(lambda w: w.update(match=True)), "match: true is not a whole number"),
        (changed(lambda w: w.update(match=-1)), "the match is -1, less than 0"),
        (changed(lambda w: w.update(match=10**9)), "the match is larger than 999999999"),
        (changed(lambda w: w["history"][0].update(turn=10**9)), "turns are numbered from 1"),
        (changed(lambda w: w["result"]["scores"].update(S=-(10**9))), "a score is larger than"),
        (changed(lambda w: w.update(competition={"kind": "set", "id": 3})), "has no 'index'"),
        (changed(lambda w: w.update(players={})), "the match has no players"),
        (changed(lambda w: w["players"].update(S="")), "the player on seat S has no name"),
        (changed(lambda w: w["players"].update({"9": "Eve"})), "'9' cannot be the name of a seat"),
        (changed(lambda w: w["options"].update(draw_offers=0)), "0 is neither true nor false"),
        (changed(lambda w: w.update(started="2026-11-21")), "'2026-11-21' is not a time like"),
        (changed(lambda w: w.update(history={})), "history: this is not a list"),
        (changed(lambda w: w["history"][1].pop("at")), "history, item 2 has no 'at'"),
        (changed(lambda w: w["history"][1].update(turn=0)), "action 2: turns are numbered from 1"),
        (changed(lambda w: w["history"][1].update(text="")), "action 2: '' cannot be an action"),
        (changed(lambda w: w["history"][1].update(text="a\nb")), "cannot be an action"),
        (changed(lambda w: w["history"][1].update(kind="shrug")), "has 'text', which does"),
        (changed(lambda w: w["history"][3].update(kind=["resigned"])), "resigned"),
        (changed(lambda w: w["history"][1].update(head="abc")), "this is not a head"),
        (changed(lambda w: w["history"][3].update(text="x")), "has 'text', which does not belong"),
        (changed(lambda w: w.update(competition={"kind": "cup", "id": 3, "index": 1})), "to a cup"),
        (changed(lambda w: w["result"].update(winners="WE")), "winners: this is not a list"),
        (changed(lambda w: w["result"].update(termination="x y")), "cannot be the name of a term"),
    ),
)
def test_bad_json_is_refused_by_reader_and_schema(whole: Any, complaint: str) -> None:
    with pytest.raises(RecordError, match=complaint):
        from_json(json.dumps(whole))
    assert errors(schema(), whole)


@pytest.mark.parametrize(
    ("whole", "complaint"),
    (
        (
            changed(lambda w: w.update(result=None)),
            "either the result or the time of the end is missing",
        ),
        (changed(lambda w: w["history"].pop()), "differs from that of its last entry"),
        (
            changed(lambda w: w["history"][5].update(winners=["S", "N"])),
            "the history does not end with the result",
        ),
        (changed(lambda w: w["history"].pop(0)), "item 1: this is entry 2"),
        (changed(lambda w: w.update(head="0" * 64)), "differs from that of its last entry"),
        (changed(lambda w: w["numbers"].update(S=2)), "names and numbers of the players do not"),
        (changed(lambda w: w["numbers"].pop("S")), "not every seat has the number"),
        (changed(lambda w: w["history"][1].update(seat="Q")), "action 2: nobody plays on seat 'Q'"),
        (
            changed(lambda w: w["result"]["scores"].update(Q=1)),
            "names the seat 'Q', which has no player",
        ),
        (changed(lambda w: w.update(started="2026-13-21T12:00:00Z")), "is not a time like"),
    ),
)
def test_errors_beyond_any_schema_are_refused_too(whole: Any, complaint: str) -> None:
    with pytest.raises(RecordError, match=complaint):
        from_json(json.dumps(whole))


def test_broken_json_is_refused_with_its_line() -> None:
    text = to_json(resigned()).replace('"match": 12,', '"match": 12')
    with pytest.raises(RecordError, match="line 5: this is not JSON"):
        from_json(text)


@pytest.mark.parametrize("text", ("[" * 100_000, '{"match": ' + "1" * 10_000 + "}"))
def test_excessive_json_is_refused(text: str) -> None:
    with pytest.raises(RecordError, match="nested too deep, or a number is too long"):
        from_json(text)


def test_duplicate_key_is_refused() -> None:
    text = to_json(resigned()).replace('"match": 12,', '"match": 12, "match": 13,')
    with pytest.raises(RecordError, match="a key appears twice"):
        from_json(text)
