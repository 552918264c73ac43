"""A club whose email is recorded directly, without a mailbox."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count, cycle, islice

from bench.house import answers
from pbem.games import games
from pbem.games.api import AnyGame
from pbem.matches.match import Match, MatchOptions, Player
from pbem.ports.inbound import CHANGED, InboundState, ReceivedMail
from pbem.service.club import Club
from pbem.service.play.start import start_match
from pbem.service.receive import receive
from pbem.service.work import reading, writing

PLAYERS = 100


@dataclass
class Hall:
    """Matches of all games and numbers of players, and emails with a move in each."""

    club: Club
    matches: list[Match] = field(default_factory=list)
    _uids: Iterator[int] = field(default_factory=lambda: count(1))

    def begins(self, number: int) -> None:
        """Start this many matches and queue their first emails."""
        with writing(self.club) as work:
            people = [
                work.players.add(f"Player {n}", [f"player{n}@mail.example"], "Europe/Warsaw")
                for n in range(PLAYERS)
            ]
            for player in people:
                work.players.choose(player.id, "board", "letters")
        with writing(self.club) as work:
            self.matches = [
                start_match(work, game, players, MatchOptions())
                for game, players in islice(_tables(people), number)
            ]

    def records_answers(self) -> float:
        """Record one move in each match, in one transaction.

        Return when it was committed, by the monotonic clock.
        """
        mails = list(answers(self.club, self.matches))
        with writing(self.club) as work:
            for raw in mails:
                mail = ReceivedMail("hall", 1, next(self._uids), work.now, raw)
                receive(work, [mail])
        return time.monotonic()

    def require_played(self) -> None:
        """Raise AssertionError unless the newest emails were all moves that count."""
        with reading(self.club) as work:
            newest = work.inbound.recorded_since(datetime.min.replace(tzinfo=UTC))
        states = {(mail.state, mail.reason) for mail in newest[-len(self.matches) :]}
        assert states == {(InboundState.DONE, CHANGED)}, states


def _tables(people: Sequence[Player]) -> Iterator[tuple[AnyGame, list[Player]]]:
    everybody = cycle(people)
    kinds = [(game, number) for game in games() for number in game.info.holders]
    for game, number in cycle(kinds):
        yield game, list(islice(everybody, number))
