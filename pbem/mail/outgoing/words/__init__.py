"""What stands on and above links to tap; the words stand beside this file, one file a language."""

from pbem.games.phrases import Phrases

phrase = Phrases(__name__)
