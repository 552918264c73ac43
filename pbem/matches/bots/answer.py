"""A bot's answer in a match, line by line."""

from __future__ import annotations

from pbem.matches.bots.thinking import Bot, Scene, Thinking
from pbem.matches.director_actions import needs_consent
from pbem.matches.match import Match, MatchSummary, OfferKind, PlayerId

MOST_ACTIONS = 200
"""Maximum number of actions in one email. No turn of any game is nearly that long."""


def is_asked(match: MatchSummary, player: PlayerId) -> bool:
    """Return whether it is a player's turn, or they may have an offer to answer."""
    return match.player_to_act == player or any(
        player != offer.by
        and player not in offer.accepted
        and (offer.asked is None or player in offer.asked)
        for offer in match.offers
    )


def _is_asked(match: Match, player: PlayerId, kind: OfferKind) -> bool:
    offer = match.offer(kind)
    return offer is not None and player in match.unanswered(offer)


def _agrees(match: Match, player: PlayerId, kind: OfferKind) -> bool:
    """Return whether a bot agrees. In a competition, or for an absent person, it never does.

    It lets nobody abandon a match that they may be losing.
    """
    stands_in = any(match.seats[seat] == player for seat in match.hands.kept_for)
    if match.place is not None or stands_in:
        return False
    return kind is OfferKind.TAKEBACK or not needs_consent(match)


def answer(match: Match, player: PlayerId, bot: Bot, thinking: Thinking) -> list[str]:
    """Return a bot's answer as lines, empty if it has nothing to say. Raises Interrupted.

    A bot does not resign for a partner, who may still want to play.
    """
    scene, seat = Scene(match.game, match.player_count, match.position), match.seat_for(player)
    declined = list[str]()
    for kind in (OfferKind.TAKEBACK, OfferKind.ABANDON):
        if _is_asked(match, player, kind):
            if _agrees(match, player, kind):
                return [str(kind)]
            declined.append(f"no {kind}")
    offered = _is_asked(match, player, OfferKind.DRAW)
    takes = bot.takes_draw(scene, seat, thinking) if offered else None
    if takes:
        return ["draw"]
    if takes is not None:
        declined.append("no draw")
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
