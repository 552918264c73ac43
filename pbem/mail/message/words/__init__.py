"""Phrases about problems with a received email, one file per language in this folder."""

from pbem.games.phrases import Phrases

phrase = Phrases(__name__)
