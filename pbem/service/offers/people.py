"""People: find the player with a name, and check blocks and limits."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches
from itertools import permutations

from pbem.games.api import AnyGame
from pbem.games.phrases import Phrase
from pbem.matches.bots import bots, kinds_for
from pbem.matches.match import Player, PlayerId
from pbem.matches.offer import Offer
from pbem.matches.offer_terms import OfferError
from pbem.matches.words import phrase
from pbem.matches.zones import day_at
from pbem.service.offers.options import NEAR, retyped
from pbem.service.people import is_hidden, together
from pbem.service.play.bots import BOT
from pbem.service.reliability import banned_until, unmet_by
from pbem.service.work import Work

MOST_NEAR = 3


def found(work: Work, asker: Player, name: str, words: Sequence[str]) -> Player | str:
    """Return the member with a name, or the kind of a bot, which may not exist yet.

    Raises OfferError if there is none, it is the asker, or the asker may not invite them.
    """
    kind = _bot_kind(name)
    player = work.players.named(name)
    if player is not None and player.bot:
        return player.bot
    if kind is not None and player is None:
        return kind
    if player is None:
        raise OfferError(
            phrase("offer.no-member", name=name),
            [retyped(words, name, each) for each in near(work, asker, name)],
        )
    if player.id == asker.id:
        raise OfferError(phrase("offer.oneself"))
    if player.id in work.blocks.around(asker.id) or is_hidden(player):
        raise OfferError(phrase("offer.unavailable", name=player.name))
    return player


def require_together(work: Work, player: Player, others: Iterable[PlayerId]) -> None:
    """Raise OfferError if one of the others blocks a player, or is blocked by them."""
    around = work.blocks.around(player.id)
    for other in others:
        if other in around:
            raise OfferError(phrase("offer.unavailable", name=_called(work.players.get(other))))


def _called(player: Player) -> str:
    return together((player,))[player.id].name


def require_all_together(work: Work, people: Iterable[Player]) -> None:
    """Raise OfferError if one of these people blocks another."""
    for player, other in permutations(people, 2):
        require_together(work, player, [other.id])


def require_no_ban(work: Work, player: Player) -> None:
    """Raise OfferError if a player may take up nothing new."""
    until = banned_until(work, player)
    if until is not None:
        day = day_at(until, player.time_zone)
        raise OfferError(phrase("needs.banned", day=day.isoformat()))


def require_fit(work: Work, player: Player, offer: Offer) -> None:
    """Raise OfferError if a player does not meet the conditions of an offer."""
    if player.id == offer.owner:
        return
    needs = unmet_by(work, player, offer.needs, offer.terms.game_key)
    if needs is not None:
        number = offer.number
        called = phrase("needs.table", number=number)
        if not offer.open:
            called = phrase("needs.challenge", number=number)
        raise OfferError(phrase("needs.unmet", offer=called, needs=needs))


def require_few_offers(work: Work, player: Player) -> None:
    """Raise OfferError if a player has too many open challenges and tables.

    Locks the player, so that two workers that count at once cannot both find room for one more.
    """
    work.players.lock(player.id)
    own = [offer for offer in work.offers.of_player(player.id) if offer.owner == player.id]
    if len(own) >= work.club.policy.open_offers:
        raise OfferError(phrase("offer.most-open", count=len(own)))


def require_few_matches(work: Work, player: Player) -> None:
    """Raise OfferError if a player plays as many matches as allowed. Locks the player."""
    work.players.lock(player.id)
    running = len(work.matches.of_player(player.id))
    if running >= work.club.policy.running_matches:
        raise OfferError(phrase("offer.most-running", count=running))


def require_few_bots(work: Work, player: Player, kinds: Collection[str]) -> None:
    """Raise OfferError if a player plays as many matches against bots as allowed.

    Counts matches that began with a bot. One that replaced an absent player was not their choice.
    Locks the player.
    """
    if not kinds:
        return
    work.players.lock(player.id)
    bots, policy = {bot.id: bot.bot for bot in work.players.bots()}, work.club.policy
    running = {
        match.id: {bots[each] for each in match.began.values() if each in bots}
        for match in work.matches.of_player(player.id)
    }
    against = [number for number, met in running.items() if met]
    if len(against) >= policy.bot_matches:
        said = _listed(against)
        raise OfferError(phrase("offer.most-bots", count=len(against), matches=said))
    for kind in kinds:
        against, bot = [number for number, met in running.items() if kind in met], f"{BOT}{kind}"
        if len(against) >= policy.bot_limits.get(kind, policy.bot_matches):
            said, count = _listed(against), len(against)
            raise OfferError(phrase("offer.most-of-bot", count=count, bot=bot, matches=said))


def require_bots_to_play(kinds: Iterable[str], game: AnyGame) -> None:
    """Raise OfferError unless all these bots play a game."""
    known = kinds_for(game.info.key)
    for kind in kinds:
        if kind not in known:
            names = phrase("list.items", items=tuple(f"{BOT}{each}" for each in known))
            title = game.info.title
            raise OfferError(phrase("offer.bot-game", bot=f"{BOT}{kind}", game=title, names=names))


def _listed(matches: Iterable[int]) -> Phrase:
    return phrase("list.items", items=tuple(f"match {each}" for each in sorted(matches)))


def bots_among(work: Work, players: Iterable[PlayerId]) -> list[str]:
    """Return the kinds of the bots among some players."""
    return [bot for each in players if (bot := work.players.get(each).bot)]


def are_playing(work: Work, one: PlayerId, other: PlayerId) -> bool:
    """Return whether two players have a running match with each other."""
    return any(other in match.players for match in work.matches.of_player(one))


def _bot_kind(name: str) -> str | None:
    """Return the kind of bot named `bot-greedy` or `bot-greedy-2`, None for other names."""
    named = re.fullmatch(rf"{BOT}(\w+?)(-\d+)?", name.strip().casefold())
    if named is None:
        return None
    if named[1] not in bots():
        names = phrase("list.items", items=tuple(f"{BOT}{kind}" for kind in bots()))
        raise OfferError(phrase("offer.no-bot", name=name, names=names))
    return named[1]


def near(work: Work, asker: Player, name: str) -> list[str]:
    """Return similar names of people that a player may find."""
    around = work.blocks.around(asker.id) | {asker.id}
    seen = [each for each in work.players.all() if each.id not in around and not is_hidden(each)]
    names = {each.name.casefold(): each.name for each in seen}
    names |= {f"{BOT}{kind}": f"{BOT}{kind}" for kind in bots()}
    wanted = name.casefold()
    begin_so = [key for key in names if key.startswith(wanted)]
    like = dict.fromkeys([*begin_so, *get_close_matches(wanted, names, MOST_NEAR, NEAR)])
    return [names[key] for key in like][:MOST_NEAR]


def someone(work: Work, player: Player, name: str) -> Player:
    """Return another member by name. Raises OfferError."""
    other = work.players.named(name)
    if other is None:
        raise OfferError(phrase("offer.no-member", name=name), near(work, player, name))
    if other.id == player.id:
        raise OfferError(phrase("offer.oneself"))
    return other


def blocked_by(work: Work, player: Player) -> list[str]:
    """Return the names of members whom a member blocks."""
    return [work.players.get(other).name for other in work.blocks.of(player.id)]
