"""Returning: a player is heard from, and what was to be done without them is done no more."""

from __future__ import annotations

from dataclasses import replace

from pbem.matches.acting import Change
from pbem.matches.match import MatchSummary, Player
from pbem.matches.succession import GivenBack, given_back, keeper
from pbem.service.hands.asking import about, withdraw
from pbem.service.hands.entitled import allows_substitutes
from pbem.service.play.change import apply, tell
from pbem.service.play.notices import News
from pbem.service.work import Work


def is_waited_for(work: Work, match: MatchSummary, player: Player) -> bool:
    """Whether a mail of a player changes what becomes of their seats: they are kept, or offered."""
    if match.result is not None:
        return False
    if keeper(match, player.id) is not None or _offered(match, player):
        return True
    return _is_asked_about(work, match, player)


def heard_from(work: Work, match: MatchSummary, player: Player) -> GivenBack | None:
    """A proven mail of a player about a locked match: their seats are theirs, and nobody else's.

    What happened if a bot has kept them; nobody has been told of that yet.
    """
    if _is_asked_about(work, match, player):
        withdraw(work, match)
    bot = keeper(match, player.id)
    if bot is None:
        offered = match.hands.not_offered(match.seats_of(player.id))
        work.matches.save(replace(match, hands=offered))
        return None
    before, first = work.whole(match), match.seats_of(bot)[0]
    event = GivenBack(bot, match.turn, first, player.id, work.players.get(bot).name)
    apply(work, before, Change(given_back(before, player.id), (event,)), work.now)
    return event


def _offered(match: MatchSummary, player: Player) -> bool:
    return any(seat in match.hands.offered for seat in match.seats_of(player.id))


def _is_asked_about(work: Work, match: MatchSummary, player: Player) -> bool:
    """Whether the table has been asked if somebody goes on for a player, or for their bot."""
    if not allows_substitutes(match):
        return False
    theirs = {player.id, keeper(match, player.id)}
    return any(each.asked.player in theirs for each in about(work, match))


def tell_of_return(work: Work, event: GivenBack, number: int, *, too: bool) -> None:
    """The table hears that a player is back; they do too, unless their mail is answered by more."""
    news = News(work.match(number), events=(event,))
    tell(work, news if too else replace(news, unread_by=event.successor))
