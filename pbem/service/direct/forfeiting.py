"""Forfeiting: show who would win and lose before a director confirms a forfeit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.matches.match import Match
from pbem.service.direct.orders import Order, player_in
from pbem.service.work import Work

TEMPLATE = "forfeit"


def forfeit_shown(work: Work, order: Order, name: str, match: Match) -> Mapping[str, Any]:
    """Return who would win and who would lose too, as data of the template.

    Raises DecisionError or ActionError if the order is not possible.
    """
    player, result = player_in(work, match, name), order.change(work, match).match.result
    winners = result.winners if result is not None else ()
    won = dict.fromkeys(match.seats[seat] for seat in winners)
    lost = [each for each in match.players if result and each not in won and each != player.id]
    return {
        "line": order.line_for(work),
        "number": match.id,
        "player": player.name,
        "winners": [work.players.get(each).name for each in won],
        "partners": [work.players.get(each).name for each in lost],
        "reason": order.reason,
    }
