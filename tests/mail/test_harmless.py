"""Harmless text: nothing that steers a terminal or an eye is left, and nothing else is lost."""

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
def test_it_is_taken_out(sign: str) -> None:
    assert harmless(f"a{sign}b") == "ab"


def test_it_is_taken_out_whatever_else_there_is() -> None:
    every = "".join(map(chr, (*range(0x20000), *range(0xE0000, 0xE1000))))
    gone = set(every) - set(harmless(every))

    assert [sign for sign in gone if harmless(sign)] == []


@pytest.mark.parametrize(
    "text", ("Żółw\n\t– „tak”", "👩‍👩‍👧 ❤️ 1️⃣", "می‌خواهم", "שלום", "مرحبا", "日本語", "e\u0301")
)
def test_it_stays(text: str) -> None:
    assert harmless(text) == text


@given(st.text())
def test_what_is_left_is_harmless_and_what_is_gone_was_not(text: str) -> None:
    left = harmless(text)

    assert_harmless(left, lines=True)
    gone = set(text) - set(left)
    assert all(unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Cn", "Zl", "Zp") for sign in gone)
