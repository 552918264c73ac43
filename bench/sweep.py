"""Measure a sweep: ten reminders next to 10, 1,000 and 100,000 matches with nothing due.

On SQLite, and on PostgreSQL if it is installed. The database server's time is only part of the
wall-clock time. `make bench` runs it. `python -m bench.sweep profile` shows where the time goes.
"""

from __future__ import annotations

import cProfile
import pstats
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

from pydantic import SecretStr
from sqlalchemy import Connection, inspect, text

from bench.growth import shuffled
from bench.pace import Pace, middle, timed
from bench.stages import Stages
from pbem.adapters.db.engine import open_engine, writers
from pbem.games import game_of
from pbem.jobs.sweep import sweep
from pbem.matches.match import Match, MatchOptions, Player
from pbem.run.bootstrap.club import build_club
from pbem.run.config import ClubSection, Config, DatabaseSection
from pbem.service.club import Club
from pbem.service.play.start import start_match
from pbem.service.work import writing
from tests.fakes.clock import FakeClock
from tests.support.postgres import Postgres, running, server_programs

OTHERS = (10, 1_000, 100_000)
PLAYERS = 200
DUE = 10
ROUNDS = 7
TURNS = 40
"""Turns played in the matches that have something due."""
COPIES = 1_000_000
"""Numbers of copies start after this."""
EACH = 20
"""Matches that each other player has at a time: as many as the policy allows."""
FAR = MatchOptions(days=1000, game={"repetition": 0, "quiet_limit": 0})
SOON = replace(FAR, days=4)
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
"""Noon, because nobody is reminded at night."""
PASSES = timedelta(days=2, minutes=1)


@dataclass
class Swept:
    """A club full of matches, whose clock only moves when told."""

    club: Club
    url: str
    clock: FakeClock
    players: list[Player]
    due: list[int] = field(default_factory=list)
    """Matches in which something is due next."""

    def fill(self, number: int) -> None:
        """Add this many running matches, all copies of one, with nothing due for a long time."""
        model, crowd = self._begun(0, FAR), max(2 * number // EACH, 2)
        numbered = {each: f"t.{each} || n.i" for each in ("name", "name_key", "skeleton")}
        theirs = {"player_id": f"{COPIES} + (2 * n.i + t.place) % {crowd} + 1"}
        with _connection(self.url) as database:
            _copy(database, "players", "id", self.players[0].id, crowd, numbered)
            _copy(database, "matches", "id", model.id, number)
            _copy(database, "seats", "match_id", model.id, number, theirs)
            for table in ("actions", "deadlines"):
                _copy(database, table, "match_id", model.id, number)
            database.execute(text("ANALYZE"))

    def goes_on(self, due: int) -> None:
        """Start this many matches, and advance the clock until half of their time is gone."""
        with writing(self.club) as work:
            earlier = [work.matches.get(each) for each in self.due]
            work.matches.save_clocks(
                [replace(each, clock=each.clock.dropped()) for each in earlier]
            )
        self.due = [self._begun(number, SOON).id for number in range(due)]
        self.clock.advance(seconds=PASSES.total_seconds())
        with writing(self.club) as work:  # as if it had been up all the time
            work.service.beat(self.clock.now())
            work.service.polled(self.clock.now())

    def _begun(self, number: int, options: MatchOptions) -> Match:
        two = [self.players[(2 * number + i) % PLAYERS] for i in range(2)]
        with writing(self.club) as work:
            match = start_match(work, game_of("lanko-88"), two, options)
        return shuffled(self.club, match, TURNS)


def _copy(
    database: Connection,
    table: str,
    key: str,
    model: int,
    number: int,
    own: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Copy rows many times by plain SQL. `own` has the columns that differ."""
    columns = [column["name"] for column in inspect(database).get_columns(table)]
    names = ", ".join(f'"{name}"' for name in columns)
    own = {**own, key: f"{COPIES} + n.i"}
    chosen = ", ".join(own.get(name, f't."{name}"') for name in columns)
    database.execute(
        text(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :number)"  # noqa: S608
            f" INSERT INTO {table} ({names})"
            f" SELECT {chosen} FROM {table} t, n WHERE t.{key} = :model"
        ),
        {"number": number, "model": model},
    )


@contextmanager
def _connection(url: str) -> Iterator[Connection]:
    """Open a transaction that bypasses the storage."""
    engine = open_engine(url)
    try:
        with writers(engine).begin() as connection:
            yield connection
    finally:
        engine.dispose()


@contextmanager
def club_with(url: str, others: int) -> Iterator[Swept]:
    """Open a club with its database at a URL and this many matches in it."""
    with TemporaryDirectory(prefix="pbem-bench-") as folder:
        section = ClubSection(
            address="club@games.example",
            data_dir=Path(folder),
            secret=SecretStr("not a secret, only long"),
        )
        url = url or f"sqlite:///{folder}/pbem.sqlite"
        club = build_club(Config(club=section, database=DatabaseSection(url=url)))
        clock = FakeClock(NOON)
        with closing(club.storage):
            club = replace(club, clock=clock)
            with writing(club) as work:
                players = [
                    work.players.add(f"Player {n}", [f"p{n}@mail.example"], "Europe/Warsaw")
                    for n in range(PLAYERS)
                ]
            swept = Swept(club, url, clock, players)
            swept.fill(others)
            yield swept


def paces(swept: Swept, due: int) -> Pace:
    """Return the cost of a sweep with this many reminders, after a warm-up round."""
    found = []
    for _ in range(ROUNDS + 1):
        swept.goes_on(due)
        found.append(timed(1, partial(_sweep, swept.club, due)))
    return middle(found[1:])


def _sweep(club: Club, due: int) -> None:
    told = sweep(club)
    assert told == due, f"{told} reminders, not {due}"


def grow(name: str, database: Callable[[], AbstractContextManager[str]]) -> None:
    """Print the cost of sweeps on a database, next to more and more matches."""
    print(f"\n{name:<28}{'nothing due':>16}{f'{DUE} due':>16}   ms CPU (wall)")
    for others in OTHERS:
        with database() as url, club_with(url, others) as swept:
            told = (paces(swept, 0), paces(swept, DUE))
            said = "".join(f"{each.cpu_ms:>8.1f} ({each.ms:5.1f})" for each in told)
            print(f"{others:<28,}{said}")


def profile() -> None:
    """Print the parts of a sweep, and the functions that take most of its time."""
    with club_with("", OTHERS[0]) as swept:
        paces(swept, DUE)
        swept.goes_on(DUE)
        stages = Stages()
        with stages.on():
            sweep(swept.club)
        for part, seconds in sorted(stages.seconds.items(), key=lambda item: -item[1]):
            print(f"  {part:<30}{1000 * seconds:>8.2f}")
        print(f"  {'SQL statements':<30}{stages.statements:>8}")
        swept.goes_on(DUE)
        with cProfile.Profile() as watched:
            sweep(swept.club)
        pstats.Stats(watched).sort_stats("cumulative").print_stats(60)


def main() -> None:
    """Print the tables."""
    if sys.argv[1:] == ["profile"]:
        profile()
        return
    grow("SQLite", lambda: nullcontext(""))
    programs = server_programs()
    if programs is None:
        print("PostgreSQL is not installed.")
        return
    with running(programs) as server:
        grow("PostgreSQL", partial(_on_server, server))


@contextmanager
def _on_server(server: Postgres) -> Iterator[str]:
    with server.database() as name:
        yield server.url(name)


if __name__ == "__main__":
    main()
