"""Addresses fail and work again."""

from __future__ import annotations

from pbem.service.members.own_addresses import accept
from pbem.service.work import reading, writing
from tests.conversations.returned import comes_back, newest
from tests.years.years import Years


def a_mail_comes_back(years: Years) -> None:
    """An email bounces, and its player becomes unreachable."""
    match = years.some_match()
    if match is None:
        return
    player = years.chance.choice(years.state(match).players)
    if not years.someone[player].reachable:
        return
    years.notes(f"of player {player}")
    years.clock.is_at(years.now + 1)
    comes_back(years.house, newest(years.house, years.person(player), match))
    years.passes()
    if _reachable(years, player):
        return
    years.someone[player].reachable = False
    for table in years.tables.values():
        if table.to_act == player:
            table.paused.add("unreachable")


def an_address_works_again(years: Years) -> None:
    """An address works again: its player writes from it, or the director says so."""
    lost = [each.number for each in years.someone.values() if not each.reachable]
    if not lost:
        return
    player = years.chance.choice(lost)
    person = years.person(player)
    mine = [match for match in years.playing() if player in years.state(match).players]
    matches = [match for match in mine if years.has_mail(player, match)]
    years.notes(f"of player {player}")
    years.clock.is_at(years.now + 1)
    if matches and years.chance.randrange(2):
        person.says("show", years.newest(person, matches[0]), quoting=False)
    else:
        with writing(years.house.club) as work:
            accept(work, work.players.get(player), person.address)
    years.house.works()
    assert _reachable(years, player)
    years.is_reached(player)


def _reachable(years: Years, player: int) -> bool:
    with reading(years.house.club) as work:
        return work.players.get(player).reachable


HAPPENINGS = ((a_mail_comes_back, 2), (an_address_works_again, 2))
