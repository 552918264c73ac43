"""The JSON form of a record, and its schema."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given, settings

from pbem.matches.record import SCHEMA, Record, RecordError, from_json, to_json
from tests.matches.json_schema import errors
from tests.matches.records import records, resigned


def test_the_json_of_a_record() -> None:
    whole = json.loads(to_json(resigned()))
    assert whole["format"] == "pbem-record-1"
    assert whole["set"] == {"id": 3, "index": 1}
    assert whole["players"] == {"S": "Anna", "W": "Bert", "N": "Clara", "E": "Bert"}
    assert whole["options"]["game"] == {"repetition": 1, "quiet_limit": 200}
    assert whole["actions"][1] == {
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


@settings(max_examples=40, deadline=None)
@given(records())
def test_the_json_fits_the_schema(record: Record) -> None:
    assert errors(schema(), json.loads(to_json(record))) == []


@pytest.mark.parametrize(
    ("whole", "complaint"),
    (
        ([], "the record is not an object"),
        (changed(lambda w: w.pop("match")), "the record lacks 'match'"),
        (changed(lambda w: w.update(elo=1)), "the record has 'elo', which does not belong there"),
        (changed(lambda w: w.update(format="pgn")), "format is not 'pbem-record-1'"),
        (changed(lambda w: w.update(match="12")), "the record, match: '12' is not a whole number"),
        (changed(lambda w: w.update(match=True)), "match: True is not a whole number"),
        (changed(lambda w: w.update(match=-1)), "the match is -1, less than 0"),
        (changed(lambda w: w.update(match=10**9)), "the match is larger than 999999999"),
        (changed(lambda w: w["actions"][0].update(turn=10**9)), "turns are numbered from 1"),
        (changed(lambda w: w["result"]["scores"].update(S=-(10**9))), "a score is larger than"),
        (changed(lambda w: w.update(set={"id": 3})), "set lacks 'index'"),
        (changed(lambda w: w.update(players={})), "nobody plays"),
        (changed(lambda w: w["players"].update(S="")), "the player on seat S has no name"),
        (changed(lambda w: w["players"].update({"9": "Eve"})), "'9' cannot be the name of a seat"),
        (changed(lambda w: w["options"].update(draw_offers=0)), "0 is neither true nor false"),
        (changed(lambda w: w.update(started="2026-11-21")), "'2026-11-21' is not a time like"),
        (changed(lambda w: w.update(actions={})), "actions: this is not a list"),
        (changed(lambda w: w["actions"][1].pop("at")), "actions, item 2 lacks 'at'"),
        (changed(lambda w: w["actions"][1].update(turn=0)), "action 2: turns are numbered from 1"),
        (changed(lambda w: w["actions"][1].update(text="")), "action 2: '' cannot be an action"),
        (changed(lambda w: w["actions"][1].update(text="a\nb")), "cannot be an action"),
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
        (changed(lambda w: w.update(result=None)), "a result and the time of the end belong"),
        (changed(lambda w: w["actions"][1].update(seat="Q")), "action 2: nobody plays on seat 'Q'"),
        (changed(lambda w: w["result"]["scores"].update(Q=1)), "seat 'Q', where nobody plays"),
        (changed(lambda w: w.update(started="2026-13-21T12:00:00Z")), "is not a time like"),
    ),
)
def test_what_no_schema_can_say_is_refused_too(whole: Any, complaint: str) -> None:
    with pytest.raises(RecordError, match=complaint):
        from_json(json.dumps(whole))


def test_broken_json_is_refused_with_its_line() -> None:
    text = to_json(resigned()).replace('"match": 12,', '"match": 12')
    with pytest.raises(RecordError, match="line 4: this is not JSON"):
        from_json(text)


@pytest.mark.parametrize("text", ("[" * 100_000, '{"match": ' + "1" * 10_000 + "}"))
def test_json_that_is_too_much_is_refused(text: str) -> None:
    with pytest.raises(RecordError, match="nested too deep, or a number is too long"):
        from_json(text)


def test_a_key_that_stands_twice_is_refused() -> None:
    text = to_json(resigned()).replace('"match": 12,', '"match": 12, "match": 13,')
    with pytest.raises(RecordError, match="a key stands twice"):
        from_json(text)
