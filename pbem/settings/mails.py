"""`mails`: which emails about matches a player gets, in general and for one match."""

from __future__ import annotations

from dataclasses import replace

from pbem.matches.match import MatchSummary, Player
from pbem.settings import Setting, one_of

TURN, ALL, USUAL = "turn", "all", "usual"
CHOICES = (TURN, ALL, USUAL)
MANY_PLAYERS = 3
"""Number of players from which most emails of a match need no answer from the reader."""


SETTING = Setting(
    "mails",
    "which emails of your matches you get: turn (those that need an answer), all, or usual "
    "(turn with three or more players, otherwise all)",
    USUAL,
    one_of(*CHOICES),
)


def key_for(match_id: int) -> str:
    """Return the key of the choice for one match."""
    return f"{SETTING.key} {match_id}"


def chosen(player: Player, match: MatchSummary) -> str:
    """Return which emails about a match a player gets: `turn` or `all`."""
    for choice in (player.settings.get(key_for(match.id), USUAL), SETTING.of(player)):
        if choice != USUAL:
            return choice
    return TURN if len(match.players) >= MANY_PLAYERS else ALL


def with_choice(player: Player, match_id: int, choice: str) -> Player:
    """Return the player with a choice for one match."""
    return replace(player, settings={**player.settings, key_for(match_id): choice})
