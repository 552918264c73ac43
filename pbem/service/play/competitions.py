"""Competitions: begun, and gone on with as their matches end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pbem.games import game_of
from pbem.matches.acting import resign
from pbem.matches.competition import Competition
from pbem.matches.event import BEGUN, Event, LeftTheClub, MatchBegun
from pbem.matches.match import Match, Player, new_match
from pbem.ports.play import CompetitionT
from pbem.service.play.notices import News
from pbem.service.play.notify import notify
from pbem.service.play.record import record
from pbem.service.play.start import begin, require_distinct, stored
from pbem.service.work import Work


def start_competition(
    work: Work, competition: CompetitionT, public: str = "", told: MatchBegun = BEGUN
) -> CompetitionT:
    """A competition with the matches that are due in it at once.

    They are public when the club's are, unless told otherwise; `told` says what it comes of.

    Raises OptionError if its players cannot play it, or somebody is named twice.
    """
    require_distinct([work.players.get(player) for player in competition.players])
    competition.require_playable()
    competition = work.competitions.add(competition)
    _start_due(work, competition, public, told)
    return competition


def go_on(work: Work, match: Match) -> None:
    """Starts what is due once a match has ended, if it belongs to a competition."""
    if match.result is not None and match.place is not None:
        _start_due(work, work.competitions.lock(match.place.competition))


def _start_due(
    work: Work, competition: Competition, public: str = "", told: MatchBegun = BEGUN
) -> None:
    game, begun = game_of(competition.game_key), work.matches.of_competition(competition.id)
    public = begun[0].public if begun else public
    for pairing in competition.due(begun):
        place = competition.place(pairing)
        match = new_match(game, pairing.players, competition.options, work.now, place=place)
        _begin(work, replace(match, public=public), told)


def _begin(work: Work, match: Match, told: MatchBegun) -> None:
    """Begins a match; those of its players who have left the club give it up at once."""
    former = [player for player in map(work.players.get, match.players) if player.former]
    if not former:
        begin(work, match, told)
        return
    give_up_all(work, stored(work, match), former, (told,))


def give_up_all(
    work: Work, match: Match, players: Iterable[Player], events: tuple[Event, ...]
) -> Match:
    """Players who have left the club resign; what happened before is told once."""
    for player in players:
        if match.result is None:
            match, events = give_up(work, match, player, events), ()
    return match


def give_up(work: Work, match: Match, player: Player, before: tuple[Event, ...] = ()) -> Match:
    """A player who has left the club resigns a locked match; what happened before is told too."""
    change = resign(match, player.id, work.now)
    match = record(work, match, change, work.now)
    notify(work, News(match, events=(*before, LeftTheClub(player.id), *change.events)))
    go_on(work, match)
    return match
