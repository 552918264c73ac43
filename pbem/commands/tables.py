"""`offer`, `offers`, `take`, `leave table`, `withdraw`: open tables, and what stands."""

from __future__ import annotations

import re

from pbem.commands.api import Argument, Asked, Command, Done, Need, Scope
from pbem.commands.api.offering import changed, named, refusals
from pbem.service.tables import answering
from pbem.service.tables.lists import standing_for
from pbem.service.tables.making import open_table
from pbem.service.tables.reading import read_wanted
from pbem.service.tables.words import names_a_game, words_of

_SEAT = re.compile(r"\d{1,9}( as=\S+)?", re.IGNORECASE)


def _offer(asked: Asked) -> Done:
    with refusals(asked, "offer"):
        wanted = read_wanted(words_of(asked.arguments[0]))
        return changed(open_table(asked.work, asked.player, wanted), "made")


def _offers(asked: Asked) -> Done:
    return Done.answered("offers", standing=standing_for(asked.work, asked.player))


def _take(asked: Asked) -> Done:
    with refusals(asked):
        offer, rest = named(asked, "take", lambda each: each.open)
        seat = rest[0].partition("=")[2] if rest else ""
        return changed(answering.take(asked.work, asked.player, offer, seat), "taken")


def _leave(asked: Asked) -> Done:
    with refusals(asked):
        offer, _ = named(asked, "leave table", lambda each: each.open)
        return changed(answering.leave(asked.work, asked.player, offer), "left")


def _withdraw(asked: Asked) -> Done:
    with refusals(asked):
        offer, _ = named(asked, "withdraw", lambda each: each.owner == asked.player.id)
        return changed(answering.withdraw(asked.work, asked.player, offer), "withdrawn")


def _is_number(text: str) -> bool:
    return text.isdigit()


def _is_seat(text: str) -> bool:
    return _SEAT.fullmatch(text) is not None


COMMANDS = (
    Command(
        "offer",
        "open a table at which anybody may sit down",
        _offer,
        Scope.CLUB,
        Need.RECENT,
        arguments=(Argument("game options", rest=True, fits=names_a_game),),
    ),
    Command("offers", "challenges and tables that wait for somebody", _offers, Scope.CLUB),
    Command(
        "take",
        "sit down at a table",
        _take,
        Scope.CLUB,
        Need.RECENT,
        arguments=(Argument("number", rest=True, fits=_is_seat),),
    ),
    Command(
        "leave table",
        "give your seat at a table back",
        _leave,
        Scope.CLUB,
        Need.RECENT,
        arguments=(Argument("number", fits=_is_number),),
    ),
    Command(
        "withdraw",
        "take your challenge or table back",
        _withdraw,
        Scope.CLUB,
        Need.RECENT,
        arguments=(Argument("number", required=False, fits=_is_number),),
    ),
)
