"""`resign`: gives the match up; in a side of two, once both have."""

from __future__ import annotations

from pbem.commands.api import Asked, Command, Done, Need
from pbem.matches.acting import resign


def _run(asked: Asked) -> Done:
    return Done.changed(resign(asked.match, asked.player.id, asked.now), final=True)


COMMANDS = (Command("resign", "give the match up", _run, need=Need.NEWEST),)
