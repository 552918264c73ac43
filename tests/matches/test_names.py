"""Which names are allowed, and which look alike."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from pbem.mail.message.charsets import harmless
from pbem.matches.names.skeleton import skeleton_of, small_skeleton_of
from pbem.matches.names.spelling import MOST, NotAName, made_a_name, read_name


@pytest.mark.parametrize(
    ("text", "name"),
    (
        ("  Anna   Maria ", "Anna Maria"),
        ("Jean-Luc O\N{RIGHT SINGLE QUOTATION MARK}Neill", "Jean-Luc O'Neill"),
        ("J. R. Smith", "J. R. Smith"),
        ("Żaneta", "Żaneta"),
        ("Nguyễn Thị Hương", "Nguyễn Thị Hương"),
        ("李小龍", "李小龍"),
        ("กิตติ์", "กิตติ์"),
        ("שלום", "שלום"),
        ("\N{FULLWIDTH LATIN CAPITAL LETTER A}nna 2", "Anna 2"),
    ),
)
def test_letters_of_any_script_make_a_name(text: str, name: str) -> None:
    assert read_name(text) == name


@pytest.mark.parametrize(
    ("text", "why"),
    (
        ("A", "2 to 32 characters"),
        ("A" * (MOST + 1), "2 to 32 characters"),
        ("7anna", "starts with a letter"),
        ("Anna.", "ends with a letter"),
        ("Anna--Maria", "both sides"),
        ("Anna; rm", "letters, digits"),
        ("../anna", "letters, digits"),
        ("anna@home", "letters, digits"),
        ("Anna\x1b[2J", "letters, digits"),
        ("\N{RIGHT-TO-LEFT OVERRIDE}anna", "letters, digits"),
        ("an\N{ZERO WIDTH SPACE}na", "letters, digits"),
        ("\N{HANGUL FILLER}\N{HANGUL FILLER}", "letters, digits"),
        ("a" + "\N{COMBINING GRAVE ACCENT}" * 9 + "nna", "too many marks"),
        ("שלוםanna", "two directions"),
    ),
)
def test_invalid_name_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(NotAName, match=why):
        read_name(text)


@given(st.text(max_size=40))
def test_name_made_from_any_text_is_valid_and_harmless(text: str) -> None:
    name = made_a_name(text)
    if name:
        assert read_name(name) == name
        assert harmless(name) == name
        assert name.isprintable()
        assert not set(name) & set('/\\:;,@<>()[]"=|\n')


def test_names_that_look_alike_have_one_skeleton() -> None:
    cyrillic, greek = "\N{CYRILLIC CAPITAL LETTER A}nna", "\N{GREEK CAPITAL LETTER BETA}ob"
    for name, other in (
        ("Anna", "ANNA"),
        ("Anna", cyrillic),
        ("bob", greek),
        ("Mia", "rnia"),
        ("Liam", "Iiam"),
        ("Paul", "PauI"),
        ("Clara", "C\N{CYRILLIC SMALL LETTER PALOCHKA}ara"),
    ):
        assert skeleton_of(name) == skeleton_of(other)
    for name, other in (("Anna", "Hanna"), ("Żaneta", "Zaneta"), ("Lia", "Ila"), ("Ali", "All")):
        assert skeleton_of(name) != skeleton_of(other)
    assert small_skeleton_of("\N{GREEK CAPITAL LETTER IOTA}van") == skeleton_of("ivan")
