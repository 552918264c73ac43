"""Reading: read what somebody wants to play from the words of their command.

`anna "Bert B" lanrick-1893 days=3 series=4 as=black private`: names, a game, and options, either as
KEY=VALUE or as a single word such as `none` for no clock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from pbem.games import game_of, keys, offered
from pbem.games.api import AnyGame
from pbem.games.lenient_text import undressed
from pbem.matches.bots import bots
from pbem.matches.offer_terms import Begins, OfferError, OfferTerms
from pbem.matches.terms import usual_options
from pbem.matches.time_controls import words_alone
from pbem.matches.words import phrase
from pbem.service.offers.options import (
    TERMS,
    nearest_games,
    options_from,
    read_number,
    read_place,
    retyped,
)

FLAGS = ("private", "unrated")
ALWAYS = "always"
"""Alone, or as `always=3`."""
FILLERS = ("and", "vs", "with")
"""Words that people put between names."""
USUAL_GAMES = 2
"""Games in a series, so that each player begins one."""
MOST_GAMES = 100


@dataclass(frozen=True)
class Wanted:
    """A request for an offer. Names have not been looked up yet."""

    words: tuple[str, ...]
    names: tuple[str, ...]
    game: AnyGame
    begins: Begins = Begins.MATCH
    options: Mapping[str, str] = field(default_factory=dict)
    """Texts of the match options, by key."""
    terms: Mapping[str, str] = field(default_factory=dict)
    """Texts of other terms, by key."""
    private: bool = False
    unrated: bool = False

    def terms_for(self, players: int) -> OfferTerms:
        """Return the terms of an offer for that many players. Raises OfferError."""
        usual = replace(usual_options(self.game), unrated=self.unrated)
        options = options_from(self.words, self.game, self.options, usual)
        games = read_number(self.terms, "series", USUAL_GAMES, MOST_GAMES)
        series = self.begins is Begins.SERIES
        key = self.game.info.key
        return OfferTerms(key, players, options, self.begins, games if series else 0, self.private)

    def place(self, players: int) -> int | None:
        """Return the asker's place in the order of entry. Raises OfferError."""
        return read_place(self.game, self.begins, players, self.terms.get("as", ""))


def read_wanted(words: Sequence[str]) -> Wanted:
    """Read what the words of a line ask for. Raises OfferError."""
    words = _joined(words)
    pairs = dict(word.split("=", 1) for word in words if "=" in word)
    pairs = {key.strip().casefold(): value.strip() for key, value in pairs.items()}
    if "games" in pairs:
        pairs["series"] = pairs.pop("games")
    bare = [word for each in words if "=" not in each for word in _parted(each)]
    flags = {word.casefold() for word in bare} & set(FLAGS)
    pairs |= dict.fromkeys(words_alone().intersection(map(str.casefold, bare)), "")
    if ALWAYS in map(str.casefold, bare):
        pairs.setdefault(ALWAYS, "")
    said = {*FLAGS, *FILLERS, *words_alone(), ALWAYS}
    bare = [word for word in bare if word.casefold() not in said]
    game, begins, names = _game_among(words, bare)
    if "series" in pairs and begins is Begins.MATCH:
        begins = Begins.SERIES
    return Wanted(
        words=tuple(words),
        names=tuple(names),
        game=game,
        begins=begins,
        options={key: value for key, value in pairs.items() if key not in TERMS},
        terms={key: value for key, value in pairs.items() if key in TERMS},
        private="private" in flags,
        unrated="unrated" in flags,
    )


def _joined(words: Sequence[str]) -> list[str]:
    """Join games and bots written without their hyphen: `lanko 68`, `bot greedy`."""
    whole, joined = {*keys(), *(f"bot-{kind}" for kind in bots())}, list[str]()
    for word in words:
        both = f"{joined[-1]}-{word}" if joined else ""
        if both.casefold() in whole:
            joined[-1] = both
        else:
            joined.append(word)
    return joined


def _parted(word: str) -> list[str]:
    """Split names at commas."""
    return [part.strip() for part in undressed(word).split(",") if part.strip()]


def _game_among(words: Sequence[str], bare: Sequence[str]) -> tuple[AnyGame, Begins, list[str]]:
    """Return the game, what to start, and the rest as names."""
    at = next((i for i, word in enumerate(bare) if word.casefold() in keys()), None)
    if at is None:
        raise _no_game(words, bare)
    for beside in (at - 1, at + 1):
        kind = bare[beside].casefold() if 0 <= beside < len(bare) else ""
        if kind in (Begins.SET, Begins.SERIES):
            names = [word for i, word in enumerate(bare) if i not in (at, beside)]
            return game_of(bare[at]), Begins(kind), names
    return game_of(bare[at]), Begins.MATCH, [*bare[:at], *bare[at + 1 :]]


def _no_game(words: Sequence[str], bare: Sequence[str]) -> OfferError:
    """Return the error for words without a game, suggesting games for the last similar word."""
    like = {word: near for word in bare if (near := nearest_games(word))}
    games = phrase("list.items", items=tuple(game.info.key for game in offered()))
    if not like:
        return OfferError(phrase("offer.which-game", games=games))
    wrong = list(like)[-1]
    reason = phrase("offer.no-game", name=repr(wrong), games=games)
    return OfferError(reason, [retyped(words, wrong, key) for key in like[wrong]])
