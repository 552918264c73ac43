"""`takeover 12 N`: take over a seat. `takeover yes`, `takeover no`: agree to it or not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

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
from pbem.games.api import Seat
from pbem.games.phrases import Phrase
from pbem.mail.outgoing.kinds.refusals import Refusal, RefusedError, UnknownMatch
from pbem.matches.director_actions import DecisionError
from pbem.matches.match import MatchSummary, Player
from pbem.ports.process import StorageError
from pbem.service.club import Public
from pbem.service.direct.orders import seat_of
from pbem.service.play.readable import is_public
from pbem.service.takeovers.change import (
    HandsError,
    agree,
    allows_substitutes,
    ask_table,
    object_to,
    require_askable,
    require_asked,
    require_entitled,
    take_over,
)
from pbem.service.work import Work


@dataclass(frozen=True)
class CannotTakeOver(Refusal):
    """The reason why somebody cannot take over a seat."""

    reason: Phrase | str


def _takeover(asked: CommandContext) -> CommandResult:
    number, *name = asked.arguments
    match = _match(asked, int(number.removeprefix("#")))
    seat = _seat(match, " ".join(name))
    do = _take if seat in match.hands.offered else _ask
    require = require_entitled if seat in match.hands.offered else require_askable
    try:
        require(asked.work, match, seat, asked.player)
    except HandsError as error:
        raise RefusedError(CannotTakeOver(error.reason)) from error
    return CommandResult(effects=(partial(do, number=match.id, seat=seat, player=asked.player),))


def _match(asked: CommandContext, number: int) -> MatchSummary:
    """Return a match if the sender may know of it. Raises RefusedError otherwise."""
    try:
        match = asked.work.matches.lock(number)
    except StorageError as error:
        raise RefusedError(UnknownMatch(number)) from error
    if not (asked.player.id in match.players or is_public(asked.work, match) or _is_told(match)):
        raise RefusedError(UnknownMatch(number))
    return match


def _is_told(match: MatchSummary) -> bool:
    """Return whether substitutes may know of a match. A private one only once they were asked."""
    asked = bool(match.hands.offered or match.hands.earlier)
    return allows_substitutes(match) and (asked or match.public != Public.NEVER)


def _seat(match: MatchSummary, name: str) -> Seat:
    """Return the seat with a name, or else the first one that can be taken over."""
    if not name:
        late = match.seats_of(match.player_to_act) if match.player_to_act is not None else ()
        return next(iter((*match.hands.offered, *late)), next(iter(match.seats)))
    try:
        return seat_of(match, name)
    except DecisionError as error:
        raise RefusedError(CannotTakeOver(error.reason)) from error


def _take(work: Work, number: int, seat: Seat, player: Player) -> Section | None:
    """Take over a seat. The match's own email reports it."""
    match = work.matches.lock(number)
    try:
        require_entitled(work, match, seat, player)
        take_over(work, match, player, work.players.get(match.seats[seat]), work.now)
    except HandsError as error:
        raise RefusedError(CannotTakeOver(error.reason)) from error
    return None


def _ask(work: Work, number: int, seat: Seat, player: Player) -> Section:
    try:
        asked = ask_table(work, work.matches.lock(number), seat, player)
    except HandsError as error:
        raise RefusedError(CannotTakeOver(error.reason)) from error
    return Section("takeover_asked", {"number": number, "seat": seat, "asked": bool(asked)})


def _yes(asked: CommandContext) -> CommandResult:
    return _answered(asked, _agree)


def _no(asked: CommandContext) -> CommandResult:
    return _answered(asked, _object)


def _answered(asked: CommandContext, effect: Callable[..., Section | None]) -> CommandResult:
    try:
        require_asked(asked.work, asked.match, asked.player)
    except HandsError as error:
        raise RefusedError(CannotTakeOver(error.reason)) from error
    return CommandResult(effects=(partial(effect, match=asked.match.id, player=asked.player),))


def _agree(work: Work, match: int, player: Player) -> Section | None:
    """Agree. If this completes the takeover, the match's own email reports it."""
    done = agree(work, work.matches.lock(match), player)
    return None if done else Section("takeover_agreed", {})


def _object(work: Work, match: int, player: Player) -> Section:
    object_to(work, work.matches.lock(match), player)
    return Section("takeover_disagreed", {})


COMMANDS = (
    Command(
        "takeover",
        "take over the seat of someone who has stopped playing, as partner or substitute",
        _takeover,
        Scope.CLUB,
        Need.ANY,
        arguments=(
            Argument("match", number=True, help="the number of the match, such as 12"),
            Argument("seat", required=False, help="the seat, such as N or white"),
        ),
        apart=True,
        group=HelpGroup.FIND,
    ),
    Command(
        "takeover yes", "agree that a substitute takes over", _yes, need=Need.NEWEST, apart=True
    ),
    Command("takeover no", "refuse the substitute", _no, need=Need.NEWEST, apart=True),
)
