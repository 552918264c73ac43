"""Records made from files of other programs, which have neither heads nor numbers of players."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.archive.from_transcript import record_of_transcript
from pbem.archive.site.transcripts import transcript_of
from pbem.games.transcript import Transcript
from pbem.matches.record import RecordError, from_json, to_json, verify
from tests.matches.records import played_at_random, resigned

YEARS = timedelta(days=3_650_000)


def transcript(key: str, players: int, seed: int) -> Transcript:
    return transcript_of(played_at_random(key, players, seed).record(), ())


@pytest.mark.parametrize(
    ("key", "players"), (("lanrick-1881", 2), ("lanko-88", 2), ("lanko-103", 3), ("lancelot", 5))
)
def test_match_played_to_its_end_keeps_its_actions_and_result(key: str, players: int) -> None:
    given = transcript(key, players, seed=4)
    record = record_of_transcript(given)
    assert verify(record) == []
    assert transcript_of(record, ()).actions == given.actions
    assert record.result is not None
    assert (record.result.winners, record.result.termination) == (given.winners, given.termination)
    assert from_json(to_json(record)) == record


@pytest.mark.parametrize("winners", (("S", "N"), ("W", "E"), ()))
@pytest.mark.parametrize("termination", ("", "resignation", "time forfeit"))
def test_result_that_the_rules_do_not_give_is_one_of_the_file(
    winners: tuple[str, ...], termination: str
) -> None:
    given = replace(transcript_of(resigned(), ()), winners=winners, termination=termination)
    record = record_of_transcript(given)
    assert verify(record) == []
    assert record.result is not None
    assert record.result.winners == winners
    resigns = bool(winners) and termination == "resignation"
    assert (record.result.termination == "resignation") == resigns


def test_transcript_without_what_a_record_needs_is_refused() -> None:
    given = transcript("lanrick-1881", 2, seed=4)
    other = next(seat for seat in given.players if seat not in (given.winners or ()))
    for changes, problem in (
        ({"club": ""}, "a club, a number of the match, a start and a result are needed"),
        ({"started_at": None}, "a start"),
        ({"match_id": 0}, "a number"),
        ({"winners": None}, "a result"),
        ({"game_key": "go"}, "there is no game 'go'"),
        ({"winners": (other,)}, "with another result"),
        ({"actions": given.actions[1:]}, "action 1"),
        ({"actions": (given.actions[0]._replace(taken=YEARS), *given.actions[1:])}, "too late"),
    ):
        with pytest.raises(RecordError, match=problem):
            record_of_transcript(replace(given, **changes))
