"""`if`, `ahead`, `plans`, `cancel plan`, `cancel plans`, `publish plans`: turns written ahead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

from pbem.archive.site.values import Note, NoteKind
from pbem.commands.api import (
    Argument,
    Command,
    CommandContext,
    CommandResult,
    HelpGroup,
    Need,
    Scope,
    Section,
)
from pbem.games.diagram import Diagram
from pbem.games.phrases import Phrase
from pbem.mail.outgoing.kinds.refusals import MatchHasEnded, OldTurn, Refusal, RefusedError
from pbem.mail.outgoing.plan_view import PlanView, plan_view, with_boards
from pbem.matches.match import CommandError, Match
from pbem.matches.plan_check import CheckedLine, check_plan
from pbem.matches.plan_lines import PlanError
from pbem.matches.plans import (
    DRAW,
    RESIGN,
    Ending,
    Plan,
    PlanLine,
    branches,
    contradiction,
    turns_since,
    written,
)
from pbem.service.play.plans import ENDS_ALL
from pbem.service.play.talk import refresh_pages
from pbem.service.work import Work

MOST_IN_MATCH = 100
"""Lines of active plans that a member may have in a match."""
MOST_OF_MEMBER = 500
"""Lines of active plans that a member may have in all matches."""
MOST_ENDED = 20
"""Ended plans that are kept for each player of a match. Older ones are deleted."""


@dataclass(frozen=True)
class BadPlan(Refusal):
    """A line that cannot be part of a plan. `key` says why."""

    key: str
    line: str
    text: str = ""
    reason: Phrase | str = ""
    candidates: Sequence[str] = ()
    plan: int = 0
    """Number of an earlier plan that it contradicts."""


@dataclass(frozen=True)
class TooManyPlans(Refusal):
    """The email would make the plans of its sender too long."""

    lines: int
    """Lines that all their active plans would have."""
    most: int
    in_match: bool
    """Whether the limit is that of a match."""


@dataclass(frozen=True)
class NoPlan(Refusal):
    """There is no active plan with this number, or none at all."""

    number: int = 0
    ended: Ending | None = None
    """Why it ended, if it existed."""
    active: Sequence[int] = ()
    in_play: bool = False
    """Whether plans cannot be published because the match is not over."""


def _plan(asked: CommandContext) -> CommandResult:
    match, player = asked.match, asked.player.id
    if match.result is not None and asked.work.matches.get(match.id).result is None:
        return CommandResult()  # a turn above the plan ends the match
    _require_timely(asked)
    lines = [f"if {line.removeprefix('if ')}" for line in asked.arguments[0].split("\n")]
    try:
        checked = check_plan(
            match.game, match.position, tuple(match.seats), match.seats_of(player), lines
        )
    except PlanError as error:
        bad = BadPlan(error.key, error.line, error.text, error.reason, error.candidates)
        raise RefusedError(bad) from error
    before = _without_cancelled(asked, asked.work.plans.of_player(player))
    here = [plan for plan in before if plan.match_id == match.id]
    plan = Plan(
        match_id=match.id,
        player=player,
        number=max((each.number for each in here), default=0) + 1,
        lines=tuple(each.line for each in checked),
        turn=match.turn,
        since=match.actions,
    )
    _require_drawable(match, plan.lines)
    _require_room(before, plan)
    _require_agreement(asked, [each for each in here if each.ended is None], plan)
    final = any(line[-1].texts in (RESIGN, DRAW) for line in plan.lines)
    forgotten = [each for each in here if each.ended is not None][:-MOST_ENDED]
    section = Section("plan", {"plan": _with_boards(asked, plan, checked)})
    return CommandResult(
        sections=(section,), effects=(partial(_keep, plan=plan, instead=forgotten),), final=final
    )


def _without_cancelled(asked: CommandContext, plans: Sequence[Plan]) -> list[Plan]:
    """Return plans, of which those that the same email cancels have ended."""
    sections = asked.done.sections if asked.done else ()
    cancelled = {
        plan.number
        for section in sections
        if section.name == "plans_cancelled"
        for plan in section.data["plans"]
    }
    return [
        replace(plan, ended=Ending.CANCELLED)
        if plan.match_id == asked.match.id and plan.number in cancelled
        else plan
        for plan in plans
    ]


def _keep(work: Work, plan: Plan, instead: Sequence[Plan]) -> None:
    for each in instead:
        work.plans.forget(each)
    work.plans.add(plan)


def _require_timely(asked: CommandContext) -> None:
    """Raise RefusedError unless the plan can begin where its author believes it does."""
    match, proof = asked.match, asked.proof
    if match.result is not None:
        raise RefusedError(MatchHasEnded())
    stored = asked.work.matches.get(match.id)  # a turn above the plan may have changed the match
    if proof is not None and proof.turn != stored.token_turn:
        raise RefusedError(OldTurn(plan=True))
    confirmed, started = asked.counts_from != asked.came_at, stored.turn_started_at
    if confirmed and asked.came_at and started and started > asked.came_at:
        raise RefusedError(OldTurn(plan=True))  # its author meant an earlier turn
    events = asked.done.events if asked.done else ()
    if any(isinstance(each, ENDS_ALL) for each in events):
        raise RefusedError(BadPlan("ends_all", f"if {asked.arguments[0]}"))
    if match.player_to_act == asked.player.id:
        text = asked.arguments[0].split("\n")[0]
        raise RefusedError(BadPlan("your_turn_now", f"if {text}"))
    if match.has_resigned(asked.player.id):
        raise RefusedError(BadPlan("resigned", f"if {asked.arguments[0]}"))


def _require_drawable(match: Match, lines: Sequence[PlanLine]) -> None:
    if not match.options.draw_offers and any(line[-1].texts == DRAW for line in lines):
        raise CommandError("draw_not_allowed", "draw offers are not part of this match")


def _require_room(before: Sequence[Plan], plan: Plan) -> None:
    active = [each for each in before if each.ended is None]
    here = [each for each in active if each.match_id == plan.match_id]
    for plans, most in ((here, MOST_IN_MATCH), (active, MOST_OF_MEMBER)):
        lines = sum(len(each.lines) for each in (*plans, plan))
        if lines > most:
            raise RefusedError(TooManyPlans(lines, most, most == MOST_IN_MATCH))


def _require_agreement(asked: CommandContext, active: Sequence[Plan], plan: Plan) -> None:
    """Raise RefusedError if the plan contradicts an earlier one that stays active.

    A turn of the author in the same email ends all earlier plans.
    """
    match = asked.match
    if asked.work.matches.get(match.id).actions < match.actions:
        return
    since = min((each.since for each in active), default=match.actions)
    recorded = asked.work.matches.recorded(match.id, from_number=since + 1) if active else []
    for each in active:
        actions = (action for action in recorded if action.number > each.since)
        left = branches(each.lines, turns_since(match, plan.player, actions))
        if clash := contradiction(plan.lines, [branch.rest for branch in left]):
            one, other = map(written, clash)
            raise RefusedError(BadPlan("contradiction", one, other, plan=each.number))


def _with_boards(asked: CommandContext, plan: Plan, checked: Sequence[CheckedLine]) -> PlanView:
    match, seat = asked.match, asked.match.seats_of(plan.player)[0]
    boards: list[Diagram | None] = [
        None if each.position is None else match.game.diagram(each.position, seat)
        for each in checked
    ]
    return with_boards(plan_view(plan), boards, asked.work.club.club_renderer.words)


def ahead(asked: CommandContext, texts: Sequence[str]) -> str:
    """Return the line that plays actions as soon as it is the sender's turn.

    Empty if they could never be played.
    """
    match, text = asked.match, " ".join(texts)
    seats, line = match.seats_of(asked.player.id), f"if anything then {text}"
    if match.has_resigned(asked.player.id):
        return ""
    try:
        check_plan(match.game, match.position, tuple(match.seats), seats, [line])
    except PlanError:
        return ""
    return f"ahead {text}"


def _plans(asked: CommandContext) -> CommandResult:
    """List the active plans of a match or of all matches, and all plans of a match that is over."""
    match = asked.about
    plans = asked.work.plans.of_player(asked.player.id, match.id if match else None)
    if match is None or match.result is None:
        plans = [_left(asked.work, plan) for plan in plans if plan.ended is None]
    views = [plan_view(plan) for plan in plans]
    return CommandResult.answered(
        "plans",
        matches=[(number, list(some)) for number, some in groupby(views, lambda v: v.match_id)],
        over=match is not None and match.result is not None,
    )


def _left(work: Work, plan: Plan) -> Plan:
    """Return an active plan without what has been played, and the lines that no longer apply."""
    actions = work.matches.recorded(plan.match_id, from_number=plan.since + 1)
    turns = turns_since(work.matches.get(plan.match_id), plan.player, actions)
    rest = dict.fromkeys(branch.rest for branch in branches(plan.lines, turns) if branch.rest)
    return replace(plan, lines=tuple(rest))


def _cancel(asked: CommandContext) -> CommandResult:
    number = int(asked.arguments[0].lstrip("#"))
    plans = asked.work.plans.of_player(asked.player.id, asked.match.id)
    active = [plan for plan in plans if plan.ended is None]
    found = [plan for plan in active if plan.number == number]
    if not found:
        ended = next((plan.ended for plan in plans if plan.number == number), None)
        raise RefusedError(NoPlan(number, ended, [plan.number for plan in active]))
    return _cancelled(found, [plan for plan in active if plan.number != number])


def _cancel_all(asked: CommandContext) -> CommandResult:
    plans = asked.work.plans.of_player(asked.player.id, asked.match.id)
    active = [plan for plan in plans if plan.ended is None]
    if not active:
        raise RefusedError(NoPlan())
    return _cancelled(active)


def _cancelled(plans: Sequence[Plan], left: Sequence[Plan] = ()) -> CommandResult:
    def write(work: Work) -> None:
        for plan in plans:
            work.plans.end(plan, Ending.CANCELLED, told=True)

    section = Section(
        "plans_cancelled", {"plans": [*map(plan_view, plans)], "left": [*map(plan_view, left)]}
    )
    return CommandResult(sections=(section,), effects=(write,))


def _publish(asked: CommandContext) -> CommandResult:
    """Add the plans of a match that is over to its notes, which everyone may read."""
    if asked.match.result is None:
        raise RefusedError(NoPlan(in_play=True))
    plans = asked.work.plans.of_player(asked.player.id, asked.match.id)
    if not plans:
        raise RefusedError(NoPlan())

    def write(work: Work) -> None:
        author = asked.player.id
        known = {(note.turn, note.author, note.text) for note in work.notes.of(asked.match.id)}
        for turn, text in _texts(plans):
            if (turn, author, text) not in known:
                note = Note(turn, author, text, work.now, NoteKind.PLAN)
                work.notes.add(asked.match.id, note)
        refresh_pages(work, asked.match.id)

    views = [plan_view(plan) for plan in plans]
    return CommandResult(sections=(Section("plans_published", {"plans": views}),), effects=(write,))


def _texts(plans: Sequence[Plan]) -> Iterator[tuple[int, str]]:
    for plan in plans:
        yield plan.turn, "\n".join(map(written, plan.lines))


PLAN = Command(
    "if",
    "plan your answer to what the others may play: if THEIR TURN then YOUR TURN",
    _plan,
    need=Need.ANY,
    # Only a line that names an action of the game is a plan. Any other is a note.
    arguments=(
        Argument(
            "plan",
            rest=True,
            fits=lambda text: False,
            help="turns of others, `then`, and your turn: [31-N] then [35-25]",
        ),
    ),
)
COMMANDS = (
    PLAN,
    Command(
        "ahead",
        "have a turn played as soon as it is yours, whatever the others do",
        _plan,
        need=Need.ANY,
        arguments=(
            Argument("turn", rest=True, fits=lambda text: False, help="your turn, such as [31-N]"),
        ),
    ),
    Command("plans", "list your plans", _plans, Scope.EITHER, group=HelpGroup.LOOK),
    Command(
        "cancel plan",
        "end one of your plans",
        _cancel,
        need=Need.ANY,
        arguments=(Argument("number", number=True, help="the number of a plan, such as 2"),),
    ),
    Command("cancel plans", "end all your plans for the match", _cancel_all, need=Need.ANY),
    Command(
        "publish plans",
        "after a match, let everyone read the plans that you had",
        _publish,
        need=Need.ANY,
    ),
)
