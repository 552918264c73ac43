"""Competing: what directors decide about announced competitions, with its log entries."""

from __future__ import annotations

from pbem.games.phrases import Phrase
from pbem.matches.announcement import OPEN, Phase
from pbem.matches.competition import Competition
from pbem.matches.match import Player
from pbem.matches.offer_terms import OfferError
from pbem.matches.words import phrase
from pbem.service.clocks.calendars import store
from pbem.service.competitions import running
from pbem.service.competitions.announcing import announce as announce_to_members
from pbem.service.competitions.entering import (
    announced,
    announcement_of,
    enter,
    known,
    withdraw,
)
from pbem.service.direct.decide import Director, carry_out, log, tell_others
from pbem.service.direct.orders import forfeiture, member_named, with_names
from pbem.service.post.competition_news import tell
from pbem.service.work import Work


def announce(work: Work, of: Competition, by: Director) -> Competition:
    """Announce a competition to the members. Return it."""
    stored = announce_to_members(work, of)
    line = f"competition new {stored.kind} {stored.game_key}: {stored.number}"
    log(work, by, line, "")
    tell_others(work, by, line, "")
    return stored


def start_now(work: Work, number: int, by: Director) -> str:
    """Start a competition before entry ends. Return the log line. Raises OfferError."""
    running.start(work, require_startable(work, number))
    return _logged(work, by, f"competition start {number}", "")


def require_startable(work: Work, number: int) -> Competition:
    """Lock and return a competition that can start now. Raises OfferError."""
    of = require_phase(work, number, Phase.ENTRY)
    few = running.too_few(of)
    if few is not None:
        raise OfferError(few)
    return of


def call_off(work: Work, number: int, reason: str, by: Director) -> str:
    """Call a competition off. Matches in play continue. Return the log line. Raises OfferError."""
    of = require_phase(work, number, *OPEN)
    why: Phrase | str = reason or phrase("entry.no-reason")
    running.call_off(work, of, why)
    return _logged(work, by, f"competition off {number}", reason)


def close(work: Work, number: int, by: Director) -> str:
    """Close a ladder or an open house. Return the log line. Raises OfferError."""
    closed = closed_by_director(work, number)
    store(work, closed)
    running.proceed(work, closed)
    return _logged(work, by, f"competition close {number}", "")


def closed_by_director(work: Work, number: int) -> Competition:
    """Return a locked competition after it was closed. Raises OfferError if it cannot be."""
    closed = require_phase(work, number, Phase.RUNNING).closed_now()
    if closed is None:
        raise OfferError(phrase("entry.closes-not", number=number))
    return closed


def enter_member(work: Work, number: int, name: str, by: Director) -> str:
    """Enter a member. Return the log line. Raises OfferError or DecisionError."""
    player = member_named(work, name)
    change = enter(work, player, known(work, number))
    running.carry_out(work, change)
    tell(work, change.after, [player.id], "entered")
    waits = ": waiting list" if player.id in announcement_of(change.after).waiting else ""
    return _logged(work, by, f"competition enter {number} {{{player.id}}}{waits}", "")


def withdraw_member(work: Work, number: int, name: str, reason: str, by: Director) -> str:
    """Withdraw a member, who forfeits the matches that they play in it. Return the log line.

    Raises OfferError or DecisionError.
    """
    player = member_named(work, name)
    # Matches are locked before their competition, as when a match ends.
    running_now = running_matches(work, number, player)
    for match in running_now:
        work.matches.lock(match)
    change = withdraw(work, player.id, known(work, number))
    running.carry_out(work, change)
    for match in running_now:
        if work.matches.get(match).result is None:
            carry_out(work, forfeiture(work, match, player.name, reason))
    tell(work, change.after, [player.id], "withdrawn", reason)
    return _logged(work, by, f"competition withdraw {number} {{{player.id}}}", reason)


def running_matches(work: Work, number: int, player: Player) -> list[int]:
    """Return the matches that a member plays in a competition. Raises OfferError."""
    matches = work.matches.of_competition(announced(work, number).id)
    return [each.id for each in matches if each.result is None and player.id in each.players]


def require_phase(work: Work, number: int, *phases: Phase) -> Competition:
    """Lock and return a competition in one of some phases. Raises OfferError."""
    of = known(work, number)
    phase = announcement_of(of).phase
    if phase not in phases:
        waits = phase is Phase.ENTRY
        raise OfferError(
            phrase("entry.not-running", number=number)
            if waits
            else phrase("entry.over", number=number)
            if phase not in OPEN
            else phrase("entry.has-started", number=number)
        )
    return of


def _logged(work: Work, by: Director, line: str, reason: str) -> str:
    log(work, by, line, reason)
    tell_others(work, by, with_names(work, line), reason)
    return with_names(work, line)
