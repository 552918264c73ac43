"""Who has ever played in which matches: a director may have replaced them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import CompoundSelect, and_, or_, select, text, union
from sqlmodel import col

from pbem.adapters.db.tables import SUCCESSION, HappeningRow, SeatRow
from pbem.matches.match import PlayerId


def ever_played(player: PlayerId) -> CompoundSelect[Any]:
    """Ids of the matches where somebody holds a seat, or held one."""
    holds = select(col(SeatRow.match_id)).where(col(SeatRow.player_id) == player)
    told = col(HappeningRow.text)
    named = or_(told.startswith(f"{player} "), told.endswith(f" {player}"))
    held = select(col(HappeningRow.match_id)).where(and_(text(SUCCESSION), named))
    return union(holds, held)
