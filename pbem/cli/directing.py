"""Commands for directors: `pbem match cancel` …, `pause`, `announce`, `log`."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Annotated

import typer

from pbem.cli import shell
from pbem.cli.arguments import MatchArgument, PlayerArgument, YesOption, matches, members
from pbem.cli.context import ConfigOption, club_of
from pbem.cli.group import group
from pbem.cli.listing import JsonOption, ListedItem, listed, moment, printable
from pbem.cli.match_rows import summary
from pbem.cli.shell import Said
from pbem.service.direct import orders
from pbem.service.direct.announcing import (
    Recipients,
    announce as announce_to,
    read_audience,
    readers,
)
from pbem.service.direct.cancelling import cancel as cancel_or_ask, reopen as reopen_or_withdraw
from pbem.service.direct.decide import SHELL, Director, decide, vacate as offer_seat
from pbem.service.direct.forfeiting import TEMPLATE, forfeit_shown
from pbem.service.direct.logbook import MOST_SHOWN, LogEntry, log_entries
from pbem.service.direct.orders import Order
from pbem.service.direct.pausing import pause as pause_all, read_whom, resume as resume_all
from pbem.service.direct.replacing import replace_in
from pbem.service.work import Work, reading, writing

Words = list[str] | None
Reason = Annotated[Words, typer.Argument(metavar="REASON", help="Why. The players will see it.")]
NeededReason = Annotated[
    list[str], typer.Argument(metavar="REASON", help="Why. The players will see it.")
]

match_app = group("Start, show and direct matches.")
"""The commands of `pbem match`. Those that need no director are in `contests`."""


@match_app.command()
@shell.writes
def cancel(work: Work, number: MatchArgument, reason: NeededReason) -> str:
    """Cancel a match, so that it does not count. From turn 4 on, its players are asked first."""
    asked = cancel_or_ask(work, number, _text(reason), SHELL)
    if asked:
        names = ", ".join(player.name for player in asked)
        return f"match {number}: waiting for {names} to agree"
    match = work.match(number)
    replay = orders.replay_of(work, match)
    return summary(work, match) + (f"; match {replay} replays it" if replay else "")


@match_app.command()
@shell.writes
def adjudicate(
    work: Work,
    number: MatchArgument,
    result: Annotated[
        str,
        typer.Argument(
            metavar="RESULT", help="The winner by seat, colour or name, or draw, or void."
        ),
    ],
    reason: NeededReason,
) -> str:
    """Decide the result of a match. A void match does not count."""
    return _decided(work, orders.adjudication(number, result, _text(reason)))


@match_app.command()
def forfeit(
    number: MatchArgument,
    player: PlayerArgument,
    reason: Reason = None,
    yes: YesOption = False,
    config: ConfigOption = None,
) -> None:
    """Make a player forfeit a match. If the others can continue, they do."""
    with club_of(config) as club:
        if not yes:
            with reading(club) as work:
                order = orders.forfeiture(work, number, player, _text(reason))
                shown = forfeit_shown(work, order, player, work.match(number))
            question = club.renderer.part([f"{TEMPLATE}.txt.j2"], {**shown, "asking": True})
            typer.confirm(printable(question), abort=True)
        with writing(club) as work:
            decided = _decided(work, orders.forfeiture(work, number, player, _text(reason)))
    typer.echo(printable(decided))


@match_app.command()
@shell.writes
def reopen(work: Work, number: MatchArgument, reason: Reason = None) -> str:
    """Continue a match that was decided, claimed, lost on time or cancelled.

    If its players are being asked to cancel it, they no longer are.
    """
    return summary(work, reopen_or_withdraw(work, number, _text(reason), SHELL))


@match_app.command()
@shell.writes
def extend(
    work: Work,
    number: MatchArgument,
    time: Annotated[str, typer.Argument(metavar="TIME", help="Extra time, such as 3d or 36h.")],
    reason: Reason = None,
) -> str:
    """Give the player to move extra time for this turn, such as 3d or 36h."""
    return _decided(work, orders.extension(number, time, _text(reason)))


@match_app.command("pause")
@shell.writes
def pause_match(work: Work, number: MatchArgument, reason: Reason = None) -> str:
    """Pause the clocks of a match until it is resumed. Players can still move."""
    return _decided(work, orders.pausing(number, _text(reason)))


@match_app.command("resume")
@shell.writes
def resume_match(work: Work, number: MatchArgument, reason: Reason = None) -> str:
    """Restart the clocks of a match after a pause."""
    return _decided(work, orders.resumption(number, _text(reason)))


@match_app.command()
@shell.writes
def replace(
    work: Work,
    number: MatchArgument,
    player: PlayerArgument,
    successor: Annotated[
        str,
        typer.Argument(metavar="MEMBER", help="The member who takes over.", autocompletion=members),
    ],
    reason: Reason = None,
) -> str:
    """Replace a player with another member, who gets the remaining time."""
    order = orders.substitution(work, number, player, successor, _text(reason))
    return _decided(work, order)


@match_app.command()
@shell.writes
def vacate(work: Work, number: MatchArgument, player: PlayerArgument, reason: Reason = None) -> str:
    """Offer a player's seat to substitutes. The first to accept gets it."""
    return offer_seat(work, number, player, _text(reason), SHELL)


@match_app.command()
@shell.writes
def act(
    work: Work,
    number: MatchArgument,
    seat: Annotated[str, typer.Argument(metavar="SEAT", help="The seat whose turn it is.")],
    actions: Annotated[
        list[str],
        typer.Argument(metavar="ACTION", help="An action, as a player writes it in an email."),
    ],
) -> str:
    """Move for the seat whose turn it is."""
    return _decided(work, orders.acting(number, seat, _text(actions)))


class To(StrEnum):
    """The word between a match and a turn."""

    TO = "to"


@match_app.command()
@shell.writes
def undo(
    work: Work,
    number: MatchArgument,
    to: Annotated[To, typer.Argument(metavar="to", help="The word to.")],
    turn: Annotated[int, typer.Argument(metavar="TURN", help="The turn to play again.")],
    reason: Reason = None,
) -> str:
    """Take back a turn and everything after it, such as undo 12 to 17."""
    return _decided(work, orders.undoing(number, turn, _text(reason)))


def _decided(work: Work, order: Order) -> str:
    return summary(work, decide(work, order, SHELL))


def _text(words: Words) -> str:
    return " ".join(words or [])


Which = Annotated[
    str,
    typer.Argument(
        metavar="WHICH", help="club, competition, a kind such as set, or a match's number."
    ),
]
Pausing = Callable[[Work, Recipients, str, Director], str]


@shell.writes
def pause(
    work: Work,
    which: Which,
    text: Annotated[
        Words,
        typer.Argument(
            metavar="TEXT",
            help="The number (except for club), how long (such as 2w, default: until resumed), "
            "and why. The players will see the reason.",
        ),
    ] = None,
) -> str:
    """Pause the clocks of the club, a competition or a match."""
    return _done(work, which, _text(text), pause_all, orders.pausing)


@shell.writes
def resume(
    work: Work,
    which: Which,
    text: Annotated[
        Words, typer.Argument(metavar="TEXT", help="The number (except for club), and why.")
    ] = None,
) -> str:
    """Restart the clocks after a pause."""
    return _done(work, which, _text(text), resume_all, orders.resumption)


class In(StrEnum):
    """The word before a competition."""

    IN = "in"


@shell.writes
def replace_everywhere(
    work: Work,
    player: Annotated[
        str,
        typer.Argument(
            metavar="PLAYER", help="A player of the competition.", autocompletion=members
        ),
    ],
    successor: Annotated[
        str,
        typer.Argument(metavar="MEMBER", help="The member who takes over.", autocompletion=members),
    ],
    within: Annotated[In, typer.Argument(metavar="in", help="The word in.")],
    kind: Annotated[
        str, typer.Argument(metavar="KIND", help="competition, or a kind such as set.")
    ],
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="Its number.")],
    reason: Reason = None,
) -> str:
    """Replace a player in all matches of a competition: replace bert clara in set 3."""
    audience, _ = read_whom(kind, str(number))
    return f"done: {replace_in(work, audience, player, successor, _text(reason), SHELL)}"


def _done(
    work: Work, which: str, text: str, of_all: Pausing, of_match: Callable[[int, str], Order]
) -> str:
    if which.isascii() and which.isdigit() and len(which) <= 9:
        order = of_match(int(which), text)
        decide(work, order, SHELL)
        return f"done: {order.line}"
    return f"done: {of_all(work, *read_whom(which, text), SHELL)}"


@shell.writes
def announce(
    work: Work,
    whom: Annotated[
        str, typer.Argument(metavar="WHOM", help="match, competition, a kind such as set, or club.")
    ],
    text: Annotated[
        list[str],
        typer.Argument(metavar="TEXT", help="The number (except for club), and your text."),
    ],
    send: Annotated[
        bool, typer.Option("--send", help="Send it. Without this, it is only shown.")
    ] = False,
) -> str:
    """Send an announcement to a match, a competition or the club."""
    audience, said = read_audience(whom, _text(text))
    told = readers(work, audience)
    typer.echo(printable(f"to {audience}: {', '.join(each.name for each in told) or 'nobody'}"))
    typer.echo(printable(said))
    if send:
        announce_to(work, audience, said, SHELL)
    return "sent" if send else "not sent. Add --send to send it"


@shell.reads
def log(
    work: Work,
    number: Annotated[
        int | None,
        typer.Argument(
            metavar="MATCH", help="Only decisions about this match.", autocompletion=matches
        ),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="How many, newest first.")] = MOST_SHOWN,
    as_json: JsonOption = False,
) -> Said:
    """List the decisions of directors, with times and reasons."""
    items = map(_logged, log_entries(work, number, limit))
    return listed(items, "there are no decisions yet", as_json=as_json)


def _logged(entry: LogEntry) -> ListedItem:
    decision, by, line = entry
    data = {
        "id": decision.id,
        "at": moment(decision.at),
        "by": by,
        "match": decision.match_id,
        "line": line,
        "reason": decision.reason,
    }
    return ListedItem(str(entry), data)
