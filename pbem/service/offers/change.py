"""Offers: store a change of an offer, notify players, and start the match once it is full.

If somebody else was faster between reading and storing, nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pbem.games.api import OptionError
from pbem.mail.outgoing.kinds import Challenge, OfferOver
from pbem.mail.outgoing.offer_view import OfferView
from pbem.mail.topic import OfferTopic
from pbem.matches.competition import Competition
from pbem.matches.competitions.series import Series
from pbem.matches.competitions.set import MatchSet
from pbem.matches.event import BEGUN, MatchBegun
from pbem.matches.match import Player, PlayerId
from pbem.matches.offer import Offer, OfferEntry, State
from pbem.matches.offer_terms import Begins, OfferError, OfferTerms
from pbem.ports.room import PageKind
from pbem.service.club import AS_THE_CLUB, Public
from pbem.service.offers.reopening import opened_again
from pbem.service.people import is_hidden, together
from pbem.service.play.bots import bots_for_match
from pbem.service.play.start import start_competition, start_match
from pbem.service.post.post import post
from pbem.service.reliability import reliability
from pbem.service.standing import shared_ratings
from pbem.service.work import ConcurrentChange, Work


@dataclass(frozen=True)
class OfferChange:
    """An offer as it was read, and as it will be."""

    after: Offer
    before: Offer | None = None
    """The offer before the change. None if it is new."""
    by: Player | None = None
    """The player who changed it. None if it expired."""
    bots: tuple[str, ...] = ()
    """Bots to add, by kind."""
    reason: str = ""
    """The author's words about the change."""


def carry_out(work: Work, change: OfferChange) -> Offer:
    """Store a change, start what is complete, and notify players. Return the offer.

    Raises ConcurrentChange if the offer has changed meanwhile.
    """
    offer = _stored(work, change)
    if offer.complete:
        offer = begin_offer(work, offer)
        work.offers.save(offer)
    tell(work, change.before, offer, change.by, change.reason)
    if offer.search is not None and change.before is None:
        work.jobs.enqueue("pair")
    if offer.open:
        work.stale.mark(PageKind.CLUB, [""])
        work.jobs.enqueue("pages")
    return offer


def _stored(work: Work, change: OfferChange) -> Offer:
    if change.before is not None:
        if work.offers.lock(change.before.number) != change.before:
            raise ConcurrentChange
        work.offers.save(change.after)
        return change.after
    bots = tuple(OfferEntry(bot.id) for bot in bots_for_match(work, change.bots))
    return work.offers.add(replace(change.after, entries=(*change.after.entries, *bots)))


def tell(
    work: Work, before: Offer | None, offer: Offer, by: Player | None, reason: str = ""
) -> None:
    """Queue the emails about a change of an offer."""
    if offer.state in (State.DECLINED, State.WITHDRAWN, State.LAPSED):
        _tell_over(work, offer, by, reason)
    elif by is not None and (before is None or before.revision != offer.revision):
        _ask(work, before, offer, by)


def _ask(work: Work, before: Offer | None, offer: Offer, by: Player) -> None:
    has = reliability(work, by, work.now)
    for player in _people(work, offer.asked):
        old = None if before is None else view(work, before, player)
        mail = Challenge(view(work, offer, player), by.name, old, has)
        post(work, mail, player, topic=_topic(offer))


def _tell_over(work: Work, offer: Offer, by: Player | None, reason: str) -> None:
    """If a challenge expired unanswered, notify only those who had accepted it."""
    concerned = offer.accepted if by is None else offer.players
    for player in _people(work, concerned):
        if by is None or player.id != by.id:
            mail = OfferOver(view(work, offer, player), by.name if by else "", reason)
            post(work, mail, player, topic=_topic(offer))


def _people(work: Work, players: Iterable[PlayerId]) -> Iterable[Player]:
    return (player for player in map(work.players.get, players) if not player.bot)


def _topic(offer: Offer) -> OfferTopic:
    return OfferTopic(offer.number, offer.revision)


def view(work: Work, offer: Offer, reader: Player | None = None) -> OfferView:
    """Return an offer as a reader sees it. Hidden members are named only to those in it.

    At a table for a blind match, nobody sees who else is there.
    """
    people = [work.players.get(player) for player in offer.players]
    known = reader is not None and reader.id in offer.players
    names = {each.id: each.name for each in (people if known else together(people).values())}
    if offer.is_blind:
        own = {reader.id: reader.name} if known and reader is not None else {}
        names = {each.id: each.name for each in together(people, blind=True).values()} | own
    return OfferView(
        offer=offer,
        names=names,
        words=work.club.club_renderer.words,
        now=work.now,
        you=reader.id if reader else None,
        time_zone=reader.time_zone if reader else "UTC",
        # A rating could show who a hidden member is.
        ratings={}
        if offer.is_blind or (not known and any(map(is_hidden, people)))
        else shared_ratings(work, offer.terms.game_key, people, reader),
    )


def begin_offer(work: Work, offer: Offer) -> Offer:
    """Start the match, series or set of an offer. Return the offer."""
    # Emails replayed after a restore must get the same seats, or they would not fit.
    times = f" {offer.again.times}" if offer.again is not None else ""
    lots = work.club.signer.lots(f"offer {offer.number}{times}")
    terms, players = offer.terms, offer.seated(lots)
    public = Public.NEVER if terms.private else AS_THE_CLUB
    competition = _competition(work, terms, players)
    people = [work.players.get(player) for player in players]
    known = sum(not each.bot for each in people) > 1  # against bots alone the match starts at once
    told = MatchBegun(offer.number, offer.open) if known else BEGUN
    if offer.search is not None:
        told = MatchBegun(found=True)
    if competition is None:
        match = start_match(work, terms.game, people, terms.options, public, told)
        return opened_again(work, offer, f"match {match.id}")
    begun = start_competition(work, competition, public, told)
    return opened_again(work, offer, f"{begun.kind} {begun.number}")


def require_playable(work: Work, terms: OfferTerms) -> None:
    """Raise OfferError if the game cannot be played on these terms by that many players."""
    try:
        terms.game.info.seats_of(terms.players)
        competition = _competition(work, terms, range(terms.players))
        if competition is not None:
            competition.require_playable()
    except OptionError as error:
        raise OfferError(error.reason) from error


def _competition(work: Work, terms: OfferTerms, players: Sequence[PlayerId]) -> Competition | None:
    common = (terms.game_key, tuple(players), terms.options, work.now)
    match terms.begins:
        case Begins.SERIES:
            return Series(*common, games=terms.games)
        case Begins.SET:
            return MatchSet(*common)
        case Begins.MATCH:
            return None
