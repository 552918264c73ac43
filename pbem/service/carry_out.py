"""Carry out: the requests of a mail on its match, all or nothing, and what is stored of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from pbem.mail.incoming.commands import Found
from pbem.mail.incoming.requests import Requests
from pbem.mail.incoming.table import Proof, Table
from pbem.matches.match import Match, Player
from pbem.matches.outage import outage
from pbem.matches.record import written
from pbem.matches.score import TurnLine, turn_lines
from pbem.service.heartbeat import counted
from pbem.service.notify import report_flag, start_clock
from pbem.service.work import Work


def set_table(work: Work, player: Player, match: Match | None, proof: Proof | None) -> Table:
    """A match laid out for one player's requests."""
    if match is None:
        return Table(player, {player.id: player.name}, work.now, proof=proof)
    return Table(
        player=player,
        names={other: work.players.get(other).name for other in match.players},
        at=work.now,
        match_or_none=match,
        position=work.club.positions.of(work.matches, match),
        proof=proof,
        history=_history(work, match),
    )


def _history(work: Work, match: Match) -> Callable[[], Sequence[TurnLine]]:
    def lines() -> Sequence[TurnLine]:
        return turn_lines(match.game, tuple(match.seats), work.matches.recorded(match.id))

    return lines


def carry_out(table: Table, requests: Requests) -> Table:
    """Everything a mail asks for, in order.

    Raises Rejection, CommandError or an ActionError; then nothing of it counts.
    """
    for item in requests.items:
        if isinstance(item, Found):
            table = item.command.carry_out(table, item.argument)
        else:
            table = table.play(item)
    return table.close_turn()


def record(work: Work, before: Match, table: Table, received_at: datetime) -> Match:
    """Stores the actions and the match as they are after a mail; returns the match.

    An action's time is that of the mail's receipt: not before its turn began, not after now.
    """
    received_at = min(received_at, table.at)
    at = min(max(received_at, before.turn_started_at or received_at), table.at)
    turned = (table.match.turn, table.match.to_act) != (before.turn, before.to_act)
    due_at = _fallen_flag(work, before, received_at, table.at) if turned else None
    if due_at is not None:
        before = report_flag(work, before, due_at)
    match, actions, happenings = written(before, table.match, table.recorded, at)
    work.matches.append(before.id, actions, happenings)
    if turned:
        stopped = match.clock.stop(min(at, counted(work, table.at)))
        match = start_clock(work, replace(match, clock=stopped))
    work.matches.save(match)
    return match


def _fallen_flag(work: Work, match: Match, at: datetime, now: datetime) -> datetime | None:
    """When a flag fell that no sweep has judged before a late mail was read; None if none did."""
    due_at = match.clock.flag_at
    if due_at is None or at <= due_at:
        return None
    last_beat = work.service.last_beat()
    # An outage that no sweep has credited yet moves what was due after its beginning past now.
    ends_outage = outage(last_beat, now) is not None
    return None if ends_outage and last_beat is not None and due_at > last_beat else due_at
