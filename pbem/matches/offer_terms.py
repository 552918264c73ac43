"""Terms of an offer, and the error for offers that cannot be made or answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from pbem.games import game_of, is_offered
from pbem.games.api import AnyGame, Option, OptionError
from pbem.games.missing import missing
from pbem.games.phrases import ENGLISH, Phrase
from pbem.matches.match import MatchOptions
from pbem.matches.words import phrase


class Begins(StrEnum):
    """Match or competition that an offer starts."""

    MATCH = "match"
    SERIES = "series"
    SET = "set"


def is_begun_whole(kind: str) -> bool:
    """Return whether an offer starts this kind as a whole. Of other kinds it repeats one match."""
    return kind in (Begins.SERIES, Begins.SET)


@dataclass(frozen=True)
class OfferTerms:
    """The game and terms to play."""

    game_key: str
    players: int
    options: MatchOptions
    begins: Begins = Begins.MATCH
    games: int = 0
    """Number of games in a series."""
    private: bool = False
    """Whether nobody else may ever read it."""

    @property
    def game(self) -> AnyGame:
        """The game, or a stand-in if it is not installed."""
        try:
            return game_of(self.game_key)
        except OptionError:
            return missing(self.game_key, 0, tuple((str(n + 1),) for n in range(self.players)))

    def require_offered(self) -> None:
        """Raise OfferError unless the club starts matches of the game."""
        if not is_offered(self.game_key):
            raise OfferError(phrase("offer.not-offered", game=self.game.info.title))


class OfferError(Exception):
    """Something that cannot be done with an offer, or to make one."""

    def __init__(
        self, reason: Phrase | str, candidates: Sequence[str] = (), options: Sequence[Option] = ()
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.candidates = tuple(candidates)
        """Complete texts that the player may have meant."""
        self.options = tuple(options)
        """Match options to explain to the player."""

    def __str__(self) -> str:
        meant = f"; did you mean: {', '.join(self.candidates)}?" if self.candidates else ""
        return f"{ENGLISH.text(self.reason)}{meant}"
