"""Revision 0021: matches of before know with how many they began, and who held their seats."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pytest
from alembic import command
from sqlalchemy import text

from pbem.adapters.db import SqlStorage, open_engine, upgrade
from pbem.adapters.db.engine import writers
from pbem.adapters.db.migrate import config

BEFORE = "0016"
AT = "2026-11-21 09:30:15.000000"
OPTIONS = '{"days": 5, "draw_offers": true, "game": {}}'
ANNA, BERT, CLARA, DORA, EVE = range(1, 6)

_MATCH = """
    INSERT INTO matches (id, game_key, rules_version, started_at, actions, turn, options, to_act,
                         resigned)
    VALUES (:id, 'lanko-68', 1, :at, 0, 9, :options, 'S', '[]')
"""
_SEAT = """
    INSERT INTO seats (match_id, place, seat, player_id, playing)
    VALUES (:match, :place, :seat, :player, true)
"""
_PERSON = """
    INSERT INTO players (name, name_key, skeleton, settings) VALUES (:name, :name, :name, '{}')
"""
_HAPPENED = """
    INSERT INTO happenings (match_id, entry, turn, seat, kind, at, head, text)
    VALUES (:match, :entry, :turn, :seat, :kind, :at, '', :text)
"""


@pytest.mark.thorough
def test_seats_that_were_handed_over_before(empty_url: str) -> None:
    engine = open_engine(empty_url)
    with writers(engine).begin() as connection:
        command.upgrade(config(connection), BEFORE)

        def put(statement: str, **values: Any) -> None:
            connection.execute(text(statement), values)

        for number in range(ANNA, EVE + 1):
            put(_PERSON, name=f"p{number}")
        for match, players in ((1, (ANNA, BERT)), (2, (EVE, BERT, CLARA))):
            put(_MATCH, id=match, at=AT, options=OPTIONS)
            south, west, *north = players
            for place, seat in enumerate("SWNE"):
                holder = {"S": south, "N": (north or [south])[0]}.get(seat, west)
                put(_SEAT, match=match, place=place, seat=seat, player=holder)
        told = (
            (3, "S", "replaced", f"{ANNA} {DORA}"),
            (8, "S", "replaced", f"{DORA} {EVE}"),
            (9, "", "undone", "6"),
        )
        for entry, (turn, seat, kind, what) in enumerate(told, start=1):
            values = {"turn": turn, "seat": seat, "kind": kind, "text": what}
            put(_HAPPENED, match=2, entry=entry, at=AT, **values)
    upgrade(engine)
    with closing(SqlStorage(engine)) as storage, storage.reading() as uow:
        one, other = uow.matches.all()
    assert one.player_count == 2
    assert one.began == one.seats
    assert other.player_count == 3
    assert list(other.began.values()) == [ANNA, BERT, CLARA, BERT]
    held = [other.held_by("S", turn) for turn in (2, 3, 5, 6, 8)]
    assert held == [ANNA, DORA, DORA, EVE, EVE]
