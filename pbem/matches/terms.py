"""Terms: match options as people write them, `days=3 excalibur=on draw_offers=off`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.games.api import AnyGame, Option, OptionError
from pbem.matches.choices import CHOICES, read_choices
from pbem.matches.match import MatchOptions
from pbem.matches.time_controls import all_terms, control_of
from pbem.matches.words import phrase

DRAW_OFFERS = Option("draw_offers", 1, phrase("terms.draw-offers"), switch=True)
"""What every game lets its players agree on, beside the time control."""


def usual_options(game: AnyGame, days: int = MatchOptions.days) -> MatchOptions:
    """Match options of a game where nothing else is agreed."""
    return MatchOptions(days, game.info.draw_offers, game.info.with_defaults({}))


def read_options(game: AnyGame, texts: Mapping[str, str], agreed: MatchOptions) -> MatchOptions:
    """Match options from their texts by key; the rest stays as agreed.

    Raises OptionError for a key that nothing which can be agreed has, or a wrong value.
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
    """Which player, in the order of entry, holds a seat of that name; None for `any`.

    Raises OptionError if there is no such seat among so many players.
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
"""How somebody says that they do not mind where they sit."""
