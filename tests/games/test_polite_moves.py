"""Polite moves: a corpus of what people write around a move, a third of it traps."""

from __future__ import annotations

from pathlib import Path

from pbem.commands import FoundCommand
from pbem.games import game_of
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


def test_text_below_a_command_stays_as_written() -> None:
    text = "The board is wrong.\nHi! H4 please\nThank you. I play D11."
    (command,) = read_requests(f"appeal {text}", game_of("lancelot")).items
    assert isinstance(command, FoundCommand)
    assert command.arguments == (text,)


def test_sentence_counts_only_if_its_sender_is_certain() -> None:
    game, written = game_of("lancelot"), "Hi! I play H4."
    assert not read_requests(written, game).empty
    assert read_requests(written, game, certain=False).empty
