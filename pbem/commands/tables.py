"""`offer`, `offers`, `take`, `leave table`, `withdraw`: open tables and all current offers."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from pbem.commands.api import Argument, Command, CommandContext, CommandResult, HelpGroup, Scope
from pbem.commands.api.offering import (
    about_offers,
    answered,
    changed,
    is_wish,
    named,
    refusals,
    seat_in,
)
from pbem.commands.competitions import withdrawal
from pbem.matches.offer_terms import OfferError
from pbem.matches.words import phrase
from pbem.service.competitions.entering import is_entered
from pbem.service.members.inviting import invitations_of
from pbem.service.offers import answering
from pbem.service.offers.lists import standing_for
from pbem.service.offers.making import open_table
from pbem.service.offers.options import names_a_game, words_of
from pbem.service.offers.reading import read_wanted


def _offer(asked: CommandContext) -> CommandResult:
    with refusals(asked, "offer"):
        wanted = read_wanted(words_of(asked.arguments[0]))
        return changed(asked, lambda work: open_table(work, asked.player, wanted), "made")


def _offers(asked: CommandContext) -> CommandResult:
    return CommandResult.answered(
        "offers",
        standing=standing_for(asked.work, asked.player),
        invited=invitations_of(asked.work, asked.player),
    )


def _take(asked: CommandContext) -> CommandResult:
    with refusals(asked):
        offer, rest = named(asked, "take", lambda each: each.open)
        return answered(asked, offer, partial(answering.take, seat=seat_in(rest)), "taken")


def _leave(asked: CommandContext) -> CommandResult:
    with refusals(asked):
        offer, _ = named(asked, "leave table", lambda each: each.open)
        return answered(asked, offer, answering.leave, "left")


def _withdraw(asked: CommandContext) -> CommandResult:
    """Withdraw an offer, or from a competition. If both have the number, the sender must say."""
    which, *number = asked.arguments or ("",)
    with refusals(asked):
        if not number and which.casefold() == COMPETITION:
            raise OfferError(phrase("entry.add-number"))
        if number and which.casefold() != OFFER:
            wanted = int(number[0].lstrip("#"))
            of = asked.work.competitions.announced_as(wanted)
            mine = [each.number for each in asked.work.offers.of_player(asked.player.id)]
            offered = not which and wanted in mine
            if offered and of is not None and is_entered(of, asked.player.id):
                lines = [f"withdraw {each} {wanted}" for each in (COMPETITION, OFFER)]
                raise OfferError(phrase("entry.or-offer", number=wanted), lines)
            if which or (of is not None and not offered):
                return withdrawal(asked, wanted)
        asked = replace(asked, arguments=tuple(number))
        offer, _ = named(asked, "withdraw", lambda each: each.owner == asked.player.id)
        return answered(asked, offer, answering.withdraw, "withdrawn")


_NUMBER = Argument("number", number=True, help="the number of the table; send offers for a list")
_SEAT = Argument(
    "seat", required=False, fits=is_wish, help="the seat you would like, such as as=red"
)
_GAME = Argument(
    "game options",
    rest=True,
    fits=names_a_game,
    help="a game (add set or series to play one) and the terms, such as"
    " players=5 days=3 expires=30d only=anna,bert met=no always=3",
)

OFFER, COMPETITION = "offer", "competition"

COMMANDS = (
    about_offers("offer", "open a table that anyone may join", _offer, _GAME),
    Command(
        "offers",
        "list open challenges and tables",
        _offers,
        Scope.CLUB,
        group=HelpGroup.FIND,
    ),
    about_offers("take", "take a seat at a table", _take, _NUMBER, _SEAT),
    about_offers("leave table", "give up your seat at a table", _leave, _NUMBER),
    about_offers(
        "withdraw",
        "withdraw your challenge or table, or from a competition",
        _withdraw,
        Argument(
            "what",
            required=False,
            among=lambda: (OFFER, COMPETITION),
            help="the word offer or competition, if both have the number",
        ),
        replace(
            _NUMBER,
            required=False,
            help="the number; send offers or competitions for a list",
        ),
    ),
)
