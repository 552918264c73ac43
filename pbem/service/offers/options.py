"""Options: read the terms people write for a game, and explain what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from pbem.games import keys
from pbem.games.api import AnyGame, Option, OptionError
from pbem.matches.match import MatchOptions
from pbem.matches.match_options import CHOICES
from pbem.matches.offer_terms import Begins, OfferError
from pbem.matches.reliability import KEYS as CONDITIONS
from pbem.matches.terms import DRAW_OFFERS, place_of, read_options
from pbem.matches.time_controls import all_terms, words_alone
from pbem.matches.words import phrase

TERMS = ("as", "series", "players", "only", "met", "expires", "always", "for", *CONDITIONS)
"""Keys that look like options but are not the game's."""


def read_place(game: AnyGame, begins: Begins, players: int, text: str) -> int | None:
    """Return the place of entry for a seat. Raises OfferError."""
    if not text:
        return None
    if begins is Begins.SET:
        raise OfferError(phrase("terms.all-seats"))
    try:
        return place_of(game, players, text)
    except OptionError as error:
        raise OfferError(error.reason) from error


def options_from(
    words: Sequence[str], game: AnyGame, texts: Mapping[str, str], agreed: MatchOptions
) -> MatchOptions:
    """Return match options, with unnamed ones as agreed. Raises OfferError with help."""
    try:
        return read_options(game, texts, agreed)
    except OptionError as error:
        raise _wrong_option(words, game, texts, error) from error


def _wrong_option(
    words: Sequence[str], game: AnyGame, texts: Mapping[str, str], error: OptionError
) -> OfferError:
    known = {option.key: option for option in (*game.info.options, DRAW_OFFERS)}
    possible = [*known, *all_terms(), *CHOICES, *TERMS]
    strange = next((key for key in texts if key not in possible), None)
    if strange is not None:
        near = get_close_matches(strange, possible, 2, NEAR)
        candidates = [retyped(words, f"{strange}=", f"{key}=") for key in near]
        return OfferError(error.reason, candidates, tuple(known.values()))
    wrong = (known[key] for key in texts if key in known and not _reads(known[key], texts[key]))
    return OfferError(error.reason, (), tuple(wrong))


def _reads(option: Option, text: str) -> bool:
    try:
        option.read(text)
    except OptionError:
        return False
    return True


def read_number(texts: Mapping[str, str], key: str, usual: int, most: int) -> int:
    """Return a whole number from 1, or the usual one if none is given. Raises OfferError."""
    text = texts.get(key, str(usual))
    if not (text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= most):
        raise OfferError(phrase("terms.count", option=key, most=most, text=repr(text)))
    return int(text)


QUOTE = '"'
NEAR = 0.6
"""Least similarity, from 0 to 1, for a word to be suggested instead of another."""


def words_of(text: str) -> list[str]:
    """Split a line into words. A quoted text is one word, and so is `key="of two words"`."""
    parts = text.translate(_QUOTES).split(QUOTE)
    # Every second part is in quotation marks. Protect its spaces while splitting.
    kept = [part.replace(" ", "\0") if at % 2 else part for at, part in enumerate(parts)]
    return [word.replace("\0", " ") for word in "".join(kept).split()]


_QUOTES = dict.fromkeys(map(ord, "“”„‟«»″"), QUOTE)


def written(words: Sequence[str]) -> str:
    """Return words as a line that `words_of` reads back."""
    return " ".join(_quoted(word) for word in words)


def _quoted(word: str) -> str:
    if " " not in word:
        return word
    key, equals, value = word.partition("=")
    return f'{key}="{value}"' if equals else f'"{word}"'


def nearest_games(text: str) -> list[str]:
    """Return the keys of games similar to a word, nearest first."""
    wanted = text.casefold()
    begin_so = [key for key in keys() if key.startswith(wanted)] if len(wanted) > 2 else []
    return list(dict.fromkeys([*begin_so, *get_close_matches(wanted, keys(), 3, NEAR)]))


def names_a_game(text: str) -> bool:
    """Return whether a word of a line is similar to the name of a game, so it is not prose."""
    return any(nearest_games(word) for word in words_of(text))


def is_term(word: str) -> bool:
    """Return whether a word is a term: KEY=VALUE, or a single word such as `none`."""
    return "=" in word or word.casefold() in words_alone()


def retyped(words: Sequence[str], wrong: str, right: str) -> str:
    """Return a line with one word, or part of a word, corrected."""
    return written([word.replace(wrong, right) for word in words])
