"""Missing games: matches wait while their game is not installed, and continue once it is back.

A match plays by the rules version of the distribution with which it started. If the distribution
is gone, or has dropped these rules, the clocks are paused and everyone gets one email. What is
installed is found once per process, so this is done when a process starts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from pbem.games import game_of
from pbem.games.api import OptionError
from pbem.games.phrases import Phrase
from pbem.log import get_logger
from pbem.mail.outgoing.kinds import DirectorGames, GamesBack, GamesMissing, TurnDue, WaitingGame
from pbem.mail.outgoing.time_view import due
from pbem.matches.clock import PauseReason
from pbem.matches.match import MatchSummary, Player, PlayerId
from pbem.service.clocks.schedule import BATCH, counted, mark_feeds, rescheduled
from pbem.service.club import Club
from pbem.service.people import names_in
from pbem.service.play.change import give_up
from pbem.service.post.post import post, tell_director
from pbem.service.work import Work, writing

log = get_logger(__name__)


def look_for_games(club: Club) -> int:
    """Pause matches whose game is missing, and resume those whose game is back. Return how many.

    Their players and the directors get one email about all of them.
    """
    with writing(club) as work:
        missing, back = list[MatchSummary](), list[MatchSummary]()
        after = 0
        while matches := work.matches.playing(after, BATCH):
            for match in matches:
                if match.lacks_rules != (PauseReason.GAME in match.clock.pauses):
                    (missing if match.lacks_rules else back).append(_changed(work, match))
            after = matches[-1].id
        if not missing and not back:
            return 0
        work.matches.save_clocks([*missing, *back])
        mark_feeds(work)
        for match in back:
            work.jobs.enqueue("bots", match.id)
        _tell(work, missing, back)
    for match in back:
        _resign_former(club, match.id)
    log.warning("games", missing=len(missing), back=len(back))
    return len(missing) + len(back)


def _resign_former(club: Club, match_id: int) -> None:
    """Resign for players who left the club while the game was missing.

    Rules that fail stop nothing but this.
    """
    try:
        with writing(club) as work:
            match = work.lock_match(match_id)
            players = [work.players.get(each) for each in match.players]
            left = [each for each in players if each.former and not match.has_resigned(each.id)]
            give_up(work, match, left)
    except Exception:
        log.exception("former players were not resigned", match=match_id)


def _changed(work: Work, match: MatchSummary) -> MatchSummary:
    """Return a match with its clock paused or resumed."""
    at = counted(work, work.now)
    change = match.clock.pause if match.lacks_rules else match.clock.resume
    return rescheduled(work, replace(match, clock=change(PauseReason.GAME, at)), at)


def _tell(work: Work, missing: Sequence[MatchSummary], back: Sequence[MatchSummary]) -> None:
    for player, matches in _by_player(missing).items():
        _tell_player(work, player, matches, GamesMissing)
    for player, matches in _by_player(back).items():
        _tell_player(work, player, matches, GamesBack)
    tell_director(work, DirectorGames(_games(missing), [match.id for match in back]))


def _by_player(matches: Sequence[MatchSummary]) -> Mapping[PlayerId, Sequence[MatchSummary]]:
    found = dict[PlayerId, list[MatchSummary]]()
    for match in matches:
        for player in match.players:
            found.setdefault(player, []).append(match)
    return found


def _tell_player(
    work: Work,
    player_id: PlayerId,
    matches: Sequence[MatchSummary],
    kind: type[GamesMissing | GamesBack],
) -> None:
    player = work.players.get(player_id)
    if player.gets_mail:
        post(work, kind([_turn(work, match, player) for match in matches]), player)


def _turn(work: Work, match: MatchSummary, player: Player) -> TurnDue:
    names = names_in(work, match, player)
    flag_at = match.clock.flag_at if match.player_to_act == player.id else None
    until = None if flag_at is None else due(flag_at, player.time_zone, work.now)
    return TurnDue(match, [names[each] for each in match.others(player.id)], until)


def _games(matches: Sequence[MatchSummary]) -> Sequence[WaitingGame]:
    """Return the missing games, each with its matches and the reason."""

    def key(match: MatchSummary) -> tuple[str, int, str]:
        return match.game_key, match.rules_version, match.provider

    return [
        WaitingGame(game, version, provider, _why(game, version, provider), [m.id for m in waiting])
        for (game, version, provider), waiting in groupby(sorted(matches, key=key), key)
    ]


def _why(key: str, rules_version: int, provider: str) -> Phrase | str:
    """Return why a game cannot be played."""
    try:
        game_of(key, rules_version, provider)
    except OptionError as error:
        return error.reason
    return ""
