"""A record is verified by replaying it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from pbem.games import keys
from pbem.games.api import Outcome
from pbem.matches.history import Kind
from pbem.matches.record import HistoryEntry, Record, RecordError, record_of, verify
from tests.matches.playing import ANNA, BERT, CLARA, START, Contest, started
from tests.matches.records import broken, without_heads


def with_result(**fields: Any) -> Record:
    record = without_heads()
    assert record.result is not None
    return replace(record, result=record.result._replace(**fields))


ROUND = {"S": 0, "W": 0, "N": 0, "E": 0}
NO_OFFER = "The result is a draw, but the history has no accepted offer."


def adjudicated(**fields: Any) -> Record:
    """Return the match ended by the director instead, with the director's result."""
    record = with_result(termination="adjudication", **fields)
    decision = HistoryEntry(3, "", "", record.entries[-1].at, Kind.ADJUDGED)
    return replace(record, entries=(*record.entries, decision))


@pytest.mark.parametrize(
    ("record", "problems"),
    (
        (
            broken(text="[42-99]"),
            [("Action 1, [42-99] by S in turn 1, cannot be played: there is no square 99 on this"
              " board.")],
        ),
        (
            broken(3, text="[18-A]"),
            ["Action 3, [18-A] by W in turn 2, cannot be played: square A is occupied."],
        ),
        (
            broken(3, seat="E"),
            ["Action 3, [18-19 +++] by E in turn 2, cannot be played: it is W's turn, not E's."],
        ),
        (broken(text="42-36"), ["Action 1, 42-36 by S in turn 1, should be [42-36] by S."]),
        (
            broken(3, turn=3),
            [("Action 3, [18-19 +++] by W in turn 3, is in turn 2 by the rules."
              " The passes before it differ.")],
        ),
        (
            replace(without_heads(), game_key="chess"),
            [f"There is no game 'chess'. The games are: {', '.join(keys())}."],
        ),
        (
            replace(without_heads(), rules_version=7),
            ["Version 7 of the rules of Lanko-68 is unknown. The known version is 1."],
        ),
        (
            replace(
                without_heads(),
                players={"S": "A", "W": "B", "N": "B", "E": "A"},
                numbers={"S": 1, "W": 2, "N": 2, "E": 1},
            ),
            ["Lanko-68 cannot be played with these seats: S A, W B, N B, E A."],
        ),
        (
            replace(without_heads(), options={"speed": 1}),
            ["Lanko-68 has no option 'speed'. Its options are: repetition, quiet_limit."],
        ),
        (
            replace(without_heads(), ended_at=START - timedelta(days=1)),
            ["The match ended before it started."],
        ),
        (
            with_result(scores={"S": -95, "W": 95, "N": -95, "E": 95}),
            [("The result is a win for W and E by resignation (E 95, N -95, S -95, W 95). It should"
              " be a win for W and E by resignation (E 96, N -96, S -96, W 96).")],
        ),
        (
            with_result(termination="quiet"),
            ["The match ended by quiet, but by the rules it has not ended."],
        ),
        (
            with_result(termination="boredom"),
            ["No match of Lanko-68 can end by 'boredom'."],
        ),
        (
            with_result(winners=("W",)),
            [
                "The winners in the result are not whole sides with opponents who lose.",
                "By the result, S and N and E resigned. By the history, S and N did.",
            ],
        ),
        (
            with_result(winners=("S", "W", "N", "E")),
            ["The winners in the result are not whole sides with opponents who lose."],
        ),
        (
            with_result(winners=()),
            [
                "The winners in the result are not whole sides with opponents who lose.",
                "By the result, S and W and N and E resigned. By the history, S and N did.",
            ],
        ),
        (
            with_result(scores={"S": -96}),
            ["The result does not have a score for every seat."],
        ),
        (
            with_result(termination="draw", winners=(), scores=ROUND),
            ["A draw was agreed, but the match does not allow draw offers.", NO_OFFER],
        ),
        (
            replace(with_result(termination="draw", winners=()), draw_offers=True),
            ["An agreed draw has no winners and no points.", NO_OFFER],
        ),
        (adjudicated(winners=(), scores=ROUND), []),
        (adjudicated(winners=("S", "N")), []),
    ),
)  # fmt: skip
def test_problems_are_reported_in_words(record: Record, problems: list[str]) -> None:
    assert verify(record) == problems


def agreed() -> Record:
    """Return a match of two whose players declare at once.

    Nothing has been taken, so it is a draw.
    """
    return Contest(started("lanko-68", 2)).says(BERT, "+++").says(ANNA, "+++").record()


def test_wrong_result_by_the_rules_is_found() -> None:
    record = replace(agreed(), result=Outcome(("S", "N"), "agreed", ROUND), heads={})
    assert verify(agreed()) == []
    (problem,) = verify(record)
    assert problem == (
        "The result is a win for S and N by agreed (E 0, N 0, S 0, W 0). "
        "By the rules, it is a draw by agreed (E 0, N 0, S 0, W 0)."
    )


def test_ended_match_needs_a_result() -> None:
    record = replace(agreed(), result=None, ended_at=None, heads={})
    assert verify(record) == ["By the rules, the match has ended (agreed), but it has no result."]


def test_actions_after_the_end_are_found() -> None:
    record = agreed()
    late = HistoryEntry(1, "S", "[42-36]", START)
    assert verify(replace(record, entries=(*record.entries, late), heads={})) == [
        "Action 3, [42-36] by S in turn 1, comes after the end of the match."
    ]


def test_two_players_with_one_name_cannot_be_recorded() -> None:
    contest = Contest(started("lanko-68", 3))
    with pytest.raises(RecordError, match="two players of match 12 have the same name"):
        record_of(contest.match, {ANNA: "Jan", BERT: "Jan", CLARA: "Clara"}, ())
