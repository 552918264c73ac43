"""News: show an announced competition to its readers, and tell players and directors about it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from pbem.mail.outgoing.competition_view import CompetitionView
from pbem.mail.outgoing.entry_view import EntryView
from pbem.mail.outgoing.kinds import CompetitionNews, DirectorCompetition
from pbem.matches.announcement import ZONE
from pbem.matches.competition import Competition
from pbem.matches.history import Kind
from pbem.matches.match import MatchSummary, Player, PlayerId
from pbem.service.clocks.calendars import competition_calendar
from pbem.service.people import is_director, together, whom_directors_are
from pbem.service.post.post import post, standing_of
from pbem.service.work import Work


def view(work: Work, of: Competition, reader: Player | None = None) -> EntryView:
    """Return a competition as a reader sees it."""
    waiting = of.announcement.waiting if of.announcement is not None else ()
    standing = None if of.unstarted else standing_of(work, of)
    players = standing.names if standing is not None else ()
    return EntryView(
        of=of,
        names=_names(work, (*of.players, *waiting), players, reader),
        words=work.club.club_renderer.words,
        now=work.now,
        you=reader.id if reader else None,
        time_zone=reader.time_zone if reader else ZONE,
        standing=seen_by(work, standing, reader) if standing is not None else None,
    )


def seen_by(work: Work, of: CompetitionView, reader: Player | None) -> CompetitionView:
    """Return a standing as a reader sees it."""
    return replace(of, names=_names(work, of.names, of.names, reader))


def _names(
    work: Work,
    people: Iterable[PlayerId],
    players: Collection[PlayerId],
    reader: Player | None,
) -> Mapping[PlayerId, str]:
    """Return how a reader sees people in a competition.

    Only its players and directors see the names of hidden members, as in a match. Before the start
    it has no players. Everybody sees their own name.
    """
    found = work.players.get_all([*people])
    if reader is not None and (reader.id in players or is_director(work.club, reader)):
        return {player.id: player.name for player in found}
    names = {each: person.name for each, person in together(found).items()}
    return names if reader is None or reader.id not in names else {**names, reader.id: reader.name}


def tell(
    work: Work,
    of: Competition,
    players: Iterable[PlayerId],
    did: str,
    reason: str = "",
    other: str = "",
) -> None:
    """Tell players news of a competition (`CompetitionNews`)."""
    for player in map(work.players.get, players):
        if not player.bot:
            mail = CompetitionNews(view(work, of, player), did, reason, other)
            post(work, mail, player, attachments=competition_calendar(work, player, of))


def tell_byes(work: Work, of: Competition, started: Sequence[MatchSummary]) -> None:
    """Tell players who have a bye that a round has started, but for the first round.

    Players who asked for their bye know of it.
    """
    if of.announcement is None or not started:
        return
    new = {match.id for match in started}
    before = [each for each in work.matches.of_competition(of.id) if each.id not in new]
    if before:
        tell(work, of, of.sitting_out(before, started), "bye")


def tell_left(work: Work, of: Competition, player: PlayerId, gain: Iterable[PlayerId]) -> None:
    """Tell the opponents of a withdrawn player what they gain from it."""
    tell(work, of, gain, "left", other=together((work.players.get(player),))[player].name)


def tell_freed(work: Work, of: Competition, index: int) -> None:
    """Tell players who need not play a withdrawn player, after one of the others has ended."""
    if of.announcement is not None and of.entries.withdrawn and of.continues:
        matches = work.matches.of_competition(of.id)
        for player, freed in of.freed_by(index, matches):
            tell_left(work, of, player, [freed])


def report(
    work: Work,
    of: Competition,
    did: str,
    *,
    player: Player | None = None,
    match: int = 0,
    reason: str = "",
    told: Iterable[PlayerId] = (),
) -> None:
    """Report to the directors what happened without them, except to those already told."""
    known = set(told)
    mail = DirectorCompetition(view(work, of), did, player.name if player else "", match, reason)
    for director in whom_directors_are(work):
        member = isinstance(director, Player)
        if not (isinstance(director, Player) and director.id in known):
            post(work, replace(mail, by_mail=member), director)


def report_lost_on_time(work: Work, of: Competition, match: MatchSummary, player: PlayerId) -> None:
    """Report a player's first loss on time in an announced competition."""
    if of.announcement is None:
        return
    others = (each for each in work.matches.of_competition(of.id) if each.id != match.id)
    if not any(_lost_on_time(work, each, player) for each in others):
        report(work, of, "lost", player=work.players.get(player), match=match.id)


def _lost_on_time(work: Work, match: MatchSummary, player: PlayerId) -> bool:
    if player not in match.players:
        return False
    lost = (each for each in work.matches.happenings(match.id) if each.kind is Kind.LOST_ON_TIME)
    return any(match.seats[each.seat] == player for each in lost)
