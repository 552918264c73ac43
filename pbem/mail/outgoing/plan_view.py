"""Plan view: a plan as its author is shown it, with a small board for each leaf."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pbem.games.diagram import Diagram
from pbem.games.phrases import Words
from pbem.games.text_diagram import paint_board
from pbem.mail.outgoing.typeset.board import small
from pbem.mail.outgoing.typeset.page import Figure
from pbem.matches.plans import Plan, written

MOST_TABLES = 4
"""Boards drawn as tables in one email. Further ones are in characters, so it stays short."""
MOST_BOARDS = 20
"""Boards in one email."""


class ShownLine(NamedTuple):
    """A line of a plan."""

    text: str
    board: Figure | None = None
    """The board after it, None if that depends on turns that the line leaves open."""


class PlanView(NamedTuple):
    """A plan for a template."""

    number: int
    match_id: int
    turn: int
    """The turn in which it was sent."""
    lines: Sequence[ShownLine]
    ended: str = ""
    """Why it ended. Empty if it is active."""


def plan_view(plan: Plan) -> PlanView:
    """Return a stored plan without boards."""
    lines = [ShownLine(written(line)) for line in plan.lines]
    return PlanView(plan.number, plan.match_id, plan.turn, lines, plan.ended or "")


def with_boards(plan: PlanView, boards: Sequence[Diagram | None], words: Words) -> PlanView:
    """Return a plan with the boards at its leaves."""
    known = [at for at, diagram in enumerate(boards) if diagram is not None][:MOST_BOARDS]
    return plan._replace(
        lines=[
            line._replace(board=_figure(diagram, words, in_table=at in known[:MOST_TABLES]))
            if diagram is not None and at in known
            else line
            for at, (line, diagram) in enumerate(zip(plan.lines, boards, strict=True))
        ]
    )


def _figure(diagram: Diagram, words: Words, *, in_table: bool) -> Figure:
    return Figure(
        paint_board(diagram).rstrip("\n"),
        lambda page: small(diagram, words, page.board if in_table else "ascii"),
    )
