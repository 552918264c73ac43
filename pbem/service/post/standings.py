"""Standings: competitions laid out for their readers."""

from __future__ import annotations

from pbem.mail.outgoing.competition_view import CompetitionView
from pbem.matches.competition import Competition
from pbem.matches.match import MatchSummary
from pbem.matches.place import Place
from pbem.ports.storage import UnitOfWork


def competition_of(uow: UnitOfWork, match: MatchSummary) -> Competition | None:
    """What a match belongs to."""
    return None if match.place is None else uow.competitions.get(match.place.competition)


def standing_of(
    uow: UnitOfWork, competition: Competition, place: Place | None = None, *, head: bool = True
) -> CompetitionView:
    """A competition as it stands, for the mail of the match at a place if one is given."""
    matches = uow.matches.of_competition(competition.id)
    # Somebody may play on for another who never entered it.
    everybody = {*competition.players, *(each for match in matches for each in match.players)}
    return CompetitionView(
        of=competition,
        matches=matches,
        names={player: uow.players.get(player).name for player in everybody},
        place=place,
        head=head,
    )
