"""The text form of a record."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.matches.record import RecordError, from_text, to_json, to_text
from tests.matches.playing import ANNA, START, Contest, started
from tests.matches.records import RESIGNED, resigned, with_passes, without_heads

TURN = re.compile(r" *(\d+)\. ([NESW])  ([^{]*?)(?:  \{.*)?")


def test_record_is_written_as_text() -> None:
    assert to_text(resigned()) == RESIGNED


def test_text_is_read_back() -> None:
    assert from_text(RESIGNED) == resigned()


def test_text_may_be_wrapped_differently() -> None:
    head, _, score = RESIGNED.partition("\n\n")
    assert (
        from_text(head.replace("\n", "\r\n") + "\r\n\r\n" + " ".join(score.split())) == resigned()
    )
    assert from_text("\ufeff" + head + "\n\n" + "\n".join(score.split())) == resigned()


def test_times_are_kept_to_the_second() -> None:
    contest = Contest(started("lanko-68", 3))
    contest.now += timedelta(microseconds=250_001)
    record = contest.says(ANNA, "42-36").record()
    assert record.entries[0].at == START + timedelta(hours=1)


def test_actions_of_one_email_share_their_time() -> None:
    # No Lanko turn has two moves, but the form allows it for any game.
    record = without_heads()
    first = record.entries[0]
    two = replace(record, entries=(first, first._replace(text="[O-N]"), *record.entries[1:]))
    text = to_text(two)
    assert "  1. S  [42-36] ; [O-N]  {2026-11-21T13:00:00Z " in text
    assert from_text(text) == two


def test_long_turn_is_wrapped() -> None:
    record = without_heads()
    many = tuple(record.entries[0]._replace(text=f"[{n}-{n + 1} +++]") for n in range(30))
    text = to_text(replace(record, entries=many))
    assert max(map(len, text.splitlines())) <= 72
    assert from_text(text).entries == many


def test_passed_turn_is_printed_but_not_stored() -> None:
    record = with_passes()
    turns = [found for found in map(TURN.fullmatch, to_text(record).splitlines()) if found]
    passed = {(int(turn[1]), turn[2]) for turn in turns if turn[3] == "[---]"}
    assert passed
    assert passed.isdisjoint((entry.turn, entry.seat) for entry in record.entries)
    assert "[---]" not in to_json(record)
    # With the passes, every turn appears once, and the seats take turns.
    moves = [turn for turn in turns if not re.match(r"\[[NESW]\+", turn[3])]
    assert [int(turn[1]) for turn in moves] == list(range(1, len(moves) + 1))
    assert "".join(turn[2] for turn in moves) == ("SWNE" * len(moves))[: len(moves)]


def without(line: str) -> str:
    assert f"{line}\n" in RESIGNED
    return RESIGNED.replace(f"{line}\n", "")


@pytest.mark.parametrize(
    ("text", "complaint"),
    (
        ("", r"the tag \[Record \.\.\.\] is missing"),
        ("hello", "line 1: 'hello' is not a tag"),
        (RESIGNED.replace('"12"]', '"12]'), "line 3: .* is not a tag"),
        (RESIGNED.replace('"12"', '"twelve"'), "line 3: 'twelve' is not a whole number"),
        (RESIGNED.replace("lanko-68", "chess"), "line 6: there is no game 'chess'. The games are"),
        (RESIGNED.replace("pbem 2", "pbem 1"), "line 1: only records of the form 'pbem 2'"),
        (RESIGNED.replace("[Days", "[Dais"), r"the tag \[Days \.\.\.\] is missing"),
        (RESIGNED.replace("[Set ", "[Event "), "line 4: .* no tag and no seat 'Event'"),
        (without('[SetMatch "1"]'), r"\[SetMatch \.\.\.\] is missing, and \[Set "),
        (RESIGNED.replace('[W "Bert"]', '[S "Bert"]'), r"line 9: the tag \[S .* appears twice"),
        (RESIGNED.replace('Offers "off"', 'Offers "no"'), "line 14: 'no' is neither on nor off"),
        (
            RESIGNED.replace("quiet_limit=200", "quiet_limit"),
            "line 15: 'quiet_limit' does not have",
        ),
        (RESIGNED.replace("11-21T12", "13-21T12"), "line 16: .* is not a time like"),
        (RESIGNED.replace("=-96 W", "=lots W"), "line 19: 'lots' is not a whole number"),
        (RESIGNED.replace('"W+E"', '"W+Q"').replace("\nW+E", "\nW+Q"), "line 21: .*no seat 'Q'"),
        (without('[Ended "2026-11-22T18:30:00Z"]'), r"\[Ended \.\.\.\] is missing"),
        (RESIGNED.replace("  1. S", "  S"), "line 23: 'S' comes before the first turn"),
        (RESIGNED.replace("2. N", "2. Q"), "line 24: action 2: nobody plays on seat 'Q'"),
        (RESIGNED.replace("2. N", "0. N"), "line 24: action 2: turns are numbered from 1"),
        (
            RESIGNED.replace("{2026-11-21T14:00:00Z f24a-z3lk-d4m6-yc7b}", ""),
            "line 24: turn 2 has no time after it",
        ),
        (RESIGNED.replace("T14:00:00Z ", "T25:00:00Z "), "line 24: .* is not a time like"),
        (RESIGNED.replace("[N+++]  ", ""), "line 24: action 2: '' cannot be an action"),
        (RESIGNED.removesuffix("W+E\n"), "line 27: the text does not end with the result W.E"),
        (
            RESIGNED[: RESIGNED.index("  2. N")],
            "line 23: the text does not end with the result",
        ),
        (
            RESIGNED[: RESIGNED.index("  1. S")],
            "line 22: the text does not end with the result",
        ),
    ),
)
def test_bad_text_is_refused_with_its_line(text: str, complaint: str) -> None:
    with pytest.raises(RecordError, match=complaint):
        from_text(text)


def test_pass_against_the_rules_is_refused() -> None:
    false = RESIGNED.replace("  2. N", "  2. W  [---]\n  3. N").replace(
        "  2. W  [18", "  3. W  [18"
    )
    with pytest.raises(
        RecordError, match=r"line 23: by the rules, the passes after turn 1 are: none"
    ):
        from_text(false)


def test_missing_pass_is_refused() -> None:
    lines = to_text(with_passes()).splitlines()
    passed = next(i for i, line in enumerate(lines) if line.endswith("[---]"))
    turn = lines[passed].split()[0].rstrip(".")
    del lines[passed]
    with pytest.raises(
        RecordError, match=rf"line {passed}: by the rules, the passes .*: turn {turn} of"
    ):
        from_text("\n".join(lines))
