"""Directors' commands for matches: `cancel`, `adjudicate`, `forfeit`, `extend`, `pause` …"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
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
from pbem.games.phrases import Phrase
from pbem.mail.outgoing.kinds.refusals import Refusal, RefusedError
from pbem.matches.competitions import COMPETITION, kind_named, words_for_kinds
from pbem.matches.director_actions import DecisionError
from pbem.ports.process import StorageError
from pbem.service.direct import orders
from pbem.service.direct.announcing import Recipients
from pbem.service.direct.cancelling import are_asked, cancel, reopen, who_must_agree
from pbem.service.direct.decide import Director, decide, vacate
from pbem.service.direct.forfeiting import TEMPLATE, forfeit_shown
from pbem.service.direct.orders import Order, player_in, tried
from pbem.service.direct.pausing import (
    pause as pause_all,
    pause_line,
    read_whom,
    require_paused,
    resume as resume_all,
    resume_line,
    wide,
)
from pbem.service.direct.replacing import names_in as names_of, replace_in, require_replaceable
from pbem.service.takeovers.vacancies import require_vacatable
from pbem.service.work import Work


@dataclass(frozen=True)
class CannotDecide(Refusal):
    """A director's request that is not possible."""

    line: str
    reason: Phrase | str


def _decided(asked: CommandContext, order: Callable[[Work], Order]) -> CommandResult:
    """Try an order now, and carry it out once the whole email is accepted."""
    made = order(asked.work)
    tried(asked.work, made)
    told = Section("decided", {"line": made.line_for(asked.work), "asked": ()})
    return CommandResult(sections=(told,), effects=(partial(_decide, order=made, by=_by(asked)),))


def _decide(work: Work, order: Order, by: Director) -> None:
    try:
        decide(work, order, by)
    except DecisionError as error:  # another line of the email changed the match
        raise RefusedError(CannotDecide(order.line_for(work), error.reason)) from error


def _refusing(
    word: str, run: Callable[[CommandContext], CommandResult]
) -> Callable[[CommandContext], CommandResult]:
    """Return a command that quotes the whole line in its refusal."""

    def decides(asked: CommandContext) -> CommandResult:
        try:
            return run(asked)
        except (DecisionError, StorageError) as error:
            reason = error.reason if isinstance(error, DecisionError) else str(error)
            line = " ".join((word, *filter(None, asked.arguments)))
            raise RefusedError(CannotDecide(line, reason)) from error

    return decides


def numbered(text: str) -> int:
    """Return an argument such as `12` or `#12` as a number."""
    return int(text.removeprefix("#"))


def _by(asked: CommandContext) -> Director:
    return Director(asked.player.id)


def _cancel(asked: CommandContext) -> CommandResult:
    number, reason = asked.arguments
    order = orders.cancellation(numbered(number), reason)
    tried(asked.work, order)
    agreeing = who_must_agree(asked.work, numbered(number))
    told = Section("decided", {"line": order.line, "asked": [each.name for each in agreeing]})
    effect = partial(_do_cancel, order=order, by=_by(asked))
    if asked.work.matches.get(order.match).place is not None and not agreeing:
        return CommandResult(effects=(partial(_replayed, cancels=effect, order=order),))
    return CommandResult(sections=(told,), effects=(effect,))


def _do_cancel(work: Work, order: Order, by: Director) -> None:
    try:
        cancel(work, order.match, order.reason, by)
    except DecisionError as error:
        raise RefusedError(CannotDecide(order.line, error.reason)) from error


def _replayed(work: Work, cancels: Callable[[Work], None], order: Order) -> Section:
    """Cancel a match of a competition. Return the answer, which names the replay."""
    cancels(work)
    replay = orders.replay_of(work, work.matches.get(order.match))
    told = {"line": order.line, "asked": (), "replayed": True, "replay": replay}
    return Section("decided", told)


def _adjudicate(asked: CommandContext) -> CommandResult:
    number, text = numbered(asked.arguments[0]), asked.arguments[1]

    def order(work: Work) -> Order:
        result, reason = split_name(text, names_in(work, number))
        if not reason:
            raise DecisionError("add a reason at the end. The players will see it")
        return orders.adjudication(number, result, reason)

    return _decided(asked, order)


def _forfeit(asked: CommandContext) -> CommandResult:
    number, text = numbered(asked.arguments[0]), asked.arguments[1]

    name, reason = split_name(text, names_in(asked.work, number))
    order = orders.forfeiture(asked.work, number, name, reason)
    shown = forfeit_shown(asked.work, order, name, asked.work.lock_match(number))
    effect = partial(_decide, order=order, by=_by(asked))
    return CommandResult(sections=(Section(TEMPLATE, shown),), effects=(effect,), asks=True)


def _extend(asked: CommandContext) -> CommandResult:
    number, span, *rest = asked.arguments
    return _decided(asked, lambda work: orders.extension(numbered(number), span, " ".join(rest)))


def _pause(asked: CommandContext) -> CommandResult:
    which, text = asked.arguments[0], " ".join(asked.arguments[1:])
    if kind_named(which) in wide():
        return _paused(asked, *read_whom(which, text), pause_all, pause_line, paused=False)
    return _decided(asked, lambda work: orders.pausing(numbered(which), text))


def _resume(asked: CommandContext) -> CommandResult:
    which, text = asked.arguments[0], " ".join(asked.arguments[1:])
    if kind_named(which) in wide():
        return _paused(asked, *read_whom(which, text), resume_all, resume_line, paused=True)
    return _decided(asked, lambda work: orders.resumption(numbered(which), text))


def _paused(
    asked: CommandContext,
    audience: Recipients,
    text: str,
    change: Callable[[Work, Recipients, str, Director], str],
    line_of: Callable[[Recipients, str], str],
    *,
    paused: bool,
) -> CommandResult:
    """Pause or resume a competition or the club. `paused` is the state it must be in now."""
    require_paused(asked.work, audience, paused=paused)

    def write(work: Work) -> None:
        try:
            change(work, audience, text, _by(asked))
        except DecisionError as error:  # another line of the email did it
            raise RefusedError(CannotDecide(f"{audience}", error.reason)) from error

    told = Section("decided", {"line": line_of(audience, text), "asked": ()})
    return CommandResult(sections=(told,), effects=(write,))


def _is_which(text: str) -> bool:
    return kind_named(text) in wide() or _is_number(text)


def _replace(asked: CommandContext) -> CommandResult:
    if found := _COMPETITION.fullmatch(asked.arguments[0]):
        people, kind, number_of, reason = found.groups("")
        return _replace_in(asked, Recipients(kind_named(kind), int(number_of)), people, reason)
    first, _, text = asked.arguments[0].partition(" ")
    number = numbered(first)

    def order(work: Work) -> Order:
        name, rest = split_name(text, names_in(work, number))
        successor, reason = split_member(work, rest)
        return orders.substitution(work, number, name, successor, reason)

    return _decided(asked, order)


def _replace_in(
    asked: CommandContext, audience: Recipients, people: str, reason: str
) -> CommandResult:
    """Replace a player in all of a competition."""
    name, successor = split_name(people, names_of(asked.work, audience))
    require_replaceable(asked.work, audience, name, successor)

    def write(work: Work) -> Section:
        try:
            line = replace_in(work, audience, name, successor, reason, _by(asked))
        except DecisionError as error:  # another line of the email changed a match
            raise RefusedError(CannotDecide(f"{audience}", error.reason)) from error
        return Section("decided", {"line": line, "asked": ()})

    return CommandResult(effects=(write,))


_COMPETITION = re.compile(
    rf"(.+?) in ({'|'.join((COMPETITION, *words_for_kinds()))}) #?([0-9]{{1,9}})(?: (.*))?",
    re.IGNORECASE,
)


def _is_replacement(text: str) -> bool:
    first, _, rest = text.partition(" ")
    return bool(_COMPETITION.fullmatch(text) or (rest and _is_number(first)))


def _is_number(text: str) -> bool:
    return re.fullmatch(r"#?\d{1,9}", text, re.ASCII) is not None


def _vacate(asked: CommandContext) -> CommandResult:
    number, text = numbered(asked.arguments[0]), asked.arguments[1]
    name, reason = split_name(text, names_in(asked.work, number))
    match = asked.work.lock_match(number)
    player_in(asked.work, match, name)
    require_vacatable(match)
    told = Section("decided", {"line": f"vacate {number} {name}", "asked": ()})
    return CommandResult(
        sections=(told,), effects=(partial(_do_vacate, asked, number, name, reason),)
    )


def _do_vacate(asked: CommandContext, number: int, name: str, reason: str, work: Work) -> None:
    try:
        vacate(work, number, name, reason, _by(asked))
    except DecisionError as error:
        raise RefusedError(CannotDecide(f"vacate {number} {name}", error.reason)) from error


def _reopen(asked: CommandContext) -> CommandResult:
    number, reason = numbered(asked.arguments[0]), " ".join(asked.arguments[1:])
    order = orders.reopening(number, reason)
    if not are_asked(asked.work, asked.work.lock_match(number)):
        tried(asked.work, order)
    told = Section("decided", {"line": order.line, "asked": ()})
    effect = partial(_do_reopen, order=order, by=_by(asked))
    return CommandResult(sections=(told,), effects=(effect,))


def _do_reopen(work: Work, order: Order, by: Director) -> None:
    try:
        reopen(work, order.match, order.reason, by)
    except DecisionError as error:
        raise RefusedError(CannotDecide(order.line, error.reason)) from error


def _act(asked: CommandContext) -> CommandResult:
    number, seat, text = asked.arguments
    # Brackets around a whole line are stripped, so an action may lack its last bracket.
    whole = text + "]" if text.count("[") > text.count("]") else text
    return _decided(asked, lambda work: orders.acting(numbered(number), seat, whole))


def _undo(asked: CommandContext) -> CommandResult:
    number, _, turn, *rest = asked.arguments
    return _decided(
        asked, lambda work: orders.undoing(numbered(number), numbered(turn), " ".join(rest))
    )


_MATCH = Argument("match", number=True, help="the number of a match, such as 12")
_WHY = Argument("reason", rest=True, wraps=True, help="why; the players will see it")
_PERHAPS_WHY = replace(_WHY, required=False)
_RESULT = Argument(
    "result",
    rest=True,
    wraps=True,
    help="the winner by name, seat or colour, or draw, or void; then why",
)
_PLAYER = Argument(
    "player", rest=True, wraps=True, help="a player of the match, then why, if you like"
)
_PLAYERS = Argument(
    "players",
    rest=True,
    wraps=True,
    fits=_is_replacement,
    help="a match, the player who leaves and the member who takes over, such as 12 bert clara, "
    "or for a whole competition: bert clara in competition 3, or in set 3; then why, if you like",
)
_TIME = Argument("time", help="how much more, such as 3d, 36h or 2w")
_SEAT = Argument("seat", help="the seat to move, such as S or white")
_ACTIONS = Argument("actions", rest=True, help="the turn, as its player would write it")


_WHICH = Argument(
    "which",
    fits=_is_which,
    help="a match, such as 12, or competition 4, or a kind and its number, such as set 3, or club",
)
_HOW_LONG = Argument(
    "reason",
    required=False,
    rest=True,
    wraps=True,
    help="how long, such as 2w (without it, until you resume); then why; the players will see it",
)


def _of(
    word: str,
    summary: str,
    run: Callable[[CommandContext], CommandResult],
    *arguments: Argument,
    which: Argument = _MATCH,
) -> Command:
    return Command(
        word,
        summary,
        _refusing(word, run),
        Scope.CLUB,
        Need.DIRECTOR,
        Giver.DIRECTOR,
        arguments=(which, *arguments),
        apart=True,
    )


COMMANDS = (
    _of("cancel", "cancel a match, so that it does not count", _cancel, _WHY),
    _of("adjudicate", "decide a match: a winner, a draw, or void", _adjudicate, _RESULT),
    _of("forfeit", "make a player forfeit a match", _forfeit, _PLAYER),
    _of(
        "reopen",
        "continue a match that was decided or cancelled, or stop asking its players to cancel it",
        _reopen,
        _PERHAPS_WHY,
    ),
    _of("extend", "give more time for the current turn", _extend, _TIME, _PERHAPS_WHY),
    _of("pause", "pause the clocks", _pause, _HOW_LONG, which=_WHICH),
    _of("resume", "restart the clocks", _resume, _PERHAPS_WHY, which=_WHICH),
    _of("replace", "let a member take over from a player", _replace, which=_PLAYERS),
    _of("vacate", "offer a player's seat to substitutes", _vacate, _PLAYER),
    _of("act", "play for the seat to move", _act, _SEAT, _ACTIONS),
    _of(
        "undo",
        "take back a turn and everything after it",
        _undo,
        Argument("to", among=lambda: ("to",), help="the word to"),
        Argument("turn", number=True, help="the turn to play again"),
        _PERHAPS_WHY,
    ),
)


def split_name(text: str, names: Iterable[str]) -> tuple[str, str]:
    """Split a text after the longest of these names at its start, or else after its first word."""
    words = text.split()
    known = {name.casefold() for name in names}
    for count in range(len(words), 0, -1):
        if " ".join(words[:count]).rstrip(",:").casefold() in known:
            return " ".join(words[:count]).rstrip(",:"), " ".join(words[count:])
    return (words[0].rstrip(",:"), " ".join(words[1:])) if words else ("", "")


def names_in(work: Work, number: int) -> list[str]:
    """Return the names of a match's players. Raises StorageError if there is no such match."""
    return [work.players.get(each).name for each in work.matches.get(number).players]


def split_member(work: Work, text: str) -> tuple[str, str]:
    """Split a text after a member's name. Raises DecisionError if it starts with none."""
    words = text.split()
    for count in range(len(words), 0, -1):
        if work.players.named(" ".join(words[:count])) is not None:
            return " ".join(words[:count]), " ".join(words[count:])
    raise DecisionError(f"there is no member {words[0]}" if words else "no member is named")
