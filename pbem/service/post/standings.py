"""Standings: competitions laid out for their readers."""

from __future__ import annotations

from pbem.mail.outgoing.competition_view import CompetitionView
from pbem.matches.competition import Competition
from pbem.matches.match import MatchSummary
from pbem.matches.place import Place
from pbem.service.ports import UnitOfWork


def competition_of(uow: UnitOfWork, match: MatchSummary) -> Competition | None:
    """What a match belongs to."""
    return None if match.place is None else uow.competitions.get(match.place.competition)


def standing_of(
    uow: UnitOfWork, competition: Competition, place: Place | None = None, *, head: bool = True
) -> CompetitionView:
    """A competition as it stands, for the mail of the match at a place if one is given."""
    return CompetitionView(
        of=competition,
        matches=uow.matches.of_competition(competition.id),
        names={player: uow.players.get(player).name for player in competition.players},
        place=place,
        head=head,
    )
