"""Competitions: begun, and gone on with as their matches end."""

from __future__ import annotations

from dataclasses import replace

from pbem.games import game_of
from pbem.matches.competition import Competition
from pbem.matches.match import Match, new_match
from pbem.service.play.start import begin, require_distinct
from pbem.service.ports import CompetitionT
from pbem.service.work import Work


def start_competition(
    work: Work, competition: CompetitionT, public: str = "", offer: int = 0
) -> CompetitionT:
    """A competition with the matches that are due in it at once.

    They are public when the club's are, unless told otherwise; `offer` is what it comes of.

    Raises OptionError if its players cannot play it, or somebody is named twice.
    """
    require_distinct([work.players.get(player) for player in competition.players])
    competition.require_playable()
    competition = work.competitions.add(competition)
    _start_due(work, competition, public, offer)
    return competition


def go_on(work: Work, match: Match) -> None:
    """Starts what is due once a match has ended, if it belongs to a competition."""
    if match.result is not None and match.place is not None:
        _start_due(work, work.competitions.lock(match.place.competition))


def _start_due(work: Work, competition: Competition, public: str = "", offer: int = 0) -> None:
    game, begun = game_of(competition.game_key), work.matches.of_competition(competition.id)
    public = begun[0].public if begun else public
    for pairing in competition.due(begun):
        place = competition.place(pairing)
        match = new_match(game, pairing.players, competition.options, work.now, place=place)
        begin(work, replace(match, public=public), offer)
