"""Spellings that random matches rarely reach. `pbem.testing.reading` tests those of all games."""

from __future__ import annotations

import pytest

from pbem.games import game_of
from pbem.games.replay import suggestions
from pbem.testing.random_matches import Step
from pbem.testing.reading import check_spelling, spellings
from tests.games.lanrick.test_rules_pages import example


@pytest.mark.thorough
@pytest.mark.parametrize("key", ("lanrick-1881", "lanrick-1893"))
def test_spellings_in_every_phase_of_an_example(key: str) -> None:
    """Random matches rarely reach a won rendezvous, or a run."""
    game = game_of(key)
    for played in example(key):
        position, seat = played.position, game.to_act(played.position)
        assert seat is not None
        for action in game.legal_actions(position):
            text = game.format(position, action)
            for written in spellings(text):
                check_spelling(game, Step(position, seat, action, text, None), action, written)


def test_run_is_distinguished_from_a_step() -> None:
    game = game_of("lanrick-1893")
    position = next(p.position for p in example("lanrick-1893") if p.text == "a1~d1")
    assert suggestions(game, position, "yellow", ["a2-b1"]) == ("a2-b1",)
    assert suggestions(game, position, "yellow", ["a2~b1"]) == ("a2~b1",)
    assert set(suggestions(game, position, "yellow", ["a2->b1"])) == {"a2-b1", "a2~b1"}


@pytest.mark.parametrize(
    ("key", "line", "words"),
    (
        ("lanko-88", "I moved from 54 to 46.", ("54 to 46",)),
        ("lanko-88", "54->46 thanks", ("54->46",)),
        ("lanko-88", "9 takes C, I think", ("9 takes C",)),
        ("lanko-88", "we go from A to B", ()),
        ("lanko-88", "54--46", ()),
        ("lanrick-1893", "I moved from h5 to h7", ("h5 to h7",)),
        ("lanrick-1893", "my move: h5h7", ("h5h7",)),
        ("lanrick-1893", "h5 → h7!?", ("h5 -> h7",)),
        ("lanrick-1893", "it takes e7 off", ("takes e7",)),
        ("lanrick-1893", "from h5 to h7", ("h5 to h7",)),
    ),
)
def test_prose_makes_no_action_but_its_candidates_are_found(
    key: str, line: str, words: tuple[str, ...]
) -> None:
    game = game_of(key)
    assert [reading.counts for reading in game.read(line)] == [False]
    assert game.mentioned(line) == words


def test_unplayable_action_is_not_suggested() -> None:
    game = game_of("lanko-88")
    position = game.initial(4, {})
    words = ("54 to 46", "54->46", "9-16", "99-1", "54 to 38")
    assert suggestions(game, position, "S", words) == ("[54-46]",)
    assert suggestions(game, position, "N", words) == ()
