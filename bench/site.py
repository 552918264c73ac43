"""Measure publishing one more match in a club of 20,000: the record, the index and the pages."""

from __future__ import annotations

import random
import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from bench.aims import at_most
from pbem.adapters.archive_files import FileArchive
from pbem.adapters.db.unit_of_work import open_storage
from pbem.archive.site.values import Site
from pbem.games import games
from pbem.games.api import AnyGame
from pbem.matches.match import Match, MatchOptions, PlayerId, new_match
from pbem.matches.player_actions import play
from pbem.matches.record import opened, written
from pbem.ports.process import WallClock
from pbem.ports.room import PageKind
from pbem.ports.storage import Storage, UnitOfWork
from pbem.service.club import Room
from pbem.service.reading_room.publish import publish_room
from pbem.service.records.publish import publish_all

MATCHES = 20_000
PLAYERS = 200
BEGINNING = datetime(2016, 1, 1, 12, tzinfo=UTC)
YEARS = 10
ROUNDS = 5


class _Clock:
    """A clock that always shows the same moment."""

    def now(self) -> datetime:
        """Return a moment after all matches."""
        return BEGINNING + timedelta(days=366 * YEARS)


def ended_match(
    storage: Storage, game: AnyGame, players: list[PlayerId], at: datetime, seed: int
) -> int:
    """Play a random match to its end, one action per hour, and store it. Return its id."""
    count = max(n for n in game.info.holders if n <= 3)
    fresh = new_match(game, players[:count], MatchOptions(), at)
    with storage.writing() as uow:
        match = opened(replace(fresh, id=uow.matches.add(fresh).id, club="bench"))
        chance = random.Random(seed)
        while match.result is None:
            at += timedelta(hours=1)
            match = _on(uow, match, chance, at)
        uow.matches.save(match)
    return match.id


def _on(uow: UnitOfWork, match: Match, chance: random.Random, at: datetime) -> Match:
    game = match.game
    action = chance.choice(list(game.legal_actions(match.position)))
    assert match.player_to_act is not None
    change = play(match, match.player_to_act, [game.format(match.position, action)], at)
    after, actions, happenings = written(match, change.match, change.events, at)
    uow.matches.append(match.id, actions, happenings)
    return after


def copied(database: Path, model: int, number: int, copies: int) -> None:
    """Copy an ended match with other players, spread over the years."""
    with closing(sqlite3.connect(database)) as rows:
        rows.execute("PRAGMA synchronous = OFF")
        for table, key in (("matches", "id"), ("seats", "match_id"), ("actions", "match_id")):
            names = [name for _, name, *_ in rows.execute(f"PRAGMA table_info({table})")]
            own = {key: f"{number} + i", **_OWN.get(table, {})}
            values = ", ".join(own.get(name, f"t.{_quoted(name)}") for name in names)
            columns = ", ".join(map(_quoted, names))
            rows.execute(
                "WITH RECURSIVE counted(i) AS"  # noqa: S608  only our own names
                f" (SELECT 1 UNION ALL SELECT i + 1 FROM counted WHERE i < {copies})"
                f" INSERT INTO {table} ({columns}) SELECT {values} FROM {table} AS t, counted"
                f" WHERE t.{key} = {model}"
            )
        rows.commit()


_DAYS = f"datetime('{BEGINNING:%Y-%m-%d %H:%M:%S}', '+' || (i % {YEARS * 365}) || ' days')"
_OWN = {
    "matches": {"ended_at": f"{_DAYS} || '.000000'", "archived_at": f"{_DAYS} || '.000000'"},
    "seats": {"player_id": f"1 + (7 * i + t.player_id) % {PLAYERS}"},
}


def _quoted(name: str) -> str:
    return f'"{name}"'


def grown(storage: Storage, database: Path) -> None:
    """Fill a club with people and matches."""
    with storage.writing() as uow:
        players = [uow.players.add(f"Player {n}", [f"p{n}@example.org"]).id for n in _numbers()]
    models = [ended_match(storage, game, players, BEGINNING, 7) for game in games()]
    each = MATCHES // len(models)
    for n, model in enumerate(models):
        copied(database, model, 1000 + n * each, each)


def _numbers() -> Iterator[int]:
    yield from range(1, PLAYERS + 1)


def mark_shared(storage: Storage) -> None:
    """Mark the shared pages as stale, as they are after the matches were written."""
    with storage.writing() as uow:
        while pages := uow.stale.waiting(PageKind.MATCH, 1000):
            uow.stale.settle(pages)
        uow.stale.mark(PageKind.MEMBER, _numbers())
        months = [f"{BEGINNING.year + n // 12}-{n % 12 + 1:02}" for n in range(12 * YEARS)]
        uow.stale.mark(PageKind.MONTH, months)


def publish(storage: Storage, archive: FileArchive, clock: WallClock, room: Room) -> None:
    """Publish more matches one by one, and print how long each took."""
    players = list(_numbers())
    for number in range(ROUNDS):
        game = games()[number % len(games())]
        at = BEGINNING + timedelta(days=365 * YEARS - 30 + number)
        ended_match(storage, game, players[number:], at, number)
        start, used = perf_counter(), process_time()
        publish_all(storage, archive, clock)
        records = perf_counter() - start
        done = publish_room(storage, room)
        pages = perf_counter() - start - records
        print(
            f"one more, {game.info.key:12}: record and index {records:5.2f} s,"
            f" reading room {pages:5.2f} s ({process_time() - used:.2f} s of CPU in all),"
            f" {done.written} files written, {done.right} compared"
        )


def _weigh(site: Path) -> None:
    """Print the size and number of a match's files."""
    files = [path for path in site.rglob("match-*") if path.is_file()]
    matches = {path.name[: len("match-000001")] for path in files}
    at_most("MB per match on the site", _size(files) / len(matches) / 1e6, 0.1)
    at_most("files per match on the site", len(files) / len(matches), 5)


def _size(files: Iterable[Path]) -> int:
    return sum(path.stat().st_size for path in files)


def main() -> None:
    """Fill a club, publish the shared pages, then more matches."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        database = folder / "pbem.sqlite"
        with closing(open_storage(f"sqlite:///{database}")) as storage:
            start = perf_counter()
            grown(storage, database)
            print(f"{MATCHES} ended matches of {PLAYERS} players: {perf_counter() - start:.1f} s")
            site = Site("bench", "club@example.org", "https://games.example.org/")
            room = Room(
                site, FileArchive(folder / "site", public=True), version=secrets.token_hex()
            )
            archive = FileArchive(folder / "archive")
            start = perf_counter()
            publish_room(storage, room, lambda: True)
            mark_shared(storage)
            done = publish_room(storage, room)
            print(f"lists, months, members: {done.written} files, {perf_counter() - start:.1f} s")
            publish(storage, archive, _Clock(), room)
            _weigh(folder / "site")


if __name__ == "__main__":
    main()
