"""Polite moves beside commands and from strangers. `pbem.testing.reading` tests all games."""

from __future__ import annotations

from pbem.commands import FoundCommand
from pbem.games import game_of
from pbem.inbox.requests import read_requests


def test_text_below_a_command_stays_as_written() -> None:
    text = "The board is wrong.\nHi! H4 please\nThank you. I play D11."
    (command,) = read_requests(f"appeal {text}", game_of("lancelot")).items
    assert isinstance(command, FoundCommand)
    assert command.arguments == (text,)


def test_sentence_counts_only_if_its_sender_is_certain() -> None:
    game, written = game_of("lancelot"), "Hi! I play H4."
    assert not read_requests(written, game).empty
    assert read_requests(written, game, certain=False).empty
