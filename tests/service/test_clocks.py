"""Test events that affect the clocks of all matches: an outage, and a computer clock set back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest

from pbem.games import game_of
from pbem.matches.match import MatchOptions
from pbem.service.clocks.heartbeat import beat
from pbem.service.clocks.schedule import BATCH
from pbem.service.club import Club
from pbem.service.play.start import start_match
from pbem.service.work import Work, reading, writing
from tests.fakes.clock import FakeClock
from tests.fakes.storage import FakeStorage
from tests.faults.test_clock_jumps import club as fake_club

pytestmark = pytest.mark.thorough

MATCHES = 2 * BATCH + 1
DAY = timedelta(days=1)


@pytest.fixture(scope="module")
def clock() -> FakeClock:
    return FakeClock(datetime(2026, 11, 24, 9, tzinfo=UTC))  # no reminder comes at night


@pytest.fixture(scope="module")
def club(clock: FakeClock) -> Club:
    """Return a club with more matches than fit in a batch. Each test starts where it left off."""
    club = fake_club(clock, FakeStorage())
    beat(club, clock.now())
    with writing(club) as work:
        people = [work.players.add(name, [f"{name}@mail.example"]) for name in ("anna", "bert")]
        for _ in range(MATCHES):
            start_match(work, game_of("lanrick-1893"), people, MatchOptions(3))
    return club


def flags(work: Work) -> list[datetime | None]:
    return [match.clock.flag_at for match in work.matches.all()]


@contextmanager
def moved(club: Club) -> Iterator[set[timedelta]]:
    """Collect how far the deadlines move during a block."""
    found: set[timedelta] = set()
    with reading(club) as work:
        before = flags(work)
    yield found
    with reading(club) as work:
        after = flags(work)
        due = [each.due_at for each in work.deadlines.due(club.clock.now() + 99 * DAY)]
    assert len(due) == 3 * MATCHES
    assert max(due) == max(each for each in after if each)
    found.update(late - early for early, late in zip(before, after, strict=True) if late and early)


def test_outage_is_credited_to_every_match_once(club: Club, clock: FakeClock) -> None:
    with reading(club) as work:
        last = work.service.last_beat()
    assert last is not None
    clock.advance(days=2)
    with moved(club) as by:
        now = clock.now()
        beat(club, now)
        beat(club, now)
    assert by == {now - last}


def test_clock_set_back_moves_every_match_back(club: Club, clock: FakeClock) -> None:
    with reading(club) as work:
        last = work.service.last_beat()
    assert last is not None
    with moved(club) as by:
        beat(club, last - DAY)
    assert by == {-DAY}
