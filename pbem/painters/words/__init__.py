"""What is said of a picture; the words stand beside this file, one file a language."""

from pbem.games.phrases import Phrases

phrase = Phrases(__name__)
