"""The words of Nine Men's Morris, in a file for each language beside this one."""

from pbem.games.phrases import Phrases

phrase = Phrases(__name__)
