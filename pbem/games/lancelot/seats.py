"""The seats of Lancelot, and what they are called."""

from __future__ import annotations

from pbem.games.api import Seat
from pbem.games.lancelot.words import phrase

SEATS: tuple[Seat, ...] = ("red", "blue", "yellow", "green", "violet")
SEAT_NAMES = {
    "red": phrase("seat.red"),
    "blue": phrase("seat.blue"),
    "yellow": phrase("seat.yellow"),
    "green": phrase("seat.green"),
    "violet": phrase("seat.violet"),
}
"""Inside a sentence."""
SEAT_TITLES = {
    "red": phrase("title.red"),
    "blue": phrase("title.blue"),
    "yellow": phrase("title.yellow"),
    "green": phrase("title.green"),
    "violet": phrase("title.violet"),
}
"""By themselves."""
