"""Phrases of all games. Their words are next to this file, one file per language."""

from pbem.games.phrases import Phrases

phrase = Phrases(__name__)

__all__ = ["phrase"]
