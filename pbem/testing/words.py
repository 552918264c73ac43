"""The promises about words: files that fit the code, and another language that is only files."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.games import game_of, keys
from pbem.games.api import ActionError, AnyGame, OptionError
from pbem.games.diagram import Diagram
from pbem.games.phrases import DEFAULT, ENGLISH, Phrase, read_forms, stored
from pbem.games.replay import play_one
from pbem.games.text_diagram import paint, paint_board
from pbem.testing.phrase_files import calls, files, home_of, homes
from pbem.testing.promises import Promises
from pbem.testing.random_matches import Step, sampled, texts
from pbem.testing.refusals import mutilated
from pbem.testing.toy_language import TOY, strange_words

NONSENSE = ("nonsense", "[nonsense]", "Z99", "99-98", "h9-i9", "*A1", "ix", ".", "+++", "resign")


class PhraseFileTests(Promises):
    """Phrase files: every phrase in the code of the package has words, and no words are unused."""

    def test_every_phrase_in_the_code_has_english_words_with_its_values(self) -> None:
        """A phrase in the code has words in words/en.toml, with the same values in braces."""
        for call in calls(self.package):
            forms = stored(call.home, DEFAULT)
            assert call.key in forms, call
            assert forms[call.key].placeholders == call.values, call

    def test_all_words_are_used_somewhere(self) -> None:
        """An entry in words/en.toml is used by a literal key in the code. Otherwise, remove it."""
        for home in homes(self.package):
            used = {call.key for call in calls(self.package) if call.home == home}
            assert set(stored(home, DEFAULT)) == used, home

    def test_words_of_every_language_fit(self) -> None:
        """Words use only values in braces that each use of the phrase gives."""
        for file, key, form in self._forms():
            assert form.placeholders <= self._said_with(home_of(file, self.package), key), key

    def test_words_are_printed_unchanged(self) -> None:
        """Words have no blanks at their ends and no two in a row. English is ASCII."""
        for file, key, form in self._forms():
            for text in form.texts:
                assert text.isprintable(), key
                assert form.kind == "list" or text == text.strip(), key
                assert "  " not in text, key
                assert file.stem != DEFAULT or text.isascii(), key

    def _forms(self) -> Iterator[tuple[Path, str, Any]]:
        for file in files(self.package):
            for key, form in read_forms(file.read_text("utf-8")).items():
                yield file, key, form

    def _said_with(self, home: str, key: str) -> set[str]:
        """Return the values that a phrase has in all its uses."""
        uses = (call for call in calls(self.package) if (call.home, call.key) == (home, key))
        return set.intersection(*(set(call.values) for call in uses))


class TranslationTests(Promises):
    """Translation: with words in another language, a game says nothing in English."""

    def _strange(self, text: str, data: str = "") -> set[str]:
        return strange_words(text, data, self.package)

    def test_texts_of_a_game_are_translated(self, game: AnyGame) -> None:
        """Texts of `GameInfo` are phrases, not strings, and each seat has a title."""
        info = game.info
        helps = [option.help for option in info.options]
        for said in (*info.terminations.values(), *info.seat_titles.values(), *helps):
            assert TOY.text(said) != ENGLISH.text(said)
            assert not self._strange(TOY.text(said))
        for seat in info.seats:
            assert seat in info.seat_titles
            assert not self._strange(TOY.text(info.name_of(seat)))

    def test_option_errors_are_translated(self, game: AnyGame) -> None:
        """An OptionError has a phrase, not a string."""
        options = [option.key for option in game.info.options]
        data = " ".join([*options, game.info.title, *keys(), "draughts speed maybe"])
        for agree in _wrong_terms(game):
            with pytest.raises(OptionError) as caught:
                agree()
            assert not self._strange(TOY.text(caught.value.reason), data)

    def test_every_refusal_is_translated(self, game: AnyGame, players: int, seed: int) -> None:
        """The reason of an ActionError is a phrase, and so are words that it contains, such as
        seats.
        """
        chance = random.Random(seed)
        steps = sampled(game, players, seed)
        for step in steps:
            legal = texts(game, step.before)[:10]
            others = [other.text for other in steps]
            written = [*NONSENSE, *legal, *others, *(mutilated(text, chance) for text in legal)]
            for error in _refusals(game, step, written):
                assert isinstance(error.reason, Phrase)
                data = " ".join((error.text, *legal))
                assert not self._strange(TOY.text(error.reason), data), error

    def test_every_diagram_is_translated(self, game: AnyGame, players: int, seed: int) -> None:
        """What is printed around a board are phrases, not strings: legend, groups and trays."""
        seats = game.info.seats_of(players)
        names = {seat: f"Anna the {number}" for number, seat in enumerate(seats)}
        for position in [step.after for step in sampled(game, players, seed)]:
            for seat in seats:
                diagram = game.diagram(position, seat)
                assert not self._strange(_around_the_board(diagram, {}))
                assert not self._strange(_around_the_board(diagram, names), "Anna the")


def _wrong_terms(game: AnyGame) -> Iterator[Callable[[], Any]]:
    """Return ways to agree on impossible terms."""
    yield lambda: game_of("draughts")
    yield lambda: game.info.seats_of(99)
    yield lambda: game.info.read_options({"speed": "3"})
    for option in game.info.options:
        yield lambda option=option: option.read("maybe")  # type: ignore[misc]


def _refusals(game: AnyGame, step: Step, written: list[str]) -> Iterator[ActionError]:
    """Return refusals of texts before and after a step, for seats to move and others."""
    for position in (step.before, step.after):
        for seat in {step.seat, game.to_act(position) or step.seat}:
            for text in written:
                try:
                    game.read(text)
                    play_one(game, position, seat, text)
                    game.parse(position, text, seat)
                except ActionError as error:
                    yield error


def _around_the_board(diagram: Diagram, names: dict[str, str]) -> str:
    """Return what is painted around the board itself."""
    return paint(diagram, names, TOY).replace(paint_board(diagram), "")
