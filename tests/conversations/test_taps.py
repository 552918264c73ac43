"""Answering by a tap: every link of a mail does exactly what it says."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest

from pbem.games.api import AnyGame
from pbem.inbox.judge import judge
from pbem.inbox.judgement import Accepted, Judgement
from pbem.mail.message.message import digest, read_message
from pbem.matches.match import MatchSummary
from pbem.service.ports import InboundMail
from pbem.service.work import writing
from tests.conversations.house import House, Person
from tests.conversations.tapping import Link, links_of, tapped, taps
from tests.games.random_matches import every_game
from tests.support.examples import examples

COMMANDS = {"legal", "show", "history", "draw?", "draw", "no draw", "resign"}
STEPS = 60
"""Links that are followed one after another in each match."""
EVERY = 12
"""After so many of them all links of the mail are tried."""


def judged(house: House, person: Person, link: Link) -> Judgement:
    """What the club would make of a tapped mail; nothing is changed by it."""
    raw = tapped(person, link)
    message = read_message(raw)
    at = (house.clock.now(), house.clock.now())
    mail = InboundMail(2**31 - 1, raw, *at, message.message_id, digest(raw), person.address)
    found: list[Judgement] = []
    with suppress(Undone), writing(house.club) as work:
        found.append(judge(work, mail, ()))
        raise Undone
    return found[0]


class Undone(Exception):
    """What was tried is not to be kept."""


def does_what_it_says(house: House, person: Person, link: Link) -> None:
    judgement, said = judged(house, person, link), link.body.removesuffix("\r\n")
    assert isinstance(judgement, Accepted), (link, judgement)
    assert not judgement.requests.note
    match = house.state()
    if said in COMMANDS:
        assert judgement.requests.told == (said,)
        assert said != "resign" or (judgement.done.match and judgement.done.events)
        return
    action, going_on = said.removesuffix(" ..."), said.endswith(" ...")
    assert link.label in (said, action, "End the turn", link.label)
    played = [each.text for each in judgement.done.played]
    after = judgement.done.match
    assert after is not None
    still_open = (after.turn, after.to_act) == (match.turn, match.to_act)
    if going_on:
        assert (played, still_open) == ([action], True)
    else:
        assert played in ([action], [action, "."])
        assert not still_open or after.game.closing(after.position) is None


def told_apart(links: list[Link]) -> tuple[list[Link], list[Link]]:
    """Links to actions, and to commands."""
    actions = [each for each in links if each.body.removesuffix("\r\n") not in COMMANDS]
    return actions, [each for each in links if each not in actions]


def people_of(house: House, game: AnyGame, number: int) -> dict[int, Person]:
    people = [house.player(name) for name in ("Anna", "Bert", "Clara", "Doro", "Emil")[:number]]
    house.match(game.info.key, *people)
    return {person.player.id: person for person in people if person.player}


def to_act(house: House, people: dict[int, Person]) -> Person | None:
    match: MatchSummary = house.state()
    return None if match.player_to_act is None else people[match.player_to_act]


@pytest.mark.thorough
@every_game
def test_every_tap_of_random_positions_plays_what_it_says(house: House, game: AnyGame) -> None:
    chance, tried = Random(game.info.key), set[str]()
    people = people_of(house, game, max(game.info.holders))
    for step in range(examples(STEPS)):
        person = to_act(house, people)
        if person is None:
            break
        person.receives()
        links = links_of(person.latest)
        actions, commands = told_apart(links)
        assert actions, person.latest.html
        assert {each.subject for each in commands} == {f"Re: {person.latest.message['Subject']}"}
        assert {each.address for each in links} == {person.latest.reply_to}
        if step % EVERY == 0:
            for link in links:
                does_what_it_says(house, person, link)
                tried.add(link.label)
        taps(person, chance.choice(actions))
        house.works()
    assert len(tried) > 10
