"""Phrases that only HTML parts use, in links and pictures, one file per language."""

from pbem.games.phrases import Phrases

phrase = Phrases(__name__)
