"""Listed: the members whom a member is told about: names, and nothing else of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.matches.match import Player
from pbem.service.room.people import is_hidden
from pbem.service.work import Work

MOST_LISTED = 300
"""Members in one list."""


@dataclass(frozen=True)
class Members:
    """Members whose names begin alike, or all."""

    names: Sequence[str]
    left_out: int
    """How many more there are."""


def listed_members(work: Work, reader: Player, beginning: str = "") -> Members:
    """Those who are not hidden, by name; a reader who hides sees themself."""
    names = [
        each.name
        for each in work.players.all()
        if each.gets_mail
        and each.name.casefold().startswith(beginning.casefold())
        and (each.id == reader.id or not is_hidden(each))
    ]
    return Members(names[:MOST_LISTED], max(0, len(names) - MOST_LISTED))
