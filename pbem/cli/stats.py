"""`pbem stats`: statistics of a member, of two members or of a game."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli import shell
from pbem.cli.listing import JsonOption, json_of
from pbem.cli.shell import Said
from pbem.mail.outgoing.render import lines_of
from pbem.matches.statistics import game_data, member_data
from pbem.ports.process import StorageError
from pbem.service.statistics import (
    EVERYTHING,
    game_facts,
    member_facts,
    of_game,
    of_member,
    subjects,
)
from pbem.service.work import Work


@shell.reads
def stats(
    work: Work,
    words: Annotated[
        list[str],
        typer.Argument(metavar="WHAT", help="A member, two members, a game: Anna lanko-88."),
    ],
    as_json: JsonOption = False,
) -> Said:
    """Show results, endings and lengths of the matches of a member, a pair or a game."""
    people, game = subjects(words, work.players.named)
    if people is None:
        raise StorageError(f"there is no member or game {' '.join(words)}")
    if people:
        against = people[1].id if len(people) > 1 else None
        of = of_member(work, EVERYTHING, people[0].id, game, against)
        if as_json:
            return json_of([member_data(each) for each in of])
        return lines_of("stats.txt.j2", member_facts(work, people, game, of))
    assert game is not None, "there is a member or a game"
    found = of_game(work, EVERYTHING, game)
    if as_json:
        return json_of([game_data(game, each) for each in found.results])
    return lines_of("stats_of_game.txt.j2", game_facts(work, game, found))
