"""What Nim says. The texts are beside this file, one file per language."""

from pbem.games.phrases import Phrases

phrase = Phrases(__name__)
