"""People as everybody may know them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.archive.site.values import Person
from pbem.matches.match import Player, PlayerId
from pbem.settings import notes, page


def shows_page(player: Player) -> bool:
    """Whether there is a page of theirs; bots have one: how strong they are is worth knowing."""
    return bool(player.bot) or (page.SETTING.of(player) == page.FULL and not player.former)


def shows_notes(player: Player) -> bool:
    """Whether everybody may read what they wrote beside their moves, after the end."""
    return notes.SETTING.of(player) == notes.PUBLIC


def is_hidden(player: Player) -> bool:
    """Whether nobody may know who they are."""
    return not player.bot and page.SETTING.of(player) == page.HIDDEN


def together(players: Iterable[Player]) -> Mapping[PlayerId, Person]:
    """Those who are named together, so that no two have the same name."""
    people, hidden = dict[PlayerId, Person](), 0
    for player in players:
        name, hides = player.name, is_hidden(player)
        if hides:
            hidden += 1
            name = "a member" if hidden == 1 else f"a member ({hidden})"
        people[player.id] = Person(player.id, name, shows_page(player), bool(player.bot), hides)
    return people
