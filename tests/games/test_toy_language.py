"""The toy language of `pbem.testing`."""

from __future__ import annotations

from pbem.testing.toy_language import turned


def test_toy_language_reverses_words_and_nothing_else() -> None:
    assert turned("the man on {square}, like b1-b3") == "eht nam no {square}, ekil b1-b3"
