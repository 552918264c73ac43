"""Send position: email a match as it stands again, at the director's request."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.matches.event import SentAgain
from pbem.matches.match import Match, Player
from pbem.ports.process import StorageError
from pbem.service.play.notices import News, tell_players
from pbem.service.work import Work


def send_position(
    work: Work,
    number: int,
    player: Player | None = None,
    *,
    everybody: bool = False,
) -> list[Player]:
    """Queue a match's position for the player to act, another one, or all. Return the readers.

    If the match has ended, all get it. Raises StorageError if no email would go.
    """
    match = work.lock_match(number)
    readers = _readers(work, match, player, everybody=everybody)
    for reader in readers:
        if not reader.reachable:
            raise StorageError(
                f"no address of {reader.name} accepts email. If one does, this sends the position: "
                f'pbem member address works "{reader.name}" ADDRESS'
            )
        tell_players(work, News(match, (SentAgain(reader.id),)))
    return list(readers)


def _readers(
    work: Work, match: Match, player: Player | None, *, everybody: bool
) -> Sequence[Player]:
    players = [work.players.get(each) for each in match.players]
    if player is not None:
        if player.id not in match.players:
            names = ", ".join(each.name for each in players)
            raise StorageError(
                f"{player.name} does not play in match {match.id}. Its players are {names}"
            )
        players = [player]
    elif not everybody and match.player_to_act is not None:
        players = [work.players.get(match.player_to_act)]
    people = [each for each in players if each.gets_mail]
    if not people:
        names = ", ".join(each.name for each in players)
        raise StorageError(f"{names} is a computer opponent and gets no email")
    return people
