"""Links to tap when thousands of moves are legal, as in Lancelot with Excalibur."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from urllib.parse import unquote

import pytest

from pbem.games import game_of
from pbem.mail.outgoing.look import Taps
from pbem.mail.outgoing.taps import MOST_BYTES, taps
from pbem.matches.match import MatchOptions, Player, new_match
from pbem.testing.random_matches import walk
from tests.mail.test_letter_html import REPLY
from tests.mail.test_letters_quoted import NAMES, NOW, view

GAME = game_of("lancelot")


def tapped(players: int) -> Taps:
    """Return the links after Excalibur was set."""
    options = {"excalibur": 1}
    made = new_match(GAME, range(1, players + 1), MatchOptions(game=options), NOW)
    (step,) = islice(walk(GAME, players, 1, options), 1)
    seat = GAME.to_act(step.after)
    assert seat is not None
    match = replace(made, position=step.after, to_act=seat)
    you = match.seats[seat]
    return taps(
        replace(view(GAME), match=match, you=Player(you, NAMES[you], ("a@x.example",))), REPLY
    )


@pytest.mark.parametrize("players", (2, 3, 4, 5))
def test_tap_on_a_vacant_square_places_a_knight(players: int) -> None:
    found = tapped(players)
    assert len(found.squares) == (4 + 2 * players) ** 2 - 1
    for square, href in found.squares.items():
        assert unquote(href).endswith(f"body={square}\r\n")
    assert found.bytes <= MOST_BYTES
    assert "more legal moves" in found.hint


def test_excalibur_alone_is_listed_if_there_is_room() -> None:
    listed = [tap.label for group in tapped(2).groups for tap in group.taps]
    assert len(listed) == 63
    assert all(label.startswith("*") and "+" not in label for label in listed)
