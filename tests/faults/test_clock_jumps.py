"""A clock that is moved forward and back, by any amount and at any moment, repeatedly.

The time that really passes is counted separately. Nobody runs out of time early, everyone who runs
out is reported in the end, every move counts, and no email is held up.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import NamedTuple

from hypothesis import example, given, settings, strategies as st

from pbem.adapters.openskill_rater import OpenSkillRater
from pbem.games import game_of
from pbem.inbox.pending import process_pending
from pbem.jobs.sweep import sweep
from pbem.mail.addresses.addressing import TokenSigner, reply_address
from pbem.mail.message.message import identity
from pbem.mail.topic import MatchTopic
from pbem.matches.match import MatchOptions, MatchSummary
from pbem.ports.inbound import InboundKey, ReceivedMail
from pbem.ports.process import WallClock
from pbem.service.club import Club
from pbem.service.play.start import start_match
from pbem.service.work import reading, writing
from tests.fakes.archive import FakeArchive
from tests.fakes.storage import FakeStorage
from tests.faults.clock import JumpingClock
from tests.faults.trial import RENDERER
from tests.support.examples import examples
from tests.support.stored import claim

TICK = timedelta(minutes=9)
DAY = timedelta(days=1)
UNNOTICED = timedelta(minutes=10)
"""Smaller jumps do not count as jumps. They may cost or give this much time."""
LONG_AGO = datetime.min.replace(tzinfo=UTC)


class Jump(NamedTuple):
    """A clock jump at one of the next readings, after this many ticks."""

    ticks: int
    by: timedelta
    look: int
    answers: bool
    """Whether the player to move answers right then, before any sweep."""


class Play:
    """A match with one day per turn, and the time that has really passed in its turn."""

    def __init__(self) -> None:
        self.clock, self.storage = JumpingClock(), FakeStorage()
        self.club = club(self.clock, self.storage)
        sweep(self.club)
        with writing(self.club) as work:
            people = [work.players.add(name, [f"{name}@mail.example"]) for name in ("anna", "bert")]
            start_match(work, game_of("lanko-68"), people, MatchOptions(1, False))
        self.passed, self.told, self.jumps = timedelta(), 0, 0

    def tick(self) -> None:
        """Let nine minutes pass, read the mailbox, and sweep."""
        self.clock.advance(seconds=TICK.total_seconds())
        self.passed += TICK
        with writing(self.club) as work:
            work.service.polled(self.clock.now())
        sweep(self.club)
        self.judge()

    def judge(self) -> None:
        """Check that nobody runs out of time early."""
        if self.passed <= DAY - self.jumps * UNNOTICED:
            assert self.flags() == self.told, f"out of time after {self.passed}"

    def jump(self, jump: Jump) -> None:
        """Let the clock jump, and perhaps a move arrive before any sweep."""
        self.clock.jump(jump.by, jump.look)
        self.jumps += 1
        if jump.answers:
            self.answers()

    def answers(self) -> None:
        """Let the player to move send a move, which must count."""
        before = self.match()
        mail = answer(self.club, before)
        with writing(self.club) as work:
            work.inbound.add(mail, InboundKey(*identity(mail.raw)), self.clock.now())
        process_pending(self.club)
        assert self.match().turn == before.turn + 1
        self.judge()
        self.passed, self.told, self.jumps = timedelta(), self.flags(), 1

    def match(self) -> MatchSummary:
        """Return the match as stored."""
        with reading(self.club) as work:
            return work.matches.get(1)

    def flags(self) -> int:
        """Return how often the director got a report of someone out of time."""
        with reading(self.club) as work:
            return work.outbox.count(self.club.director, "director_flag", LONG_AGO)

    def is_swept(self) -> None:
        """Return whether the last jump has come and been seen by a sweep."""
        while self.clock.will_jump:
            self.tick()
        self.tick()

    def ends(self) -> None:
        """Check that a player who never moves runs out of time, and no email waits."""
        while self.passed <= DAY + self.jumps * 4 * UNNOTICED:
            self.tick()
        assert self.flags() > self.told
        with writing(self.club) as work:
            now = self.clock.now()
            assert len(claim(work, now, now, 1000)) == work.outbox.unsent()


def club(clock: WallClock, storage: FakeStorage) -> Club:
    """The club on fakes."""
    numbers = count()
    return Club(
        name="pbem",
        address="club@games.example",
        director="director@games.example",
        storage=storage,
        clock=clock,
        archive=FakeArchive(),
        signer=TokenSigner({1: b"a secret for the tests"}, 1),
        templates=lambda: RENDERER,
        unique=lambda: f"u{next(numbers)}",
        rater=OpenSkillRater(),
        chance=random.Random(7).randrange,
    )


def answer(club: Club, match: MatchSummary) -> ReceivedMail:
    """Return an email with a move of the player to move, received now."""
    with reading(club) as work:
        position = work.whole(match).position
        assert match.player_to_act is not None
        player = work.players.get(match.player_to_act)
    token = club.signer.token(
        MatchTopic(match.id, match.turn, match.seat_for(player.id)), player.id
    )
    move = match.game.format(position, next(iter(match.game.legal_actions(position))))
    headers = f"From: {player.address}\r\nTo: {reply_address(club.address, token)}\r\n"
    raw = f"{headers}Message-ID: <{match.turn}@mail.example>\r\n\r\n{move}\r\n"
    return ReceivedMail("INBOX", 1, match.turn, club.clock.now(), raw.encode())


jumps = st.builds(
    Jump,
    ticks=st.integers(0, 100),
    by=st.one_of(
        st.timedeltas(timedelta(days=-400), timedelta(days=400)),
        st.timedeltas(-3 * UNNOTICED, 3 * UNNOTICED),
    ),
    look=st.integers(1, 30),
    answers=st.booleans(),
)
WEEK = timedelta(days=7)
LATE = [
    Jump(24, timedelta(seconds=83.463977), 24, True),
    Jump(78, timedelta(days=19, seconds=191.000754), 15, False),
    Jump(100, timedelta(days=-268, seconds=487.000350), 17, False),
]
"""Jumps so late that they are still to come two ticks later, with someone out of time."""
AHEAD, BACK = Jump(3, WEEK, 1, True), Jump(3, -WEEK, 1, False)


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(jumps, max_size=6))
@example(LATE)
@example([AHEAD, BACK])
@example([AHEAD, BACK._replace(answers=True)])
@example([BACK._replace(answers=True), AHEAD])
@example([AHEAD._replace(look=9), BACK._replace(look=9, answers=True)])
def test_clock_jumps_cost_nobody_time(jumps: list[Jump]) -> None:
    play = Play()
    for jump in jumps:
        for _ in range(jump.ticks):
            play.tick()
        play.jump(jump)
    play.is_swept()
    if play.passed < DAY:
        play.answers()
    play.ends()
