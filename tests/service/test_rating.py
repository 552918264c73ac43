"""Test that kept ratings are those of the archive, whatever happens to matches and members."""

from __future__ import annotations

import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from pbem.adapters.db.engine import open_engine
from pbem.adapters.db.unit_of_work import SqlStorage
from pbem.games import game_of
from pbem.matches.director_actions import DecisionError
from pbem.matches.imported import RatedName
from pbem.matches.match import MatchOptions
from pbem.matches.player_actions import resign
from pbem.matches.ratings import NEW, RatedMatch, Rating
from pbem.ports.ratings import ListRatings, Sides
from pbem.ports.storage import Storage
from pbem.service.direct.decide import SHELL, decide
from pbem.service.direct.orders import adjudication, cancellation, reopening
from pbem.service.members.forget import forget
from pbem.service.play.change import apply, tell
from pbem.service.play.notices import News
from pbem.service.play.start import start_match
from pbem.service.rating import rate_again, rate_waiting
from pbem.service.records.publish import publish_all
from pbem.service.records.ratings import all_ratings, rebuild_ratings, recorded_matches
from pbem.service.work import Work, reading, writing
from tests.conversations.house import House
from tests.conversations.post_office import Fakes
from tests.fakes.archive import FakeArchive
from tests.fakes.clock import FakeClock
from tests.fakes.storage import FakeStorage
from tests.matches.records import resigned

GAMES = {"lancelot": (2, 2, 3, 5), "lanrick-1881": (2,), "lanko-68": (2, 3, 4)}
STEPS = 40
MEMBERS, LEAST_MEMBERS = 9, 7


class UnreliableArchive(FakeArchive):
    """An archive that refuses the records of some matches for a while."""

    def __init__(self) -> None:
        super().__init__()
        self.refused = 0
        """Matches whose number this divides are refused, none with 0."""

    def write(self, name: str, data: bytes) -> None:
        number = int(name.split("-")[1]) if name.startswith("match-") else 1
        if self.refused and number % self.refused == 0:
            raise OSError("no space left")
        super().write(name, data)


class RandomClub:
    """A club in which random things happen to matches and members."""

    def __init__(self, storage: Storage, clock: FakeClock, home: Path, seed: int) -> None:
        self.archive, self.clock, self.chance = UnreliableArchive(), clock, random.Random(seed)
        self.club = replace(House(Fakes(clock), storage, clock, home).club, archive=self.archive)
        with writing(self.club) as work:
            for number in range(MEMBERS):
                work.players.add(f"Member {number}", [f"{number}@mail.example"])

    def lives(self) -> None:
        """Do random things. In the end, everything is published and rated."""
        for _ in range(STEPS):
            self.clock.advance(hours=self.chance.randrange(1, 9))
            with writing(self.club) as work:
                most = [self._play] * 6
                self.chance.choice((*most, self._decide, self._reopen, self._leave))(work)
            if self.chance.random() < 0.4:
                self.publishes(self.chance.choice((0, 2, 3)))
        self.publishes()

    def publishes(self, refused: int = 0) -> None:
        self.archive.refused = refused
        publish_all(self.club.storage, self.archive, self.clock)
        rate_waiting(self.club, most=self.chance.choice((1, 3, 100)))

    def _play(self, work: Work) -> None:
        """Start a match, and let some players resign. Their emails may have been read late."""
        members = work.players.all()
        game = self.chance.choice([*GAMES])
        count = min(self.chance.choice(GAMES[game]), len(members))
        options = MatchOptions(unrated=self.chance.random() < 0.1)
        players = self.chance.sample(members, count)
        match = start_match(work, game_of(game), players, options)
        at = self.clock.now() + timedelta(minutes=self.chance.randrange(60))
        self.clock.advance(hours=1)
        for player in self.chance.sample(players, self.chance.randint(count // 2, count)):
            if match.result is None:
                change = resign(match, player.id, at)
                match = apply(work.again(), match, change, at)
                match = tell(work.again(), News(match, events=change.events))

    def _match(self, work: Work, *, over: bool) -> int | None:
        found = [each.id for each in work.matches.all() if (each.result is not None) == over]
        return self.chance.choice(found) if found else None

    def _decide(self, work: Work) -> None:
        if (match := self._match(work, over=False)) is not None:
            result = self.chance.choice([*work.matches.get(match).seats, "draw", "void", ""])
            order = adjudication(match, result, "late") if result else cancellation(match, "late")
            with suppress(DecisionError):  # somebody who has resigned cannot win
                decide(work, order, SHELL)

    def _reopen(self, work: Work) -> None:
        """Take back how a match ended, if that is possible."""
        match = self._match(work, over=True)
        with suppress(DecisionError):
            if match is not None:
                decide(work, reopening(match, "a mistake"), SHELL)

    def _leave(self, work: Work) -> None:
        members = work.players.all()
        if len(members) > LEAST_MEMBERS:
            forget(work, self.chance.choice(members))

    def kept(self) -> dict[int, tuple[RatedMatch, ListRatings]]:
        """Return the kept matches with the ratings after them."""
        with reading(self.club) as work:
            matches = work.ratings.everything()
            return {
                each.place.match_id: (each, dict(work.ratings.after(each.place.match_id)))
                for each in matches
            }

    def of_the_archive(self) -> dict[int, tuple[RatedMatch, ListRatings]]:
        """Return the same from nothing but the records."""
        matches = recorded_matches(self.archive)
        return {each[0].place.match_id: each for each in all_ratings(self.club.rater, matches)}


@pytest.mark.parametrize("seed", range(4))
def test_kept_ratings_are_those_of_the_archive(tmp_path: Path, seed: int) -> None:
    club = RandomClub(FakeStorage(), FakeClock(), tmp_path, seed)
    club.lives()
    assert club.kept() == club.of_the_archive()
    assert len(club.kept()) > STEPS / 8


def test_kept_ratings_are_those_of_the_archive_in_databases(
    sql_storage: SqlStorage, tmp_path: Path
) -> None:
    club = RandomClub(sql_storage, FakeClock(), tmp_path, 99)
    club.lives()
    assert club.kept() == club.of_the_archive()
    assert sum(rebuild_ratings(club.club)[1:]) == 0


def test_workers_that_rate_at_once_agree(postgresql_url: str, tmp_path: Path) -> None:
    with ExitStack() as stack:
        storages = [
            stack.enter_context(closing(SqlStorage(open_engine(postgresql_url)))) for _ in range(4)
        ]
        club = RandomClub(storages[0], FakeClock(), tmp_path, 7)
        club.lives()
        with writing(club.club) as work:
            for number in reversed(club.kept()):
                work.ratings.outdate(number)
                work.ratings.wait([number])
        workers = [replace(club.club, storage=each) for each in storages]
        with ThreadPoolExecutor(len(workers)) as pool:
            [*pool.map(partial(rate_waiting, most=2), workers)]
        assert club.kept() == club.of_the_archive()


def test_rebuilding_corrects_what_is_wrong(tmp_path: Path) -> None:
    club = RandomClub(FakeStorage(), FakeClock(), tmp_path, 1)
    club.lives()
    right = club.kept()
    assert rebuild_ratings(club.club) == (len(right), 0, 0, 0)
    wrong, missing, *_ = right
    with writing(club.club) as work:
        ratings = {which: dict.fromkeys(theirs, NEW) for which, theirs in right[wrong][1].items()}
        work.ratings.drop([wrong, missing])
        work.ratings.put([(right[wrong][0], ratings)], club.club.rater.method)
    assert rebuild_ratings(club.club) == (len(right), 1, 1, 0)
    assert club.kept() == right


def test_imported_record_that_cannot_be_read_holds_up_no_other(tmp_path: Path) -> None:
    club = RandomClub(FakeStorage(), FakeClock(), tmp_path, 1)
    right = replace(resigned(), heads={})
    with writing(club.club) as work:
        for number, time in enumerate(("nonsense", ""), start=1):
            work.imported.add(replace(right, match_id=number, days=0, time=time))
        for member, name in zip(
            work.players.all(), sorted({*right.players.values()}), strict=False
        ):
            work.imported.rate(RatedName(right.club, name, member.id))
    rate_waiting(club.club)
    assert [*club.kept()] == [-2]


class Elo:
    """Another model, which ignores uncertainty."""

    method = "elo-1"

    def rate(self, sides: Sides, ranks: Sequence[int]) -> Sides:
        return [
            [Rating(each.mean + 1 - rank, 1, each.matches + 1) for each in side]
            for side, rank in zip(sides, ranks, strict=True)
        ]


def test_another_method_rates_everything_again(tmp_path: Path) -> None:
    club = RandomClub(FakeStorage(), FakeClock(), tmp_path, 2)
    club.lives()
    club.club = replace(club.club, rater=Elo())
    rate_again(club.club)
    rate_waiting(club.club, most=2)
    assert club.kept() == club.of_the_archive()
    rate_again(club.club)
    with reading(club.club) as work:
        assert not work.ratings.waiting(1)
