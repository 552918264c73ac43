"""Lanko by email."""

from __future__ import annotations

from tests.conversations.house import ON_BOTH, House

pytestmark = ON_BOTH


def test_move_is_answered_and_next_player_is_asked(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    [first] = anna.receives()
    assert first.kind == "your turn"
    assert "Anna, it is your turn as S (White), turn 1 of match 1." in first.text
    bert.receives()

    anna.says("Good luck!\n\n[41-36]\n\nAnna")
    house.works()

    [receipt] = anna.receives()
    assert "Done: [41-36]" in receipt.text
    assert "| Good luck!" in receipt.text
    [turn] = bert.receives()
    assert turn.kind == "your turn"
    assert "Bert, it is your turn as W (Black), turn 2 of match 1." in turn.text
    assert "| Good luck!" in turn.text
    assert "1 S  [41-36]" in turn.text
    assert house.moves() == ["[41-36]"]
    assert house.state().to_act == "W"
