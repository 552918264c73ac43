"""A member's results, added up match by match."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from pbem.archive.site.values import MemberResults
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.score import seat_held, share_of


def with_matches(
    results: Iterable[MemberResults],
    player: PlayerId,
    matches: Iterable[MatchSummary],
    bots: Collection[PlayerId],
) -> Sequence[MemberResults]:
    """Return results by game, with ended matches added. A match counts if the member has a share.

    Matches that started with a bot among the others are counted separately. A bot that took over
    later makes no difference.
    """
    found = {(each.game_key, each.computers): each for each in results}
    for match in matches:
        share, result = share_of(match, player), match.result
        if not share or result is None:
            continue
        key = match.game_key, began_with(match, bots, player)
        before = found.get(key, MemberResults(match.game_key, 0, 0, 0, key[1]))
        takes = seat_held(match, player) in result.winners
        found[key] = MemberResults(
            match.game_key,
            before.matches + share,
            before.won + (share if takes and not result.drawn else 0),
            before.drawn + (share if result.drawn and (takes or not result.winners) else 0),
            key[1],
        )
    return [found[key] for key in sorted(found)]


def began_with(
    match: MatchSummary, bots: Collection[PlayerId], player: PlayerId | None = None
) -> bool:
    """Return whether a match started with one of these bots, not counting `player`."""
    return any(each in bots and each != player for each in match.began.values())
