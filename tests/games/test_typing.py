"""Moves changed by phones, word processors and mail programs are read as intended."""

from __future__ import annotations

import pytest

from pbem.games.api import AnyGame
from pbem.games.lenient_text import plain, undressed
from tests.games.random_matches import every_match, sampled, seeds, some
from tests.games.test_conformance_texts import read_back

DRESSES = (
    "*{}*",
    "**{}**",
    "_{}_",
    "“{}”",
    "„{}“",
    "«{}»",
    "‘{}’",
    '"{}"',
    "`{}`",
    "- *{}*",
    "{}!",
)
IN_BETWEEN = ("\u200b", "\u00ad", "\u2060", "\u200d", "\u202a", "\ufeff", "\ufe0f")


@every_match
@seeds
@some
def test_dressed_up_action_is_read(game: AnyGame, players: int, seed: int) -> None:
    for step in sampled(game, players, seed):
        if step.text == ".":
            continue
        wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in step.text)
        dressed = [dress.format(step.text) for dress in DRESSES]
        invisible = [sign.join(step.text) for sign in IN_BETWEEN]
        for written in (*dressed, *invisible, wide):
            assert read_back(game, step, written) == [step.action], ascii(written)


@pytest.mark.parametrize(
    ("written", "read"),
    (
        ("[8‑B]", "[8-B]"),
        ("[8 – B]", "[8 - B]"),
        ("\u00a0[8\u00a0—\u202fB]\u00a0", " [8 - B] "),
        ("【8－B】", "[8-B]"),
        ("［９：Ｃ：Ｅ］", "[9:C:E]"),
        ("9×C", "9xC"),
        ("Grüße ❤️", "Grüße ❤"),
    ),
)
def test_typographic_characters_become_plain(written: str, read: str) -> None:
    assert plain(written) == read


@pytest.mark.parametrize(
    ("written", "bare"),
    (
        ("*[8-B]*", "[8-B]"),
        ("* [8-B]", "[8-B]"),
        ("“*8-B*”", "8-B"),
        ("*G7", "*G7"),
        ("*A5+K4", "*A5+K4"),
        ("K4+*A5", "K4+*A5"),
        ('"', '"'),
        ("**", "**"),
        ("[8-B]!", "[8-B]"),
        ("*[8-B]!!*", "[8-B]"),
        ("", ""),
    ),
)
def test_decoration_is_removed(written: str, bare: str) -> None:
    assert undressed(written) == bare
