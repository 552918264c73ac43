"""Emails that abuse makes the club send to others: `python -m bench.abuse`.

A club in memory, driven as the conversation tests drive it. Each line is one attack: how many
emails the attacker sent, and how many the victim got.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import structlog

from pbem.inbox.poll import poll
from pbem.service.club import Joining
from tests.conversations.house import House, Person
from tests.conversations.post_office import Fakes
from tests.fakes.clock import FakeClock
from tests.fakes.storage import FakeStorage


def main() -> None:
    """Print a line for each attack."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    print(f"{'attack':<44}{'emails in':>10}{'at once':>10}{'in 3 days':>10}")
    for attack in (plus_addresses, backlog, withdrawals, pauses, counters, draws):
        clock = FakeClock()
        with tempfile.TemporaryDirectory() as folder:
            house = House(Fakes(clock), FakeStorage(), clock, Path(folder))
            with closing(house):
                house.club = replace(
                    house.club, policy=replace(house.club.policy, joining=Joining.OPEN)
                )
                emails, victims = attack(house)
                house.works()
                at_once = received(victims)
                for _ in range(73):
                    house.skips(days=1 / 24)
                later = at_once + received(victims)
        print(f"{attack.__doc__ or '':<44}{emails:>10}{at_once:>10}{later:>10}")


Attack = Callable[[House], tuple[int, list[Person]]]


def received(people: Iterable[Person]) -> int:
    """Return how many emails have come since the last look."""
    return sum(len(each.receives()) for each in people)


def plus_addresses(house: House) -> tuple[int, list[Person]]:
    """45 forged joins, one mailbox"""
    eve, victim = house.stranger("eve@evil.example"), house.stranger("victim@mail.example")
    people = [victim, *(house.stranger(f"victim+{n}@mail.example") for n in range(45))]
    for number, each in enumerate(people[1:]):
        eve.says(f"join Eve {number}", sender=each.address, recipient=house.address)
    return 45, people


def backlog(house: House) -> tuple[int, list[Person]]:
    """280 strangers after nine hours of downtime"""
    people = [house.stranger(f"s{number}@mail.example") for number in range(280)]
    for number, each in enumerate(people):
        each.says(f"join Sam {number}")
    poll(house.club, house.mailbox)
    house.clock.advance(hours=9)
    return 280, people


def withdrawals(house: House) -> tuple[int, list[Person]]:
    """withdraw and challenge, again and again"""
    anna, bert = _welcomed(house)
    _sends(house, anna, ["challenge Bert lancelot"])
    for _ in range(158):
        _sends(house, anna, [f"withdraw {_newest(house)}\nchallenge Bert lancelot"])
    return 159, [bert]


def pauses(house: House) -> tuple[int, list[Person]]:
    """alternating pause? 2 days and no pause"""
    return 300, _in_match(house, ["pause? 2 days", "no pause"] * 150)


def counters(house: House) -> tuple[int, list[Person]]:
    """counter 1, with different days each time"""
    anna, bert = _welcomed(house)
    _sends(house, bert, ["challenge Anna lancelot"])
    anna.receives(), bert.receives()
    _sends(house, anna, [f"counter 1 days={2 + number % 25}" for number in range(100)])
    return 100, [bert]


def draws(house: House) -> tuple[int, list[Person]]:
    """draw? again and again"""
    return 100, _in_match(house, ["draw?"] * 100)


def _welcomed(house: House) -> tuple[Person, Person]:
    people = house.player("Anna"), house.player("Bert")
    for each in people:
        _sends(house, each, ["settings"])
    return people


def _in_match(house: House, texts: Iterable[str]) -> list[Person]:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert, days=30)
    anna.receives(), bert.receives()
    _sends(house, anna, texts)
    return [bert]


def _sends(house: House, person: Person, texts: Iterable[str]) -> None:
    for text in texts:
        person.says(text, quoting=False)
        house.works()
        person.receives()


def _newest(house: House) -> int:
    """Return the number of the newest open offer."""
    with house.club.storage.reading() as uow:
        return max(offer.number for offer in uow.offers.standing())


if __name__ == "__main__":
    main()
