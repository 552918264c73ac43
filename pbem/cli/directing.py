"""`pbem match cancel`, `adjudicate`, `forfeit` …: what the director does to a match."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Annotated

import typer

from pbem.cli.arguments import MatchArgument, PlayerArgument
from pbem.cli.completing import members
from pbem.cli.context import ConfigOption, club_of
from pbem.cli.match_rows import summary
from pbem.cli.terminal import printable
from pbem.service.direct import orders
from pbem.service.direct.cancelling import cancel
from pbem.service.direct.decide import SHELL, decide
from pbem.service.direct.orders import Order
from pbem.service.hands.vacancies import vacate
from pbem.service.work import Work, writing

Reason = Annotated[list[str] | None, typer.Argument(metavar="REASON", help="Told to the players.")]
NeededReason = Annotated[list[str], typer.Argument(metavar="REASON", help="Told to the players.")]


def cancel_match(number: MatchArgument, reason: NeededReason, config: ConfigOption = None) -> None:
    """Cancel a match, as if it had not been; from turn 4 on its players are asked first."""
    with club_of(config) as club, writing(club) as work:
        asked = cancel(work, number, _text(reason), SHELL)
        if asked:
            names = ", ".join(player.name for player in asked)
            typer.echo(printable(f"match {number}: {names} are asked whether they agree"))
        else:
            typer.echo(printable(summary(work, work.match(number))))


def adjudicate(
    number: MatchArgument,
    result: Annotated[
        str,
        typer.Argument(
            metavar="RESULT", help="Who wins, by seat, colour or name; or draw, or void."
        ),
    ],
    reason: NeededReason,
    config: ConfigOption = None,
) -> None:
    """Decide how a match ends; a void one counts for nobody."""
    _decided(lambda work: orders.adjudication(number, result, _text(reason)), config)


def forfeit(
    number: MatchArgument,
    player: PlayerArgument,
    reason: Reason = None,
    config: ConfigOption = None,
) -> None:
    """Declare a match lost for a player; where the others can play on, they do."""
    _decided(lambda work: orders.forfeiture(work, number, player, _text(reason)), config)


def extend(
    number: MatchArgument,
    time: Annotated[str, typer.Argument(metavar="TIME", help="How much: 3d, 36h.")],
    reason: Reason = None,
    config: ConfigOption = None,
) -> None:
    """Give whoever is to act more time for the turn: 3d, 36h."""
    _decided(lambda work: orders.extension(number, time, _text(reason)), config)


def pause(number: MatchArgument, reason: Reason = None, config: ConfigOption = None) -> None:
    """Charge no time until the match goes on; turns count all the while."""
    _decided(lambda work: orders.pausing(number, _text(reason)), config)


def resume(number: MatchArgument, reason: Reason = None, config: ConfigOption = None) -> None:
    """Charge time again."""
    _decided(lambda work: orders.resumption(number, _text(reason)), config)


def replace(
    number: MatchArgument,
    player: PlayerArgument,
    successor: Annotated[
        str,
        typer.Argument(metavar="MEMBER", help="Who plays on.", autocompletion=members),
    ],
    reason: Reason = None,
    config: ConfigOption = None,
) -> None:
    """Have another member play on in a player's place, with the time that is left."""
    _decided(
        lambda work: orders.substitution(work, number, player, successor, _text(reason)), config
    )


def offer_seat(
    number: MatchArgument,
    player: PlayerArgument,
    reason: Reason = None,
    config: ConfigOption = None,
) -> None:
    """Offer the seat of a player to the substitutes of the club; who is first gets it."""
    with club_of(config) as club, writing(club) as work:
        typer.echo(printable(vacate(work, number, player, _text(reason), SHELL)))


def act(
    number: MatchArgument,
    seat: Annotated[str, typer.Argument(metavar="SEAT", help="The seat to act.")],
    actions: Annotated[
        list[str], typer.Argument(metavar="ACTION", help="As a player writes it in a mail.")
    ],
    config: ConfigOption = None,
) -> None:
    """Play for the seat to act."""
    _decided(lambda work: orders.acting(number, seat, " ".join(actions)), config)


class To(StrEnum):
    """The word between a match and a turn."""

    TO = "to"


def undo(
    number: MatchArgument,
    to: Annotated[To, typer.Argument(metavar="to", help="The word itself.")],
    turn: Annotated[int, typer.Argument(metavar="TURN", help="The turn that is played again.")],
    reason: Reason = None,
    config: ConfigOption = None,
) -> None:
    """Take back what was played in a turn and after it: undo 12 to 17."""
    _decided(lambda work: orders.undoing(number, turn, _text(reason)), config)


COMMANDS: dict[str, Callable[..., None]] = {
    "cancel": cancel_match,
    "adjudicate": adjudicate,
    "forfeit": forfeit,
    "extend": extend,
    "pause": pause,
    "resume": resume,
    "replace": replace,
    "vacate": offer_seat,
    "act": act,
    "undo": undo,
}


def add_to(app: typer.Typer) -> None:
    """Adds them to a group of commands."""
    for name, function in COMMANDS.items():
        app.command(name)(function)


def _decided(order: Callable[[Work], Order], config: ConfigOption) -> None:
    with club_of(config) as club, writing(club) as work:
        match = decide(work, order(work), SHELL)
        typer.echo(printable(summary(work, match)))


def _text(words: list[str] | None) -> str:
    return " ".join(words or [])
