"""Emails describe a game in their reader's language."""

from __future__ import annotations

from dataclasses import replace

from pbem.games.api import AnyGame
from pbem.games.text_diagram import paint_board
from pbem.matches.match import Result
from pbem.testing.toy_language import TOY, strange_words
from tests.games.every_game import every_game
from tests.mail.test_letters_quoted import NAMES, NOW, view


@every_game
def test_match_view_uses_the_readers_language(game: AnyGame) -> None:
    seen = replace(view(game), words=TOY)
    names = " ".join(NAMES.values())
    board = paint_board(game.diagram(seen.match.position, seen.match.seats_of(seen.you.id)[0]))
    assert not strange_words(seen.diagram.text.replace(board, ""), names)
    assert not strange_words(" ".join([*seen.seats, seen.to_act]), names)
    for option in seen.options:
        assert not strange_words(TOY.text(option.help))
    for ending in game.info.terminations:
        ended = replace(seen.match, result=Result((), ending, {}, NOW))
        end = replace(seen, match=ended).result
        assert end is not None
        assert not strange_words(end.why)
