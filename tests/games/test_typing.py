"""Characters of phones, word processors and mail programs. `pbem.testing.reading` types actions."""

from __future__ import annotations

import pytest

from pbem.games.lenient_text import plain, undressed


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
