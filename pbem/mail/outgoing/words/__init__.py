"""What only letters in HTML say, on links to tap and of pictures; one file a language."""

from pbem.games.phrases import Phrases

phrase = Phrases(__name__)
