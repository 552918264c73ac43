"""Checks of the games: broken families, names in the configuration, and matches that wait."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from pbem.cli.doctor.finding import Examined, Finding
from pbem.cli.games import broken
from pbem.games import families, games
from pbem.games.installed import ALL
from pbem.matches.bots import family_bots
from pbem.matches.match import MatchSummary
from pbem.run.config import Config
from pbem.service.problems import ClubPart, problems_of
from pbem.service.records.verify import without_rules
from pbem.service.work import reading

MOST_SHOWN = 10


def installed_games(config: Config) -> Iterator[Finding]:
    """Name each family that cannot be used, and each name in the configuration without a game."""
    for family in families():
        if family.problem is not None:
            remedy = "Update or uninstall it. No other game is affected"
            yield Finding("games", f"{broken(family)}. {remedy}.")
    known = {ALL, *(name for each in families() for name in _names(each.distribution, each.keys))}
    named = dict.fromkeys((*config.games.enabled, *config.games.disabled))
    if unknown := [name for name in named if name not in known]:
        names = ", ".join(unknown)
        yield Finding("games", advice=f"[games] names {names}, but no such game is installed.")
    for each in family_bots():
        if each.problem:
            said = f"[games.{each.name}]: {each.problem}. Its bots cannot play"
            yield Finding("games", f"{said}. Nothing else is affected.")
    strange = sorted(set(config.games.choice.settings) - {family.name for family in families()})
    if strange:
        yield Finding("games", advice=f"[games.{strange[0]}] is for no game that is installed.")
    origins = dict.fromkeys(f"{e.distribution} {e.version}" for e in families() if e.games)
    yield Finding("games", note=f"{len(games())} games, from {', '.join(origins)}")


def _names(distribution: str, keys: tuple[str, ...]) -> Iterator[str]:
    for key in keys:
        yield from (key, f"{distribution}:{key}")


def waiting_matches(examined: Examined) -> Iterator[Finding]:
    """Name the matches in play whose game is not installed."""
    with reading(examined.club) as work:
        waiting = [match for match in without_rules(work) if match.result is None]
    for origin, of in groupby(sorted(waiting, key=_origin), _origin):
        numbers = [str(match.id) for match in of]
        more = f" and {len(numbers) - MOST_SHOWN} more" if len(numbers) > MOST_SHOWN else ""
        what = f"matches wait for {origin}: {', '.join(numbers[:MOST_SHOWN])}{more}"
        yield Finding("games", f"{what}. Install it, and restart the club's services.")


def failing_bots(examined: Examined) -> Iterator[Finding]:
    """Name each kind of bot that fails."""
    for problem in problems_of(examined.status, examined.club.policy.poll_seconds):
        if problem.part is ClubPart.BOTS:
            remedy = 'The log has the reason, beside "bot has no answer"'
            yield Finding("games", f"{problem}. {remedy}. I try again every few minutes.")


def _origin(match: MatchSummary) -> str:
    origin = f" of {match.provider}" if match.provider else ""
    return f"{match.game_key}, rules version {match.rules_version}{origin}"
