"""Terms: match options as people write them, `days=3 excalibur=on draw_offers=off`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.games.api import AnyGame, Option, OptionError
from pbem.matches.match import MatchOptions
from pbem.matches.match_options import CHOICES, read_choices
from pbem.matches.time_controls import all_terms, control_of
from pbem.matches.words import phrase

DRAW_OFFERS = Option("draw_offers", 1, phrase("terms.draw-offers"), switch=True)
"""Option of every game, besides the time control."""


def usual_options(game: AnyGame, days: int = MatchOptions.days) -> MatchOptions:
    """Return a game's default match options."""
    return MatchOptions(days, game.info.draw_offers, game.info.with_defaults({}))


def read_options(game: AnyGame, texts: Mapping[str, str], agreed: MatchOptions) -> MatchOptions:
    """Read match options from texts by key. The rest stays as agreed.

    Raises OptionError for an unknown key or a wrong value.
    """
    own = dict(texts)
    if (draws := own.pop(DRAW_OFFERS.key, None)) is not None:
        agreed = replace(agreed, draw_offers=bool(DRAW_OFFERS.read(draws)))
    timed = {key: own.pop(key) for key in list(own) if key in all_terms()}
    if timed:
        agreed = agreed.with_control(control_of(timed, agreed.control))
    chosen = {key: own.pop(key) for key in list(own) if key in CHOICES}
    if chosen:
        agreed = replace(agreed, chosen=read_choices(chosen, agreed.chosen))
    read = game.info.read_options(own)
    return replace(agreed, game={**agreed.game, **{key: read[key] for key in own}})


def place_of(game: AnyGame, players: int, text: str) -> int | None:
    """Return the place in the order of entry that holds a seat, None for `any`.

    Raises OptionError if there is no such seat for this many players.
    """
    seat = text.strip().casefold()
    if seat == ANY_SEAT:
        return None
    game.info.seats_of(players)
    for place, held in enumerate(game.info.holders[players]):
        if seat in (each.casefold() for each in held):
            return place
    seats = phrase("list.seats", items=(*game.info.seats_of(players), ANY_SEAT))
    reason = phrase(
        "terms.no-seat", game=game.info.title, players=players, text=repr(text), seats=seats
    )
    raise OptionError(reason)


ANY_SEAT = "any"
"""Answer of a player who does not mind which seat they get."""
