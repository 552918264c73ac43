"""Phrases about the club itself. Their words are next to this file, one file per language."""

from pbem.games.phrases import Phrases

phrase = Phrases(__name__)
