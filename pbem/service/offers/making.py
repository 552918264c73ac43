"""Making: create challenges and open tables from what somebody asks for."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from pbem.matches.bots import kinds_for
from pbem.matches.match import Player
from pbem.matches.offer import Offer, OfferEntry, Reopening
from pbem.matches.offer_terms import Begins, OfferError, OfferTerms
from pbem.matches.reliability import KEYS as CONDITIONS, read_conditions
from pbem.matches.words import phrase
from pbem.service.offers.change import OfferChange, require_playable
from pbem.service.offers.options import read_number, written
from pbem.service.offers.people import (
    found,
    require_all_together,
    require_bots_to_play,
    require_few_bots,
    require_few_matches,
    require_few_offers,
    require_no_ban,
)
from pbem.service.offers.reading import Wanted
from pbem.service.work import Work

CHALLENGE_DAYS = 14
"""Days that a challenge stays open."""
TABLE_DAYS = 30
"""Days that a table stays open, unless its owner chooses otherwise."""
MOST_DAYS = 365
PLAYERS = 2
"""Players at a table, unless its owner chooses otherwise."""
OF_A_SET = 3
AT_ONCE = 1
"""Matches of a standing table at once, unless its owner chooses otherwise."""
MOST_PLAYERS = 99


def challenge(work: Work, by: Player, wanted: Wanted) -> OfferChange:
    """Return a challenge to the players named. Raises OfferError."""
    require_terms(wanted, ("as", "series", *CONDITIONS))
    require_room(work, by)
    named = [found(work, by, name, wanted.words) for name in wanted.names]
    people = {each.id: each for each in named if isinstance(each, Player)}
    bots = tuple(each for each in named if isinstance(each, str))
    if not named:
        kinds = kinds_for(wanted.game.info.key) if work.club.policy.bot_matches else ()
        lines = [written([f"bot-{kind}", *wanted.words]) for kind in kinds]
        raise OfferError(phrase("offer.nobody"), lines)
    require_bots_to_play(bots, wanted.game)
    require_few_bots(work, by, bots)
    require_all_together(work, people.values())
    terms = wanted.terms_for(1 + len(people) + len(bots))
    terms.require_offered()
    require_playable(work, terms)
    own = OfferEntry(by.id, place=wanted.place(terms.players))
    asked = (OfferEntry(player, accepted=False) for player in people)
    expires_at = work.now + timedelta(days=CHALLENGE_DAYS)
    needs = read_conditions(wanted.terms)
    offer = Offer(terms, (own, *asked), work.now, expires_at, needs=needs)
    return OfferChange(offer, by=by, bots=bots)


def open_table(work: Work, by: Player, wanted: Wanted) -> OfferChange:
    """Return an open table. Raises OfferError."""
    require_terms(
        wanted, ("as", "series", "players", "only", "met", "expires", "always", *CONDITIONS)
    )
    if wanted.names:
        raise OfferError(phrase("offer.named", name=wanted.names[0]))
    terms = terms_without_names(work, by, wanted)
    table = Offer(
        terms=terms,
        entries=(OfferEntry(by.id, place=wanted.place(terms.players)),),
        created_at=work.now,
        expires_at=work.now + timedelta(days=_days(wanted)),
        open=True,
        only=_only(work, by, wanted),
        needs=read_conditions(wanted.terms),
        met=met_before(wanted),
        again=_again(work, wanted),
    )
    return OfferChange(table, by=by)


def terms_without_names(work: Work, by: Player, wanted: Wanted) -> OfferTerms:
    """Return the terms of an offer whose other players are not known. Raises OfferError."""
    require_room(work, by)
    usual = OF_A_SET if wanted.begins is Begins.SET else PLAYERS
    terms = wanted.terms_for(read_number(wanted.terms, "players", usual, MOST_PLAYERS))
    terms.require_offered()
    require_playable(work, terms)
    return terms


def require_room(work: Work, player: Player) -> None:
    """Raise OfferError if a player is banned, or has too many offers or matches."""
    require_no_ban(work, player)
    require_few_offers(work, player)
    require_few_matches(work, player)


def require_terms(wanted: Wanted, allowed: Collection[str]) -> None:
    """Raise OfferError if a request has a term that is not allowed."""
    for key in wanted.terms:
        if key not in allowed:
            raise OfferError(phrase("offer.term", key=key))


def _only(work: Work, by: Player, wanted: Wanted) -> tuple[int, ...]:
    names = [name.strip() for name in wanted.terms.get("only", "").split(",") if name.strip()]
    people = (found(work, by, name, wanted.words) for name in names)
    return tuple(each.id for each in people if isinstance(each, Player))


def met_before(wanted: Wanted) -> bool:
    """Return whether players may join whom the owner is playing now. Raises OfferError."""
    text = wanted.terms.get("met", "yes").casefold()
    if text not in ("yes", "no", "on", "off"):
        raise OfferError(phrase("offer.met-or-not", text=repr(text)))
    return text in ("yes", "on")


def _again(work: Work, wanted: Wanted) -> Reopening | None:
    """Return how a table opens again: `always` is one match at a time, `always=3` three."""
    if "always" not in wanted.terms:
        return None
    texts = {"always": wanted.terms["always"] or str(AT_ONCE)}
    most = read_number(texts, "always", AT_ONCE, max(AT_ONCE, work.club.policy.running_matches))
    return Reopening(most, _days(wanted))


def _days(wanted: Wanted) -> int:
    """Return the number of days that a table stays open: `30`, `30d` or `30 days`."""
    text = wanted.terms.get("expires", str(TABLE_DAYS))
    days = text.casefold().removesuffix("days").removesuffix("d").strip()
    return read_number({"expires": days}, "expires", TABLE_DAYS, MOST_DAYS)
