"""`mails`: how many of the mails of a match its player gets, in general and for one match."""

from __future__ import annotations

from dataclasses import replace

from pbem.matches.match import MatchSummary, Player
from pbem.settings import Setting, one_of

TURN, ALL, USUAL = "turn", "all", "usual"
CHOICES = (TURN, ALL, USUAL)
MANY_PLAYERS = 3
"""From so many on a match sends most of its players mails with which there is nothing to do."""


SETTING = Setting(
    "mails",
    "which emails of your matches you get: turn (those that need an answer), all, or usual "
    "(turn with three or more players, otherwise all)",
    USUAL,
    one_of(*CHOICES),
)


def key_for(match_id: int) -> str:
    """Under which key the choice for one match is stored."""
    return f"{SETTING.key} {match_id}"


def chosen(player: Player, match: MatchSummary) -> str:
    """Which mails of a match a player gets: `turn` or `all`."""
    for choice in (player.settings.get(key_for(match.id), USUAL), SETTING.of(player)):
        if choice != USUAL:
            return choice
    return TURN if len(match.players) >= MANY_PLAYERS else ALL


def with_choice(player: Player, match_id: int, choice: str) -> Player:
    """The player as they are after a choice for one match."""
    return replace(player, settings={**player.settings, key_for(match_id): choice})
