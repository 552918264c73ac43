"""`pause? 2 weeks`, `pause`, `no pause`: a pause by agreement."""

from __future__ import annotations

from datetime import timedelta

from pbem.commands.api import Argument, Command, CommandContext, CommandResult, Need
from pbem.matches.off_time import read_span
from pbem.matches.player_actions import accept_pause, ask_for_pause, decline_pause


def _ask(asked: CommandContext) -> CommandResult:
    span = read_span(asked.arguments[0]) or timedelta()
    others = map(asked.work.players.get, asked.match.others(asked.player.id))
    people = [each.id for each in others if each.gets_mail]
    return CommandResult.changed(
        ask_for_pause(asked.match, asked.player.id, span, people, asked.now)
    )


def _accept(asked: CommandContext) -> CommandResult:
    if asked.arguments:  # players often leave out the question mark
        return _ask(asked)
    return CommandResult.changed(accept_pause(asked.match, asked.player.id, asked.now))


def _decline(asked: CommandContext) -> CommandResult:
    return CommandResult.changed(decline_pause(asked.match, asked.player.id, asked.now))


def _is_span(text: str) -> bool:
    return read_span(text) is not None


def _time(help_: str, *, required: bool) -> Argument:
    return Argument("time", required=required, rest=True, fits=_is_span, help=help_)


_HOW_LONG = _time("how long, such as 2 weeks, 10 days or 36h", required=True)
_ASKED_FOR = _time(
    "how long, such as 2 weeks; with it, you ask for a pause, as with pause?", required=False
)


COMMANDS = (
    Command(
        "pause?",
        "ask all the others for a pause",
        _ask,
        need=Need.NEWEST,
        arguments=(_HOW_LONG,),
    ),
    Command("pause", "agree to a pause", _accept, need=Need.NEWEST, arguments=(_ASKED_FOR,)),
    Command(
        "no pause",
        "refuse a pause, or withdraw your request for one",
        _decline,
        need=Need.NEWEST,
    ),
)
