"""Options: what is agreed for a game, as people write it, and the help where that is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from pbem.games.api import AnyGame, Option, OptionError
from pbem.matches.choices import CHOICES
from pbem.matches.match import MatchOptions
from pbem.matches.offer_terms import Begins, OfferError
from pbem.matches.terms import DRAW_OFFERS, place_of, read_options
from pbem.matches.time_controls import all_terms
from pbem.matches.words import phrase
from pbem.service.tables.words import NEAR, retyped

TERMS = ("as", "series", "players", "only", "met", "expires")
"""What is written like an option, and is none of the game."""


def read_place(game: AnyGame, begins: Begins, players: int, text: str) -> int | None:
    """The place of entry that a seat stands for; raises OfferError."""
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
    """Match options, the rest as agreed; raises OfferError with the help of what is wrong."""
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
    """A whole number from 1, the usual one where there is none; raises OfferError."""
    text = texts.get(key, str(usual))
    if not (text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= most):
        raise OfferError(phrase("terms.count", option=key, most=most, text=repr(text)))
    return int(text)
