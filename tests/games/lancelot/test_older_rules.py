"""Matches started by version 1 of the rules are continued and verified by them."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from pbem.games import game_of
from pbem.games.api import IllegalActionError, OptionError
from pbem.games.replay import play_one
from pbem.matches.record import verify
from tests.games.lancelot.test_reading import position
from tests.matches.records import without_heads

OLD, NEW = game_of("lancelot", 1), game_of("lancelot")
OPTIONS = {"excalibur": 1, "diagonals": 1, "target": 500}


def by_old_rules(before: Any) -> Any:
    """Return the same position in a match that started by version 1."""
    return replace(before, terms=replace(before.terms, sword_alone=False))


def test_newest_rules_are_used_by_default() -> None:
    assert game_of("lancelot", NEW.info.rules_version) is NEW
    with pytest.raises(OptionError, match="version 99 of the rules of Lancelot is unknown"):
        game_of("lancelot", 99)
    assert game_of("lanko-88", 1) is game_of("lanko-88")
    assert (OLD.info.rules_version, NEW.info.rules_version) == (1, 2)


def test_excalibur_alone_makes_no_turn_under_the_old_rules() -> None:
    assert play_one(NEW, position(), "red", "*E10").text == "*E10"
    with pytest.raises(IllegalActionError, match="only together with a knight"):
        play_one(OLD, by_old_rules(position()), "red", "*E10")
    assert play_one(OLD, by_old_rules(position()), "red", "*E10 F9").text == "*E10+F9"


def test_old_match_passes_when_a_new_one_does_not() -> None:
    old, chance = [play_one(OLD, OLD.initial(2, OPTIONS), "blue", "*G7")], Random(1)
    while (seat := OLD.to_act(old[-1].position)) is not None:
        knights = list(old[-1].position.plain)  # nobody calls the king's force
        text = OLD.format(old[-1].position, chance.choice(knights))
        old.append(play_one(OLD, old[-1].position, seat, text))
    outcome = OLD.outcome(old[-1].position)
    assert outcome is not None
    assert outcome.termination == "exhausted"
    first = without_heads().actions[0]
    record = replace(
        without_heads(),
        game_key="lancelot",
        rules_version=1,
        players={"red": "Anna", "blue": "Bert"},
        numbers={"red": 1, "blue": 2},
        options=OPTIONS,
        entries=tuple(
            first._replace(turn=each.turn, seat=each.seat, text=each.text) for each in old
        ),
        result=outcome,
    )
    assert verify(record) == []
    assert verify(replace(record, rules_version=2))
