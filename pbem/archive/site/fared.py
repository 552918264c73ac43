"""How a member has fared, added up match by match."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.archive.site.values import MemberResults
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.shares import seat_held, share_of


def with_matches(
    results: Iterable[MemberResults], player: PlayerId, matches: Iterable[MatchSummary]
) -> Sequence[MemberResults]:
    """Results with what ended matches add, by game; those in which they have no share add none."""
    found = {each.game_key: each for each in results}
    for match in matches:
        share = share_of(match, player)
        if share and match.result is not None:
            before = found.get(match.game_key, MemberResults(match.game_key, 0, 0, 0))
            winners = match.result.winners
            won = seat_held(match, player) in winners
            found[match.game_key] = MemberResults(
                match.game_key,
                before.matches + share,
                before.won + (share if won else 0),
                before.drawn + (0 if winners else share),
            )
    return [found[key] for key in sorted(found)]
