"""A bot's answer in a match, line by line."""

from __future__ import annotations

from pbem.matches.bots.thinking import Bot, Scene, Thinking
from pbem.matches.match import Match, MatchSummary, PlayerId

MOST_ACTIONS = 200
"""Maximum number of actions in one email. No turn of any game is nearly that long."""


def is_asked(match: MatchSummary, player: PlayerId) -> bool:
    """Return whether it is a player's turn, or they were offered a draw."""
    return match.player_to_act == player or _is_offered_draw(match, player)


def _is_offered_draw(match: MatchSummary, player: PlayerId) -> bool:
    offer = match.offer
    return offer is not None and player != offer.by and player not in offer.accepted


def answer(match: Match, player: PlayerId, bot: Bot, thinking: Thinking) -> list[str]:
    """Return a bot's answer as lines, empty if it has nothing to say. Raises Interrupted.

    A bot does not resign for a partner, who may still want to play.
    """
    scene, seat = Scene(match.game, match.player_count, match.position), match.seat_for(player)
    offered = _is_offered_draw(match, player) and player in match.asked
    takes = bot.takes_draw(scene, seat, thinking) if offered else None
    if takes:
        return ["draw"]
    declined = [] if takes is None else ["no draw"]
    if match.player_to_act != player:
        return declined
    if match.side_of(player) == (player,) and bot.gives_up(scene, seat, thinking):
        return ["resign"]
    return [*declined, *turn(scene, bot, thinking)]


def turn(scene: Scene, bot: Bot, thinking: Thinking) -> list[str]:
    """Return a whole turn as text, until it is another seat's turn or the match has ended."""
    seat, texts = scene.seat, list[str]()
    while seat is not None and scene.seat == seat and len(texts) < MOST_ACTIONS:
        action = bot.action(scene, thinking)
        texts.append(scene.game.format(scene.position, action))
        scene = scene.after(action)
    return texts
