"""Views: a match, and the standings of its competition, as its players see them in emails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.mail.outgoing.competition_view import CompetitionView
from pbem.mail.outgoing.match_view import MatchView
from pbem.matches.competition import Competition
from pbem.matches.match import Match, MatchSummary, Player, RecordedAction
from pbem.matches.place import Place
from pbem.matches.score import since_last_turn, trails, turn_lines
from pbem.ports.storage import UnitOfWork
from pbem.service.clocks.schedule import wide_pauses
from pbem.service.work import Work
from pbem.settings import mails

ROUNDS_SEARCHED = 6
"""Rounds looked back for a player's last turn that is not in the last one; a bound on what one mail
costs."""


def view_of(work: Work, match: Match, player: Player) -> MatchView:
    """A match as one player sees it."""
    return next(views_of(work, match, [player]))


def views_of(work: Work, match: Match, players: Sequence[Player]) -> Iterator[MatchView]:
    """A match as each of some players sees it; what they share is read once."""
    known = {player.id: player for player in players}
    everybody = [known.get(each) or work.players.get(each) for each in match.players]
    names = {each.id: each.name for each in everybody}
    bots = [each.id for each in everybody if each.bot]
    wide = wide_pauses(work, match)
    recorded = _recorded_lately(work, match)
    lines = turn_lines(match.game, tuple(match.seats), recorded)
    last = trails(match.game, recorded, match.seats)
    competition = competition_of(work, match)
    standing = None if competition is None else standing_of(work, competition, match.place)
    for player in players:
        yield MatchView(
            match=match,
            you=player,
            names=names,
            now=work.now,
            words=work.club.club_renderer.words,
            since=since_last_turn(lines, match.seats_of(player.id)),
            trails=last,
            due_at=match.clock.flag_at,
            competition=standing,
            mails=mails.chosen(player, match),
            bots=bots,
            wide_pauses=wide,
        )


def _recorded_lately(work: Work, match: Match) -> Sequence[RecordedAction]:
    """Actions since the last turn of each player: mostly those of one round."""
    round_ago = max(0, match.turn - len(match.seats))
    recorded = work.matches.recorded(match.id, round_ago)
    if round_ago and len(trails(match.game, recorded, match.seats)) < len(match.players):
        since = max(0, match.turn - ROUNDS_SEARCHED * len(match.seats))
        return work.matches.recorded(match.id, since)
    return recorded


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
