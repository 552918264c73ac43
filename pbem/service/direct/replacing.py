"""Replacing: let a member take over all of a player's seats in a competition, and their entry.

Their results so far go with the entry. All or nothing: if one match allows no replacement, none
is changed.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.matches.competition import Competition
from pbem.matches.director_actions import DecisionError
from pbem.matches.match import MatchSummary, Player
from pbem.matches.words import phrase
from pbem.service.clocks.calendars import store
from pbem.service.competitions.running import proceed
from pbem.service.direct.announcing import Recipients, competition_named
from pbem.service.direct.decide import Director, carry_out, log, tell_others
from pbem.service.direct.orders import Order, member_named, substitution, tried, with_names
from pbem.service.people import together
from pbem.service.post.competition_news import tell
from pbem.service.work import Work


def names_in(work: Work, audience: Recipients) -> list[str]:
    """Return the names of a competition's players. Raises DecisionError if there is none."""
    return [work.players.get(each).name for each in competition_named(work, audience).players]


def require_replaceable(work: Work, audience: Recipients, name: str, successor: str) -> None:
    """Raise DecisionError unless a member can take over a player's entry in a competition."""
    competition = competition_named(work, audience)
    if competition.unstarted:
        raise DecisionError(phrase("entry.not-running", number=competition.number))
    player, new = _entrant(work, competition, name), member_named(work, successor)
    matches = work.matches.of_competition(competition.id)
    if competition.standing(matches).over:
        raise DecisionError(phrase("direct.all-over", whom=str(audience)))
    if new.id in competition.players or any(new.id in match.players for match in matches):
        raise DecisionError(phrase("direct.in-it-already", name=new.name, whom=str(audience)))
    if str(competition.players.index(player.id) + 1) in competition.entries.withdrawn:
        reason = phrase("entry.gone", name=player.name, number=competition.number)
        raise DecisionError(reason)
    for order in _orders(work, _running(work, competition, player), player, new, ""):
        tried(work, order)


def replace_in(
    work: Work, audience: Recipients, name: str, successor: str, reason: str, by: Director
) -> str:
    """Let a member take over a player's entry and unfinished matches. Return the log line.

    Both members get an email, besides the emails about the matches. Raises DecisionError.
    """
    require_replaceable(work, audience, name, successor)
    competition = competition_named(work, audience)
    player, new = _entrant(work, competition, name), member_named(work, successor)
    # Matches are locked before their competition, as when a match ends.
    for _ in range(2):  # another match may start until the competition is locked
        for match in _running(work, competition, player):
            work.matches.lock(match.id)
        competition = work.competitions.lock(competition.id)
    competition = competition.with_successor(player.id, new.id)
    # Emails about the matches show the successor in the table.
    store(work, competition)
    for order in _orders(work, _running(work, competition, player), player, new, reason):
        carry_out(work, order)
        log(work, by, order.line, reason, order.match)
    _tell(work, competition, player, new, reason)
    if competition.announcement is not None:
        proceed(work, work.competitions.lock(competition.id))
    line = f"replace {{{player.id}}} {{{new.id}}} in {audience}"
    log(work, by, line, reason)
    tell_others(work, by, with_names(work, line), reason)
    return with_names(work, line)


def _tell(work: Work, of: Competition, old: Player, new: Player, reason: str) -> None:
    """Send an email to the member who has taken over an entry, and to the one who had it."""
    called = together((old, new))
    for player, other, did in ((new, old, "taken-over"), (old, new, "replaced")):
        tell(work, of, [player.id], did, reason, called[other.id].name)


def _entrant(work: Work, competition: Competition, name: str) -> Player:
    players = work.players.get_all(competition.players)
    for player in players:
        if player.name.casefold() == name.strip().casefold():
            return player
    whom, names = f"{competition.kind} {competition.number}", [each.name for each in players]
    raise DecisionError(f"{name} does not play in {whom}. Its players are {', '.join(names)}")


def _running(work: Work, competition: Competition, player: Player) -> list[MatchSummary]:
    matches = work.matches.of_competition(competition.id)
    return [each for each in matches if each.result is None and player.id in each.players]


def _orders(
    work: Work, matches: Sequence[MatchSummary], player: Player, new: Player, reason: str
) -> list[Order]:
    return [substitution(work, match.id, player.name, new.name, reason) for match in matches]
