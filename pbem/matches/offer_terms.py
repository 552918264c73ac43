"""Terms of an offer: what is to be played; and why no offer can be made or answered so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from pbem.games import game_of
from pbem.games.api import AnyGame, Option
from pbem.games.phrases import ENGLISH, Phrase
from pbem.matches.match import MatchOptions


class Begins(StrEnum):
    """What an offer begins."""

    MATCH = "match"
    SERIES = "series"
    SET = "set"


def is_begun_whole(kind: str) -> bool:
    """Whether an offer begins a competition of that kind; of others a match is played again."""
    return kind in (Begins.SERIES, Begins.SET)


@dataclass(frozen=True)
class OfferTerms:
    """What is to be played."""

    game_key: str
    players: int
    options: MatchOptions
    begins: Begins = Begins.MATCH
    games: int = 0
    """Of a series."""
    private: bool = False
    """Whether nobody else may ever read it."""

    @property
    def game(self) -> AnyGame:
        """The game."""
        return game_of(self.game_key)


class OfferError(Exception):
    """Something that cannot be done with an offer, or to make one."""

    def __init__(
        self, reason: Phrase | str, candidates: Sequence[str] = (), options: Sequence[Option] = ()
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.candidates = tuple(candidates)
        """What may have been meant, each written as a whole."""
        self.options = tuple(options)
        """Match options whose help is wanted."""

    def __str__(self) -> str:
        meant = f"; did you mean: {', '.join(self.candidates)}?" if self.candidates else ""
        return f"{ENGLISH.text(self.reason)}{meant}"
