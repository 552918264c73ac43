"""The phrase files fit the code: every phrase in use has words, and no words are unused."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.games.phrases import DEFAULT, read_forms, stored
from tests.games.phrase_files import FILES, HOMES, PBEM, calls, home_of

CALLS = tuple(calls())
every_file = pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PBEM)))


@pytest.mark.parametrize("home", HOMES)
def test_every_phrase_in_the_code_has_english_words_with_its_values(home: str) -> None:
    forms = stored(home, DEFAULT)
    for call in (call for call in CALLS if call.home == home):
        assert call.key in forms, call
        assert forms[call.key].placeholders == call.values, call


@pytest.mark.parametrize("home", HOMES)
def test_all_words_are_used_somewhere(home: str) -> None:
    assert set(stored(home, DEFAULT)) == {call.key for call in CALLS if call.home == home}


def said_with(home: str, key: str) -> set[str]:
    """Return the values that a phrase has in all its uses."""
    return set.intersection(*(set(c.values) for c in CALLS if (c.home, c.key) == (home, key)))


@every_file
def test_words_of_every_language_fit(file: Path) -> None:
    for key, form in read_forms(file.read_text("utf-8")).items():
        assert form.placeholders <= said_with(home_of(file), key), key


@every_file
def test_words_are_printed_unchanged(file: Path) -> None:
    for key, form in read_forms(file.read_text("utf-8")).items():
        for text in form.texts:
            assert text.isprintable(), key
            assert form.kind == "list" or text == text.strip(), key
            assert "  " not in text, key


@pytest.mark.parametrize("home", HOMES)
def test_english_is_ascii(home: str) -> None:
    assert all(text.isascii() for form in stored(home, DEFAULT).values() for text in form.texts)
