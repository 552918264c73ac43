"""The seats of both rules of Lanrick, and what they are called."""

from __future__ import annotations

from pbem.games.lanrick.words import phrase

SEAT_NAMES = {
    "white": phrase("seat.white"),
    "yellow": phrase("seat.yellow"),
    "black": phrase("seat.black"),
}
"""Inside a sentence."""
SEAT_TITLES = {
    "white": phrase("title.white"),
    "yellow": phrase("title.yellow"),
    "black": phrase("title.black"),
}
"""By themselves."""
