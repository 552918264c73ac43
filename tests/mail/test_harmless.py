"""Harmless text: nothing that controls a terminal or deceives the eye is left, all else is kept."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, strategies as st

from pbem.mail.message.charsets import harmless
from tests.mail.promises import assert_harmless


@pytest.mark.parametrize(
    "sign",
    (
        *("\0", "\x07", "\x08", "\r", "\x1b", "\x7f", "\x85", "\x9b", "\xad", "\u2028", "\u2029"),
        *("\u202a", "\u202e", "\u2066", "\u2069", "\u061c", "\u200e", "\u200b", "\ufeff"),
        *("\ud800", "\U000e0041", "\ufff9", "\u2060", "\u206f"),
    ),
    ids=ascii,
)
def test_harmful_character_is_removed(sign: str) -> None:
    assert harmless(f"a{sign}b") == "ab"


def test_removal_is_complete_after_one_pass() -> None:
    every = "".join(map(chr, (*range(0x20000), *range(0xE0000, 0xE1000))))
    gone = set(every) - set(harmless(every))

    assert [sign for sign in gone if harmless(sign)] == []


@pytest.mark.parametrize(
    "text", ("Żółw\n\t– „tak”", "👩‍👩‍👧 ❤️ 1️⃣", "می‌خواهم", "שלום", "مرحبا", "日本語", "e\u0301")
)
def test_harmless_text_is_kept(text: str) -> None:
    assert harmless(text) == text


@given(st.text())
def test_rest_is_harmless_and_only_control_characters_are_removed(text: str) -> None:
    left = harmless(text)

    assert_harmless(left, lines=True)
    gone = set(text) - set(left)
    assert all(unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Cn", "Zl", "Zp") for sign in gone)
