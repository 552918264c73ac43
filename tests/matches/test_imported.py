"""Matches of other clubs, as they count here."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import assume, given

from pbem.matches.imported import ImportedMatch, RatedName, rated_as_ours, without_name
from pbem.matches.ratings import rated_match
from pbem.matches.record import Record, verify
from pbem.matches.record.to_match import people_of, stored_of
from tests.matches.records import records, resigned

OTHER = 100
"""Difference between a number there and here."""


def names_of(record: Record) -> list[RatedName]:
    return [
        RatedName(record.club, name, number + OTHER) for number, name in people_of(record).items()
    ]


@given(records())
def test_match_of_members_is_rated_as_if_it_were_ours(record: Record) -> None:
    assume(record.result is not None)
    ours = rated_as_ours(ImportedMatch(7, record), names_of(record))
    theirs = rated_match(stored_of(record).match, (), ())
    rated = None if ours is None else rated_match(ours, (), ())
    assert (rated is None) == (theirs is None)
    if rated is not None and theirs is not None:
        assert rated.place == theirs.place._replace(match_id=-7)
        assert [side.rank for side in rated.sides] == [side.rank for side in theirs.sides]
        assert [side.players for side in rated.sides] == [
            tuple(number + OTHER for number in side.players) for side in theirs.sides
        ]


def test_match_is_not_rated_unless_each_player_is_another_member() -> None:
    match = ImportedMatch(7, resigned())
    known = names_of(match.record)
    assert rated_as_ours(match, known) is not None
    assert rated_as_ours(match, known[1:]) is None
    assert rated_as_ours(match, [each._replace(club="Gamma") for each in known]) is None
    assert rated_as_ours(match, [each._replace(member=1) for each in known]) is None


def test_name_is_replaced_for_every_seat_and_the_history_stays() -> None:
    record = replace(resigned(), substitutes={7: "Dora"})
    after = without_name(record, "Bert", "former member {}".format)
    assert after.players == {
        "S": "Anna",
        "W": "former member 2",
        "N": "Clara",
        "E": "former member 2",
    }
    assert verify(after) == verify(record)
    assert without_name(record, "Dora", "former member {}".format).substitutes == {
        7: "former member 7"
    }
