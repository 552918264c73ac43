"""`competition new`, `start`, `off`, `close` …: directors announce and direct competitions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from pbem.commands.api import (
    Argument,
    Command,
    CommandContext,
    CommandResult,
    Giver,
    Need,
    Scope,
    Section,
)
from pbem.commands.api.offering import refusals
from pbem.commands.competitions import NUMBER, SURE, numbered
from pbem.commands.direct import CannotDecide, split_member
from pbem.mail.outgoing.kinds.refusals import RefusedError
from pbem.matches.announcement import OPEN
from pbem.matches.director_actions import DecisionError
from pbem.matches.match import Player
from pbem.service.competitions.announcing import read_announced
from pbem.service.competitions.entering import announced, announcement_of, enter, withdraw
from pbem.service.direct import competing
from pbem.service.direct.decide import Director
from pbem.service.direct.orders import member_named
from pbem.service.offers.options import words_of
from pbem.service.post.competition_news import view
from pbem.service.work import Work


def _new(asked: CommandContext) -> CommandResult:
    with refusals(asked, "competition new"):
        of = read_announced(asked.work, words_of(asked.arguments[0]))
    shown = {"entry": view(asked.work, of)}

    def write(work: Work) -> Section:
        stored = competing.announce(work, of, Director(asked.player.id))
        return Section("competition_decided", {"announced": view(work, stored)})

    # Only the effect knows the number.
    sections = () if asked.is_confirmed else (Section("competition_new", shown),)
    return CommandResult(sections=sections, effects=(write,), asks=True)


Decides = Callable[[Work, Director], str]
Check = Callable[[Work], object]


def _decided(asked: CommandContext, check: Check, decide: Decides) -> CommandResult:
    """Check a decision now, and carry it out once the whole email is accepted."""
    _refusing(asked, check, asked.work)

    def write(work: Work) -> Section:
        line = _refusing(asked, partial(_decide, decide=decide, asked=asked), work)
        return Section("competition_decided", {"line": line})

    return CommandResult(effects=(write,))


def _decide(work: Work, *, decide: Decides, asked: CommandContext) -> str:
    return decide(work, Director(asked.player.id))


def _sure(
    asked: CommandContext, done: CommandResult, did: str, player: Player | None = None
) -> CommandResult:
    """Return a decision that the director must confirm if the competition has started."""
    number = numbered(asked.arguments[0])
    of = announced(asked.work, number)
    sure = asked.is_confirmed or not announcement_of(of).started
    if sure or (player and player.id not in of.taking_part):
        return done
    shown = {
        "entry": view(asked.work, of),
        "did": did,
        "player": player.name if player else "",
        "matches": competing.running_matches(asked.work, number, player) if player else [],
    }
    return replace(done, sections=(Section(SURE, shown),), asks=True)


def _refusing(asked: CommandContext, run: Check, work: Work) -> object:
    try:
        with refusals(asked):
            return run(work)
    except DecisionError as error:
        line = " ".join(filter(None, asked.arguments))
        raise RefusedError(CannotDecide(line, error.reason)) from error


def _start(asked: CommandContext) -> CommandResult:
    number = numbered(asked.arguments[0])
    return _decided(
        asked,
        lambda work: competing.require_startable(work, number),
        lambda work, by: competing.start_now(work, number, by),
    )


def _off(asked: CommandContext) -> CommandResult:
    number, reason = numbered(asked.arguments[0]), " ".join(asked.arguments[1:])
    done = _decided(
        asked,
        lambda work: competing.require_phase(work, number, *OPEN),
        lambda work, by: competing.call_off(work, number, reason, by),
    )
    return _sure(asked, done, "off")


def _close(asked: CommandContext) -> CommandResult:
    number = numbered(asked.arguments[0])
    return _decided(
        asked,
        lambda work: competing.closed_by_director(work, number),
        lambda work, by: competing.close(work, number, by),
    )


def _enter(asked: CommandContext) -> CommandResult:
    number, name = numbered(asked.arguments[0]), asked.arguments[1]
    return _decided(
        asked,
        lambda work: enter(work, member_named(work, name), announced(work, number)),
        lambda work, by: competing.enter_member(work, number, name, by),
    )


def _withdraw(asked: CommandContext) -> CommandResult:
    number, text = numbered(asked.arguments[0]), asked.arguments[1]

    def check(work: Work) -> object:
        name, _ = split_member(work, text)
        # Matches are locked before their competition, so it is not locked yet.
        return withdraw(work, member_named(work, name).id, announced(work, number))

    def decide(work: Work, by: Director) -> str:
        name, reason = split_member(work, text)
        return competing.withdraw_member(work, number, name, reason, by)

    done = _decided(asked, check, decide)
    name, _ = split_member(asked.work, text)
    return _sure(asked, done, "withdraw-player", member_named(asked.work, name))


_WHY = Argument("reason", required=False, rest=True, wraps=True, help="why, if you like")


def _of(
    word: str, summary: str, run: Callable[[CommandContext], CommandResult], *of: Argument
) -> Command:
    return Command(
        f"competition {word}",
        summary,
        run,
        Scope.CLUB,
        Need.DIRECTOR,
        Giver.DIRECTOR,
        arguments=of,
        apart=True,
    )


COMMANDS = (
    _of(
        "new",
        "announce a competition that members can enter",
        _new,
        Argument(
            "terms",
            rest=True,
            wraps=True,
            help="the kind, the game, the last day to enter and other terms, such as swiss"
            " lanko-103 enter-until=2027-01-15 rounds=5 min=6 max=16 days=3",
        ),
    ),
    _of("start", "start a competition before its entry ends", _start, NUMBER),
    _of("off", "call a competition off; matches in play continue", _off, NUMBER, _WHY),
    _of("close", "close a ladder or an open house", _close, NUMBER),
    _of(
        "enter",
        "enter a member in a competition",
        _enter,
        NUMBER,
        Argument("player", rest=True, help="the name of a member"),
    ),
    _of(
        "withdraw",
        "withdraw a player from a competition, who forfeits their matches in it",
        _withdraw,
        NUMBER,
        Argument("player", rest=True, wraps=True, help="the player, then why, if you like"),
    ),
)
