"""Polite moves: a corpus of what people write around a move, a third of it traps."""

from __future__ import annotations

from pathlib import Path

from pbem.games.api import AnyGame
from pbem.games.replay import suggestions
from pbem.inbox.requests import read_requests
from tests.games.random_matches import every_game, texts

LINES = Path(__file__).parents[1] / "data" / "polite"
PLAYED, ASKED = (
    (LINES / f"{name}.txt").read_text("utf-8").splitlines() for name in ("played", "asked")
)


def moves(game: AnyGame) -> tuple[str, str]:
    """Return the texts of two legal actions."""
    first, *_, last = texts(game, game.initial(max(game.info.holders), {}))
    return first, last


@every_game
def test_polite_lines_are_played(game: AnyGame) -> None:
    move, other = moves(game)
    for line in PLAYED:
        written = line.format(move=move, other=other)
        (actions,) = read_requests(written, game).items
        wanted = [move, other] if "{other}" in line else [move]
        assert [bare(str(each)) for each in actions] == [bare(each) for each in wanted], written


@every_game
def test_traps_are_asked_about(game: AnyGame) -> None:
    move, other = moves(game)
    position = game.initial(max(game.info.holders), {})
    seat = game.to_act(position)
    assert seat
    for line in ASKED:
        written = line.format(move=move, other=other)
        requests = read_requests(written, game)
        assert requests.empty, written
        assert move in suggestions(game, position, seat, requests.mentioned), written


def bare(text: str) -> str:
    """Return an action without brackets and full stop."""
    return text.strip("[].")
