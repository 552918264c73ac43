"""Chess's words, in one file per language beside this one."""

from pbem.games.phrases import Phrases

phrase = Phrases(__name__)
