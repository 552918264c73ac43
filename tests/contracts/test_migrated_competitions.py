"""Sets, series and tournaments of a database before they were competitions."""

from __future__ import annotations

from contextlib import closing

import pytest
from alembic import command

from pbem.adapters.db import SqlStorage, open_engine, upgrade
from pbem.adapters.db.engine import writers
from pbem.adapters.db.migrate import config
from pbem.matches.competitions.round_robin import RoundRobin
from pbem.matches.competitions.series import Series
from pbem.matches.competitions.set import MatchSet
from pbem.matches.place import Place
from tests.support.stored import T0

pytestmark = pytest.mark.thorough

AT = "2026-11-21 09:30:15.123456"
_GAME = '{"days": 5, "draw_offers": true, "game": {"repetition": 1, "quiet_limit": 200}}'
_INTO_SEATS = "INSERT INTO seats (match_id, place, seat, player_id, playing)"
_SHARED = f"'{_GAME}', '{AT}'"
_OF_WHOLE = "(game_key, options, created_at"
_PLACES = (
    ("set_id", 2, 1),
    ("set_id", 2, 3),
    ("event_id", 1, 4),
    *(("event_id", 2, index) for index in (1, 2, 3, 11)),
)
OF_0006 = (
    *(
        f"INSERT INTO players (name, name_key, time_zone) VALUES ('{n}', '{n}', 'UTC')"
        for n in ("Anna", "Bert", "Clara", "Dora", "Emil")
    ),
    f"INSERT INTO sets {_OF_WHOLE}, concurrent) VALUES ('lanko-68', {_SHARED}, false)",
    f"INSERT INTO sets {_OF_WHOLE}, concurrent) VALUES ('lanko-68', {_SHARED}, true)",
    *(
        f"INSERT INTO set_players VALUES ({number}, {place}, {3 - place})"
        for number in (1, 2)
        for place in range(3)
    ),
    f"""
    INSERT INTO events {_OF_WHOLE}, kind, terms)
    VALUES ('lanrick-1893', {_SHARED}, 'series', '{{"games": 4}}')
    """,
    f"""
    INSERT INTO events {_OF_WHOLE}, kind, terms) VALUES
    ('lanrick-1893', {_SHARED}, 'tournament', '{{"double": true, "concurrent": false}}')
    """,
    *(f"INSERT INTO event_players VALUES (1, {place}, {2 - place})" for place in range(2)),
    *(f"INSERT INTO event_players VALUES (2, {place}, {place + 1})" for place in range(5)),
    *(
        f"""
        INSERT INTO matches (game_key, rules_version, started_at, actions, turn, turn_started_at,
                             options, to_act, resigned, {owner}, {owner.replace("id", "index")})
        VALUES ('lanrick-1893', 1, '{AT}', 0, 1, '{AT}', '{_GAME}', 'X', '[]', {number}, {index})
        """
        for owner, number, index in _PLACES
    ),
    *(f"{_INTO_SEATS} VALUES ({match}, 0, 'X', 1, true)" for match in range(1, 8)),
)
"""Sets, a series and a tournament of five players, in which two play each round twice, with some of
their matches, before they were competitions."""


def test_they_keep_their_numbers_players_and_matches(empty_url: str) -> None:
    engine = open_engine(empty_url)
    with writers(engine).begin() as connection:
        command.upgrade(config(connection), "0006")
        for statement in OF_0006:
            connection.exec_driver_sql(statement)
    upgrade(engine)
    with closing(SqlStorage(engine)) as storage, storage.writing() as uow:
        numbered = uow.competitions.numbered
        first, second = (numbered(MatchSet.numbering, number) for number in (1, 2))
        series, tournament = (numbered(Series.numbering, number) for number in (1, 2))
        assert isinstance(first, MatchSet)
        assert isinstance(second, MatchSet)
        assert (first.concurrent, second.concurrent) == (False, True)
        assert first.players == second.players == (3, 2, 1)
        assert (first.created_at, first.options.days) == (T0, 5)
        assert isinstance(series, Series)
        assert (series.games, series.players) == (4, (2, 1))
        assert isinstance(tournament, RoundRobin)
        assert (tournament.double, tournament.concurrent) == (True, False)
        assert tournament.players == (1, 2, 3, 4, 5)
        rounds = {pairing.index: pairing.round for pairing in tournament.pairings()}
        for of_it, indexes in ((first, ()), (second, (1, 3)), (series, (4,))):
            matches = uow.matches.of_competition(of_it.id)
            assert [m.place for m in matches] == [Place(of_it.id, i, i) for i in indexes]
        assert [match.place for match in uow.matches.of_competition(tournament.id)] == [
            Place(tournament.id, rounds[index], index) for index in (1, 2, 3, 11)
        ]
        assert uow.competitions.add(series).number == 3
        assert uow.competitions.add(first).number == 3
