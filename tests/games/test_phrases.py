"""Words of phrases: sentences, counts and lists, in languages that have them or lack them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.games.phrases import (
    ENGLISH,
    Phrase,
    PhraseError,
    Phrases,
    Words,
    page,
    read_forms,
)

IN_ENGLISH = """
over = "the match is over"
turn = "it is {seat}'s turn, not {other}'s"
braces = "{{ }} the mark, {men}"
because = "{why}, and so on"
[men]
some = { one = "{count} man", other = "{count} men" }
[list]
names = { between = ", " }
people = { between = ", ", last = " and " }
"""
IN_GERMAN = """
turn = "{seat} ist am Zug, nicht {other}"
[men]
some = { one = "ein Mann", other = "{count} Mann" }
[list]
people = { between = ", ", last = " und " }
"""
GERMAN = Words("de")


@pytest.fixture(scope="module")
def phrase(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Phrases]:
    """Return phrases of a package with two languages and a page of rules."""
    folder = tmp_path_factory.mktemp("packages")
    home = folder / "spoken_game"
    home.mkdir()
    pages = {"RULES.md": "# Rules\n", "RULES.de.md": "# Regeln\n"}
    for name, text in {"en.toml": IN_ENGLISH, "de.toml": IN_GERMAN, **pages}.items():
        Path(home, name).write_text(text, "utf-8")
    sys.path.insert(0, str(folder))
    yield Phrases("spoken_game")
    sys.path.remove(str(folder))


def test_sentence_gets_its_values(phrase: Phrases) -> None:
    said = phrase("turn", seat="white", other="black")
    assert ENGLISH.text(said) == "it is white's turn, not black's"
    assert GERMAN.text(said) == "white ist am Zug, nicht black"


@pytest.mark.parametrize(
    ("count", "english", "german"),
    ((0, "0 men", "0 Mann"), (1, "1 man", "ein Mann"), (2, "2 men", "2 Mann")),
)
def test_singular_and_plural_are_distinguished(
    phrase: Phrases, count: int, english: str, german: str
) -> None:
    said = phrase("men.some", count=count)
    assert (ENGLISH.text(said), GERMAN.text(said)) == (english, german)


@pytest.mark.parametrize(
    ("items", "names", "people"),
    (
        ((), "", ""),
        (("a",), "a", "a"),
        (("a", "b"), "a, b", "a und b"),
        (("a", 2, "c"), "a, 2, c", "a, 2 und c"),
    ),
)
def test_items_are_joined(
    phrase: Phrases, items: tuple[str | int, ...], names: str, people: str
) -> None:
    assert ENGLISH.text(phrase("list.names", items=items)) == names
    assert GERMAN.text(phrase("list.people", items=items)) == people


def test_value_can_be_a_phrase(phrase: Phrases) -> None:
    men = phrase("men.some", count=1)
    assert GERMAN.text(phrase("list.people", items=(men, men))) == "ein Mann und ein Mann"


def test_phrase_without_words_in_a_language_is_in_english(phrase: Phrases) -> None:
    assert GERMAN.text(phrase("over")) == "the match is over"
    assert GERMAN.text(phrase("because", why=phrase("men.some", count=1))) == "ein Mann, and so on"
    assert Words("fr").text(phrase("men.some", count=1)) == "1 man"


def test_braces_in_text_of_players_mean_nothing(phrase: Phrases) -> None:
    assert ENGLISH.text(phrase("braces", men="{men} {0} {")) == "{ } the mark, {men} {0} {"


def test_plain_text_is_unchanged() -> None:
    assert GERMAN.text("the {match}") == "the {match}"


def test_phrase_without_words_is_an_error_that_names_it(phrase: Phrases) -> None:
    with pytest.raises(PhraseError, match="spoken_game has no phrase 'nonsense'"):
        GERMAN.text(phrase("nonsense"))


def test_placeholder_without_a_value_is_an_error_that_names_both(phrase: Phrases) -> None:
    with pytest.raises(PhraseError, match=r"'turn' of spoken_game \(de\).*'other'"):
        GERMAN.text(phrase("turn", seat="white"))
    with pytest.raises(PhraseError, match="'count'"):
        ENGLISH.text(phrase("men.some"))


@pytest.mark.parametrize(
    "text", ("a = 1", "a = ['b']", "[a]\none = 3", "[a]\none = 3\nother = 'b'")
)
def test_file_of_something_else_is_an_error(text: str) -> None:
    with pytest.raises(PhraseError, match="neither text nor a table"):
        read_forms(text)


@pytest.mark.parametrize("language", ("", "EN", "../en", "en/../de", "e", "en_US"))
def test_language_has_a_short_name(language: str) -> None:
    with pytest.raises(PhraseError, match="short name"):
        Words(language)


def test_package_of_a_phrase_must_exist() -> None:
    with pytest.raises(ModuleNotFoundError):
        ENGLISH.text(Phrase("pbem.games.nowhere", "over"))


@pytest.mark.usefixtures("phrase")
def test_rules_exist_side_by_side_in_their_languages() -> None:
    assert page("spoken_game", "RULES.md", "de") == "# Regeln\n"
    assert page("spoken_game", "RULES.md", "en") == "# Rules\n"
    assert page("spoken_game", "RULES.md", "fr") == "# Rules\n"
