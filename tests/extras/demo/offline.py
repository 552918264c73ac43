"""Play the demonstration's sets without mail servers, to find a seed for `pbem demo`.

A seed is suitable if every player meets a position with an ambiguous way to write a capture. That
is
rare, and depends on the rules, the order of the legal actions and the example in a turn email:

  python -m tests.extras.demo.offline 1 500      prints suitable seeds, the shortest set first
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import NamedTuple

from pbem.extras.demo.outside.player.mail import PlayerMail
from pbem.extras.demo.outside.player.player import MailPlayer, Sent
from pbem.extras.demo.run import BOARD, NAMES, address_of
from pbem.games import game_of
from pbem.games.lanko.position import LankoPosition
from pbem.games.phrases import ENGLISH
from pbem.games.text_diagram import paint

GAME = game_of(BOARD)


class Played(NamedTuple):
    """The course of a set."""

    turns: list[int]
    lists: int
    """Number of requests for the list of legal moves."""
    ambiguous: list[str]
    """The players who wrote an ambiguous capture."""


@dataclass
class Person:
    """A player whose emails go nowhere."""

    name: str
    seed: str
    waiting: list[Sent] = field(default_factory=list)
    """Their emails that have not been answered yet."""

    def __post_init__(self) -> None:
        self.player = MailPlayer(address_of(self.name), self.seed, self)

    def send(self, to: str, raw: bytes) -> None:
        """Accept an email of the player. A repeated one gets no answer."""
        sent = next(sent for sent in self.player._sent.values() if sent.raw == raw)
        if sent.kind != "move" or not sent.answers:
            self.waiting.append(sent)

    def receives(self, text: str, answered: Sent | None = None) -> None:
        """Give the player an email from the club."""
        message = EmailMessage()
        message["From"] = message["Reply-To"] = "club@games.example"
        message["Subject"] = "[pbem 1] a match"
        message["Message-ID"] = "<1@games.example>"
        ids = {id(sent): message_id for message_id, sent in self.player._sent.items()}
        message["In-Reply-To"] = ids[id(answered)] if answered else "<0@games.example>"
        self.player.take(PlayerMail(message, text))

    def plays(self, position: LankoPosition) -> str:
        """Return the player's move in a position, after all their questions and mistakes."""
        legal = [GAME.format(position, action) for action in GAME.legal_actions(position)]
        self.receives(_turn_mail(self.name, position, legal))
        while True:
            sent = self.waiting.pop(0)
            if sent.kind == "legal":
                head = f"Legal moves in match 1, turn {position.turn}, for somebody:"
                self.receives(f"{head}\n\n  {'  '.join(legal)}\n", sent)
            elif sent.kind == "move":
                self.receives(f"Thank you, {self.name}. Done: {sent.move}\n", sent)
                self._settle()
                return sent.move
            else:
                self._is_refused(sent)

    def _is_refused(self, sent: Sent) -> None:
        self.receives("\n".join([*sent.expects, "Nothing has changed in the match."]), sent)

    def _settle(self) -> None:
        for sent in self.waiting:
            self._is_refused(sent)
        self.waiting.clear()


def _turn_mail(name: str, position: LankoPosition, legal: list[str]) -> str:
    seat, example = position.seat, legal[position.turn % len(legal)]
    return (
        f"{name}, it is your turn as {seat} (a side), turn {position.turn} of match 1.\n\n"
        f"{paint(GAME.diagram(position, seat), {}, ENGLISH)}\n\n"
        f"Just reply with your move on its own line, for example:\n\n    {example}\n\n"
        f"{len(legal)} legal move{'s' * (len(legal) > 1)}.\n"
    )


def play_set(seed: str) -> Played:
    """Play a set as `pbem demo` does with a seed."""
    people = [Person(name, seed) for name in NAMES]
    turns = []
    for i in range(len(people)):
        solo, south, north = (people[(i + k) % len(people)] for k in range(3))
        turns.append(_play_match({"S": south, "W": solo, "N": north, "E": solo}))
    reports = [person.player.reported() for person in people]
    unclear = [report.name for report in reports if report.sent["ambiguous"]]
    return Played(turns, sum(report.sent["legal"] for report in reports), unclear)


def _play_match(people: Mapping[str, Person]) -> int:
    position: LankoPosition = GAME.initial(len(set(map(id, people.values()))), {})
    turns = 0
    while (seat := GAME.to_act(position)) is not None:
        text = people[seat].plays(position)
        position = GAME.play(position, GAME.parse(position, text, seat))
        turns += 1
    return turns


def main(first: int, last: int) -> None:
    """Print the suitable seeds."""
    sets = {seed: play_set(str(seed)) for seed in range(first, last)}
    good = [seed for seed, played in sets.items() if len(played.ambiguous) == len(NAMES)]
    for seed in sorted(good, key=lambda seed: sum(sets[seed].turns)):
        print(f"{seed}: {sets[seed].turns} turns, {sets[seed].lists} lists")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
