"""`offer`, `offers`, `take`, `leave table`, `withdraw`: open tables and all current offers."""

from __future__ import annotations

from collections.abc import Sequence
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
from pbem.commands.competitions import PREPOSITIONS, withdrawal, words_before
from pbem.mail.topic import OfferTopic
from pbem.matches.announcement import OPEN
from pbem.matches.competitions import COMPETITION, words_for_kinds
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
    what, *numbers = asked.arguments or ("",)
    number = int(numbers[0].lstrip("#")) if numbers else 0
    entered, offered = _could_withdraw(asked, what.casefold(), number)
    with refusals(asked):
        if entered and (offered or not number):
            lines = [f"withdraw {COMPETITION} {each}" for each in entered]
            lines += [f"withdraw {OFFER} {each}" for each in offered]
            both = phrase("entry.or-offer", number=number)
            raise OfferError(both if number else phrase("entry.add-number"), lines)
        if what and what.casefold() not in OFFERS and not number:
            raise OfferError(phrase("entry.add-number"))
        if entered or (number and not offered and _is_competition(asked, what, number)):
            return withdrawal(asked, number)
        asked = replace(asked, arguments=tuple(numbers))
        offer, _ = named(asked, "withdraw", lambda each: each.owner == asked.player.id)
        return answered(asked, offer, answering.withdraw, "withdrawn")


def _could_withdraw(
    asked: CommandContext, what: str, number: int
) -> tuple[Sequence[int], Sequence[int]]:
    """Return the numbers of competitions and offers that a member can withdraw from.

    Without a number, an answer to an email about an offer means that offer.
    """
    work, member = asked.work, asked.player.id
    about_offer = asked.proof is not None and isinstance(asked.proof.topic, OfferTopic)
    if about_offer and not (what or number):
        return (), ()
    entered = [
        each.number for each in work.competitions.announced(OPEN) if is_entered(each, member)
    ]
    offered = [each.number for each in work.offers.of_player(member) if each.owner == member]
    found = (entered if what not in OFFERS else (), offered if what in ("", *OFFERS) else ())
    entered, offered = ([each for each in some if number in (0, each)] for some in found)
    return entered, offered


def _is_competition(asked: CommandContext, what: str, number: int) -> bool:
    """Return whether the number may be that of a competition, which the refusal then names."""
    if what:
        return what.casefold() not in OFFERS
    return asked.work.competitions.announced_as(number) is not None


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

OFFER = "offer"
OFFERS = (OFFER, "challenge", "search", "table")
"""Words for offers."""

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
            before=lambda: PREPOSITIONS,
            among=lambda: (*OFFERS, COMPETITION, *words_for_kinds()),
            help="the word offer or competition, if both have the number",
        ),
        replace(
            _NUMBER,
            required=False,
            before=words_before,
            help="the number; send offers or competitions for a list",
        ),
    ),
)
