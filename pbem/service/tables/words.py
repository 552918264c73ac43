"""Words of a line in which somebody asks for a game: names, the game, options as KEY=VALUE."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from pbem.games import keys
from pbem.matches.time_controls import words_alone

QUOTE = '"'
NEAR = 0.6
"""How alike two words are of which one may have been meant, from 0 to 1."""


def words_of(text: str) -> list[str]:
    """Words of a line; what stands in quotation marks is one, and so is `key="of two words"`."""
    parts = text.translate(_QUOTES).split(QUOTE)
    # Every second part stands in quotation marks; inside, spaces are kept apart for a while.
    kept = [part.replace(" ", "\0") if at % 2 else part for at, part in enumerate(parts)]
    return [word.replace("\0", " ") for word in "".join(kept).split()]


_QUOTES = dict.fromkeys(map(ord, "“”„‟«»″"), QUOTE)


def written(words: Sequence[str]) -> str:
    """Words as a line that `words_of` reads back."""
    return " ".join(_quoted(word) for word in words)


def _quoted(word: str) -> str:
    if " " not in word:
        return word
    key, equals, value = word.partition("=")
    return f'{key}="{value}"' if equals else f'"{word}"'


def nearest_games(text: str) -> list[str]:
    """Keys of the games that a word is like, the nearest first."""
    wanted = text.casefold()
    begin_so = [key for key in keys() if key.startswith(wanted)] if len(wanted) > 2 else []
    return list(dict.fromkeys([*begin_so, *get_close_matches(wanted, keys(), 3, NEAR)]))


def names_a_game(text: str) -> bool:
    """Whether a word of a line is the name of a game, or like one: then it is no prose."""
    return any(nearest_games(word) for word in words_of(text))


def is_term(word: str) -> bool:
    """Whether it is something agreed: KEY=VALUE, or a word alone such as `none`."""
    return "=" in word or word.casefold() in words_alone()


def retyped(words: Sequence[str], wrong: str, right: str) -> str:
    """A line with one word, or one part of a word, put right."""
    return written([word.replace(wrong, right) for word in words])
