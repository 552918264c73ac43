"""`challenge`, `play`, `rematch`, and the answers `accept`, `decline`, `counter`."""

from __future__ import annotations

from functools import partial

from pbem.commands.api import (
    Argument,
    Command,
    CommandContext,
    CommandResult,
    HelpGroup,
    Need,
    Section,
)
from pbem.commands.api.offering import (
    NotOffered,
    about_offers,
    answered,
    changed,
    is_wish,
    named,
    refusals,
    require_same_terms,
    seat_in,
)
from pbem.games.lenient_text import plain
from pbem.mail.outgoing.kinds.refusals import RefusedError
from pbem.matches.offer import Offer
from pbem.matches.offer_terms import OfferError
from pbem.service.members.inviting import invitation, invite, names_an_address
from pbem.service.offers import answering
from pbem.service.offers.answering import rematch
from pbem.service.offers.making import challenge
from pbem.service.offers.matchmaking import is_search, search
from pbem.service.offers.options import is_term, names_a_game, words_of
from pbem.service.offers.reading import Wanted, read_wanted
from pbem.service.work import Work


def _challenge(asked: CommandContext, word: str = "challenge") -> CommandResult:
    with refusals(asked, word):
        wanted = read_wanted(words_of(asked.arguments[0]))
        if is_search(wanted):
            return changed(asked, lambda work: search(work, asked.player, wanted), "made")
        if names_an_address(wanted):
            return _invite(asked, wanted)
        return changed(asked, lambda work: challenge(work, asked.player, wanted), "made")


def _invite(asked: CommandContext, wanted: Wanted) -> CommandResult:
    """Invite the owner of an address. The answer is the same for every address."""
    from pbem.commands import command_words  # it imports the modules that need this

    invitation(asked.work, asked.player, wanted)

    def write(work: Work) -> Section:
        try:
            invited = invitation(work, asked.player, wanted)
        except OfferError as error:  # another line of this email used the last invitation
            raise RefusedError(NotOffered(error.reason, ())) from error
        return Section("invited", {"invitation": invite(work, invited, command_words())})

    return CommandResult(effects=(write,))


def _rematch(asked: CommandContext) -> CommandResult:
    with refusals(asked):
        return changed(asked, lambda work: rematch(work, asked.player, asked.match), "made")


def _accept(asked: CommandContext) -> CommandResult:
    with refusals(asked):
        offer, rest = named(asked, "accept", lambda each: asked.player.id in each.asked)
        require_same_terms(asked, offer)
        return answered(asked, offer, partial(answering.accept, seat=seat_in(rest)), "accepted")


def _decline(asked: CommandContext) -> CommandResult:
    with refusals(asked):
        offer, rest = named(asked, "decline", lambda each: asked.player.id in each.asked)
        reason = " ".join(rest)
        return answered(asked, offer, partial(answering.decline, reason=reason), "declined")


def _counter(asked: CommandContext) -> CommandResult:
    def fits(offer: Offer) -> bool:
        return not offer.open and asked.player.id in offer.players

    with refusals(asked, _behind(asked, "counter")):
        offer, rest = named(asked, "counter", fits)
        require_same_terms(asked, offer)
        return answered(asked, offer, partial(answering.counter, words=rest), "countered")


def _behind(asked: CommandContext, command: str) -> str:
    """Return a command with its number, if it has one."""
    return f"{command} {asked.arguments[0]}".strip()


def _is_reason(text: str) -> bool:
    """Return whether a text is not about a draw, which `no draw` declines."""
    return "draw" not in plain(text).casefold().split()


def _are_terms(text: str) -> bool:
    return any(is_term(word) for word in text.split())


_NUMBER = Argument("number", required=False, number=True, help="the number of the challenge")
_GAME = Argument(
    "name game options",
    rest=True,
    fits=names_a_game,
    help='the players ("in quotation marks" if a name has spaces) or the address of one friend, a'
    " game, and the terms, such as days=3 series=4 as=black private unrated",
)
_SEAT = Argument(
    "seat", required=False, fits=is_wish, help="the seat you would like, such as as=black"
)
_REASON = Argument(
    "reason", required=False, rest=True, fits=_is_reason, help="why; the others will see it"
)
_TERMS = Argument("terms", rest=True, fits=_are_terms, help="the terms to change, such as days=5")


COMMANDS = (
    about_offers("challenge", "challenge others to a match", _challenge, _GAME),
    about_offers(
        "play",
        "start a match against a computer opponent at once, such as bot-greedy or bot-steady;"
        " or wait for anybody who fits",
        partial(_challenge, word="play"),
        _GAME,
    ),
    Command(
        "rematch",
        "ask the same players for another match, everyone moved one seat on",
        _rematch,
        need=Need.RECENT,
        group=HelpGroup.FIND,
    ),
    about_offers("accept", "accept a challenge", _accept, _NUMBER, _SEAT),
    about_offers("decline", "decline a challenge", _decline, _NUMBER, _REASON),
    about_offers("counter", "propose other terms for a challenge", _counter, _NUMBER, _TERMS),
)
