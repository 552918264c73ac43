"""Readable: which matches somebody may ask about by number."""

from __future__ import annotations

from pbem.archive.site import addresses
from pbem.mail.outgoing.kinds.refusals import RefusedError, UnknownMatch
from pbem.matches.competition import Competition
from pbem.matches.match import MatchSummary, Player
from pbem.ports.process import StorageError
from pbem.service.people import is_director
from pbem.service.work import Work


def played_by(work: Work, player: Player, number: str) -> MatchSummary:
    """Return a match of a player, by its number as written. Raises RefusedError."""
    match = _stored(work, number)
    if match is None or player.id not in match.players:
        raise RefusedError(UnknownMatch(int(number.lstrip("#"))))
    return match


def read_by(work: Work, player: Player, number: str) -> MatchSummary:
    """Return a match that a player may read, by its number as written. Raises RefusedError.

    A match that they may not read and one that does not exist are refused alike.
    """
    match = _stored(work, number)
    if match is None or not _may_read(work, player, match):
        raise RefusedError(UnknownMatch(int(number.lstrip("#"))))
    return match


def _may_read(work: Work, player: Player, match: MatchSummary) -> bool:
    return player.id in match.players or is_public(work, match) or directs(work, player, match)


def may_read_table(work: Work, player: Player, of: Competition) -> bool:
    """Return whether a player may read the table of a competition that nobody announced.

    Nobody may while one of its matches is blind.
    """
    matches = work.matches.of_competition(of.id)
    readable = player.id in of.players or any(_may_read(work, player, each) for each in matches)
    return readable and not any(each.hides_names for each in matches)


def is_public(work: Work, match: MatchSummary) -> bool:
    """Return whether everybody may read a match, by the settings of the reading room."""
    return work.club.shows(match)


def turn_link(work: Work, match: MatchSummary, turn: int) -> str:
    """Return the address of a turn in the reading room, empty if it is not public there."""
    room = work.club.room
    if room is None or not room.site.url or not is_public(work, match):
        return ""
    if match.result is None and turn > 0 and turn >= match.turn - room.delay:
        return ""
    return f"{room.site.url}{addresses.match_page(match)}#turn-{turn}"


def directs(work: Work, player: Player, match: MatchSummary) -> bool:
    """Return whether somebody may read a match as a director.

    A director who plays in its competition is a player there until the match is over.
    """
    if player.id in match.players or not is_director(work.club, player):
        return False
    if match.place is None or match.result is not None:
        return True
    others = work.matches.of_competition(match.place.competition)
    entered = work.competitions.get(match.place.competition).players
    return player.id not in entered and all(player.id not in each.players for each in others)


def _stored(work: Work, number: str) -> MatchSummary | None:
    try:
        return work.matches.get(int(number.lstrip("#")))
    except StorageError:
        return None
