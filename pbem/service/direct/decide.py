"""Decide: carry out a director's order, log it, and notify the players."""

from __future__ import annotations

from typing import NamedTuple

from pbem.mail.outgoing.kinds import DirectorDecided, HandedOver
from pbem.matches.decision import Replaced, Undone
from pbem.matches.director_actions import DecisionError
from pbem.matches.match import Match, Player, PlayerId
from pbem.matches.player_actions import Change
from pbem.matches.seat_holders import Audience
from pbem.matches.words import phrase
from pbem.ports.play import LoggedDecision
from pbem.service.direct.orders import Order, player_in, with_names
from pbem.service.people import directors, names_in
from pbem.service.play.change import apply, give_up, tell
from pbem.service.play.notices import News
from pbem.service.post.post import post
from pbem.service.takeovers.vacancies import offer_to_substitutes, require_vacatable
from pbem.service.work import Work


class Director(NamedTuple):
    """The person who decides: a member with the role, or an operator on the command line."""

    player: PlayerId | None = None


SHELL = Director()


def decide(work: Work, order: Order, by: Director) -> Match:
    """Carry out an order. Return the match after it. Raises DecisionError or ActionError."""
    done = _applied(work, order)
    log(work, by, order.line, order.reason, order.match)
    tell_others(work, by, order.line_for(work), order.reason)
    return _reported(work, done)


def carry_out(work: Work, order: Order) -> Match:
    """Do the same without a log entry or emails to directors, for an order that is part of more."""
    return _reported(work, _applied(work, order))


class _Done(NamedTuple):
    before: Match
    change: Change
    match: Match


def _applied(work: Work, order: Order) -> _Done:
    before = work.lock_match(order.match)
    change = order.change(work, before)
    return _Done(before, change, apply(work, before, change, work.now))


def _reported(work: Work, done: _Done) -> Match:
    """Notify the players. Former members who would play again resign."""
    gone = _gone(work, done.match, done.change)
    if gone:
        return give_up(work, done.match, gone, done.change.events)
    return _tell(work, done.before, done.match, done.change)


def log(work: Work, by: Director, line: str, reason: str, match: int | None = None) -> None:
    """Log who decided what, when and why."""
    work.decisions.add(LoggedDecision(work.now, by.player, match, line, reason))


def tell_others(work: Work, by: Director, line: str, reason: str) -> None:
    """Tell the other directors of a decision, so that none of them decides again.

    This becomes their newest email, so a reply to an earlier report no longer decides anything.
    """
    name = "" if by.player is None else work.players.get(by.player).name
    for director in directors(work):
        if director.id != by.player:
            post(work, DirectorDecided(name, line, reason, by_mail=True), director)


def _gone(work: Work, match: Match, change: Change) -> list[Player]:
    """Return former members who would play again because their resignation was taken back."""
    if not any(isinstance(event, Undone) for event in change.events):
        return []
    players = map(work.players.get, match.players)
    return [each for each in players if each.former and not match.has_resigned(each.id)]


def _tell(work: Work, before: Match, match: Match, change: Change) -> Match:
    """Tell the players, and anyone whose seat a substitute has taken. Return the match after it."""
    match = tell(work, News(match, events=change.events), before.place)
    for event in change.events:
        if isinstance(event, Replaced):
            whose = before.hands.kept_for.get(event.seat, event.player)
            leaver, successor = map(work.players.get, (whose, event.successor))
            name = names_in(work, match)[successor.id]
            post(work, HandedOver(match.id, leaver.name, name, event.reason), leaver)
    return match


def vacate(work: Work, number: int, name: str, reason: str, by: Director) -> str:
    """Offer a player's seats to substitutes. Return the log line, with names.

    Raises DecisionError.
    """
    match = work.lock_match(number)
    player = player_in(work, match, name)
    require_vacatable(match)
    if Audience.SUBSTITUTES in map(match.hands.offered.get, match.seats_of(player.id)):
        raise DecisionError(phrase("hands.offered", match=number))
    offer_to_substitutes(work, match, player, reason)
    line = f"vacate {number} {{{player.id}}}"
    log(work, by, line, reason, number)
    tell_others(work, by, with_names(work, line), reason)
    return with_names(work, line)
