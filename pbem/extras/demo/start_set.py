"""Add the players and start their set: `python -m pbem.extras.demo.start_set CONFIG`.

One process does both, since each start takes a second. It is not the demonstration's own, whose
environment may hold settings of another club.
"""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

from pbem.extras.demo.run import BOARD, NAMES, address_of
from pbem.games import game_of
from pbem.matches.competitions.set import MatchSet
from pbem.matches.terms import usual_options
from pbem.run.bootstrap.club import build_club
from pbem.run.config import load_config
from pbem.service.club import Club
from pbem.service.play.start import start_competition
from pbem.service.work import writing
from pbem.settings import board


def start_set(club: Club) -> None:
    """Add the players and start their set."""
    game = game_of(BOARD)
    with writing(club) as work:
        players = [work.players.add(name, [address_of(name)], joined_at=work.now) for name in NAMES]
        for player in players:
            # Drawing pictures of boards would take most of the time.
            work.players.choose(player.id, board.SETTING.key, "letters")
        seated = tuple(player.id for player in players)
        start_competition(work, MatchSet(game.info.key, seated, usual_options(game), work.now))


if __name__ == "__main__":
    club = build_club(load_config(Path(sys.argv[1])))
    with closing(club.storage):
        start_set(club)
