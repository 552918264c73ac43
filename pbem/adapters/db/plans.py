"""Plans of players for their matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, bindparam, delete, insert, select, update
from sqlmodel import Session, col

from pbem.adapters.db.session import attempt, run, table_of
from pbem.adapters.db.tables import PlanRow
from pbem.adapters.db.waiting import may_wait, note_waiting
from pbem.matches.match import PlayerId
from pbem.matches.plans import Ending, Plan, PlanLine, Step


class SqlPlans:
    """Plans in SQL. Satisfies the port Plans."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, plan: Plan) -> None:
        row = {
            "match_id": plan.match_id,
            "player_id": plan.player,
            "number": plan.number,
            "lines": [[[*step] for step in line] for line in plan.lines],
            "turn": plan.turn,
            "since": plan.since,
            "ended": plan.ended or "",
            "told": plan.told,
        }
        note_waiting(self._session, PlanRow, plan.match_id)
        attempt(self._session, ADD, row, f"plan {plan.number} exists, or its match does not")

    def in_match(self, match_id: int) -> Sequence[Plan]:
        if not may_wait(self._session, PlanRow, match_id):
            return []
        return [_plan(row) for row in run(self._session, IN_MATCH, {"its_match": match_id})]

    def of_player(self, player: PlayerId, match_id: int | None = None) -> Sequence[Plan]:
        theirs = ALL.where(col(PlanRow.player_id) == player)
        if match_id is not None:
            theirs = theirs.where(col(PlanRow.match_id) == match_id)
        return [_plan(row) for row in run(self._session, theirs)]

    def end(self, plan: Plan, ending: Ending, *, told: bool) -> None:
        active = update(PlanRow).where(*_this(plan), col(PlanRow.ended) == "")
        run(self._session, active.values(ended=ending, told=told))

    def told(self, match_id: int, player: PlayerId) -> None:
        run(self._session, TOLD, {"its_match": match_id, "its_player": player})

    def forget(self, plan: Plan) -> None:
        run(self._session, delete(PlanRow).where(*_this(plan)))


_ITS = col(PlanRow.match_id) == bindparam("its_match")
ADD = insert(PlanRow)
ALL = select(*table_of(PlanRow).c).order_by(
    col(PlanRow.match_id), col(PlanRow.player_id), col(PlanRow.number)
)
IN_MATCH = ALL.where(_ITS, ~col(PlanRow.told))
TOLD = (
    update(PlanRow)
    .where(_ITS, col(PlanRow.player_id) == bindparam("its_player"), col(PlanRow.ended) != "")
    .values(told=True)
)


def _this(plan: Plan) -> tuple[Any, ...]:
    return (
        col(PlanRow.match_id) == plan.match_id,
        col(PlanRow.player_id) == plan.player,
        col(PlanRow.number) == plan.number,
    )


def _plan(row: Row[Any]) -> Plan:
    return Plan(
        row.match_id,
        row.player_id,
        row.number,
        tuple(map(_line, row.lines)),
        row.turn,
        row.since,
        Ending(row.ended) if row.ended else None,
        row.told,
    )


def _line(stored: Sequence[Any]) -> PlanLine:
    return tuple(Step(own, tuple(texts), men) for own, texts, men in stored)
