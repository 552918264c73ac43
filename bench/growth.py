"""Clubs that have grown: a database full of other matches, and matches of many turns."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import cache

from bench.house import House
from pbem.games import game_of
from pbem.games.lanko import Lanko
from pbem.games.lanko.board import CASTLES, Move
from pbem.games.lanko.position import LankoPosition
from pbem.games.replay import Played
from pbem.mail.topic import match_key
from pbem.matches.event import ActionsPlayed
from pbem.matches.match import Match, MatchOptions
from pbem.matches.record import written
from pbem.service.club import Club
from pbem.service.play.change import start_clock, tell
from pbem.service.play.notices import News
from pbem.service.positions import EVERY, snapshot_in_turn
from pbem.service.work import Work, writing

_ENDED = "i % 5"
"""Four of five matches in the database have ended."""
_RESULT = '{"winners": ["S", "N"], "termination": "resignation", "scores": {}}'


def fill(house: House, number: int) -> None:
    """Fill the database with other matches, copied from one that was played.

    Each has its seats, actions, and emails in and out. The emails are short, to spare the disk.
    """
    model = house.start(game_of("lanko-103"), house.players[:3], MatchOptions())
    for _ in range(2):
        house.mail_answers([model])
        house.works()
    with closing(sqlite3.connect(house.database)) as database:
        database.execute("PRAGMA synchronous = OFF")
        database.execute("PRAGMA cache_size = -200000")
        copy = _Copy(database, model.id, number)
        ended = {
            "to_act": f"CASE WHEN {_ENDED} THEN NULL ELSE t.to_act END",
            "result": f"CASE WHEN {_ENDED} THEN '{_RESULT}' END",
            "ended_at": f"CASE WHEN {_ENDED} THEN t.started_at END",
            "archived_at": f"CASE WHEN {_ENDED} THEN t.started_at END",
        }
        who = f"1 + (3 * i + t.player_id) % {len(house.players)}"
        mail = {"key": "topic", "player_id": who, "message_id": "t.message_id || i"}
        copy.rows("matches", "id", **ended)
        copy.rows("seats", player_id=who, playing=f"NOT ({_ENDED})")
        copy.rows("actions")
        copy.rows("deadlines", only=f"NOT ({_ENDED})", id="NULL")
        said = "substr(t.text, 1, 100)"
        copy.rows("outbox", id="NULL", bounce_key="t.bounce_key || i", text=said, **mail)
        # Not from the last hour, because the club limits how many emails it reads per player and
        # hour.
        day = "datetime(t.recorded_at, '-1 day')"
        seen = {"folder": "'old'", "uid": "2 * i + t.uid", "raw": "substr(t.raw, 1, 100)"}
        copy.rows("inbound", id="NULL", recorded_at=day, **seen, **mail)
        database.commit()


class _Copy:
    """Copies the rows of one match many times, by plain SQL."""

    def __init__(self, database: sqlite3.Connection, model: int, number: int) -> None:
        self._database = database
        self._model = model
        self._number = number

    def rows(self, table: str, key: str = "match_id", only: str = "1", **own: str) -> None:
        """Copy the rows of a table. `own` gives SQL for columns that differ, in terms of `i`."""
        told = self._database.execute(f"PRAGMA table_info({table})")
        columns = [column[1] for column in told]
        of_topic = key == "topic"
        own[key] = f"'match ' || ({self._model} + i)" if of_topic else f"{self._model} + i"
        model = match_key(self._model) if of_topic else self._model
        chosen = ", ".join(own.get(name, f"t.{name}") for name in columns)
        self._database.execute(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)"  # noqa: S608
            f" INSERT INTO {table} ({', '.join(columns)})"
            f" SELECT {chosen} FROM n, {table} t WHERE t.{key} = ? AND {only}",
            [self._number, model],
        )


def long_matches(house: House, number: int, turns: int) -> Iterator[Match]:
    """Start matches of two players with this many turns, and send the latest turn emails."""
    options = MatchOptions(game={"repetition": 0, "quiet_limit": 0})
    for at in range(number):
        two = [house.players[(2 * at + i) % len(house.players)] for i in range(2)]
        match = house.start(game_of("lanko-88"), two, options)
        yield shuffled(house.club, match, turns) if turns > 1 else match
    house.works()


def shuffled(club: Club, match: Match, turns: int) -> Match:
    """Move castles to and fro for some turns of a Lanko-88 match, and queue its emails."""
    with writing(club) as work:
        for until in sorted({(turns - 1) // EVERY * EVERY, turns - 1}):
            match = _gone_on(work, match, until)
        work.matches.save(start_clock(work, match))
        tell(work, News(match))
    club.positions.remember(match)
    return match


def _gone_on(work: Work, match: Match, until: int) -> Match:
    """Play up to this many turns in all, and store the snapshot that the match would have."""
    texts, position = _played(match.game, until)
    numbered = list(enumerate(texts, start=1))[match.actions :]
    played = tuple(Played(number, seat, text, (), None) for number, (seat, text) in numbered)
    after = replace(match, actions=until, turn=until + 1, to_act=position.seat, position=position)
    events = [ActionsPlayed(match.players[0], played)]
    match, actions, _ = written(match, after, events, match.started_at)
    work.matches.append(match.id, actions)
    snapshot_in_turn(work.snapshots, match, actions)
    return match


@cache
def _played(game: Lanko, turns: int) -> tuple[list[tuple[str, str]], LankoPosition]:
    """Return seats and texts of this many aimless turns, and the position after them."""
    position = game.initial(2, {"repetition": 0, "quiet_limit": 0})
    texts: list[tuple[str, str]] = []
    latest: dict[str, Move] = {}
    for _ in range(turns):
        seat, move = position.seat, _quiet(position, latest)
        latest[seat] = move
        texts.append((seat, game.format(position, move)))
        position = game.play(position, move)
    assert position.turn == turns + 1, "nobody has passed"
    return texts, position


def _quiet(position: LankoPosition, latest: dict[str, Move]) -> Move:
    """Return an aimless move: the last one reversed, otherwise one of a castle if possible."""
    quiet = [
        move
        for move in position.legal
        if not move.taken and move.path[-1] not in position.terms.board.home
    ]
    before = latest.get(position.seat)
    back = [move for move in quiet if before and move.path == before.path[::-1]]
    castles = [move for move in quiet if position.cells[move.path[0]] in CASTLES]
    some = back or castles or quiet or position.legal
    return some[7 * position.turn % len(some)]
