"""Rebuild: fill an empty database with rows that keep their numbers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from sqlalchemy import text
from sqlmodel import Session, insert

from pbem.adapters.db.competitions import player_rows, row_of
from pbem.adapters.db.engine import (
    disposed,
    explained,
    file_of,
    open_engine,
    without_password,
    writers,
)
from pbem.adapters.db.match_mapping import columns_of, seat_columns
from pbem.adapters.db.migrate import MovedFile, upgrade
from pbem.adapters.db.move import is_empty, tables
from pbem.adapters.db.people import keys_of
from pbem.adapters.db.tables import (
    AddressRow,
    CompetitionRow,
    ImportedMatchRow,
    MatchRow,
    PlayerRow,
    SeatRow,
)
from pbem.adapters.db.types import key_of
from pbem.adapters.db.unit_of_work import unit_of_work
from pbem.matches.competition import Competition
from pbem.matches.match import Player
from pbem.matches.record.to_match import Stored
from pbem.ports.process import StorageError

COUNTED = (PlayerRow, CompetitionRow, MatchRow, ImportedMatchRow)
"""Tables whose rows have numbers of their own."""


class Rebuild:
    """A club being rebuilt in one transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.uow = unit_of_work(session)
        """Access to the rows stored so far."""

    def put_player(self, player: Player, failed_at: datetime, failure: str) -> None:
        """Store a player. Addresses of people are marked as failed, with a reason."""
        row = PlayerRow(**keys_of(player.name), bot=player.bot, former=player.former)
        row.id = player.id
        self._put(row)
        for place, address in enumerate(player.addresses):
            key = key_of(address)
            found = AddressRow(player_id=player.id, place=place, address=address, address_key=key)
            if not player.bot:
                found.failed_at, found.failure = failed_at, failure
            self._put(found)

    def put_competition(self, competition: Competition) -> None:
        """Store a competition."""
        self._put(row_of(competition, competition.number, competition.id))
        for row in player_rows(competition):
            self._put(row)

    def put_match(self, stored: Stored, archived_at: datetime) -> None:
        """Store an ended match whose record is in the archive."""
        match, actions, happenings = stored
        self._put(MatchRow(id=match.id, archived_at=archived_at, **columns_of(match)))
        self._session.connection().execute(insert(SeatRow), seat_columns(match.id, match))
        self.uow.matches.append(match.id, actions, happenings)
        self.uow.ratings.wait([match.id])

    def _put(self, row: object) -> None:
        self._session.add(row)
        self._session.flush()

    def number_on(self) -> None:
        """Continue the numbering after these rows, which SQLite does on its own."""
        if self._session.get_bind().dialect.name == "postgresql":
            for table in COUNTED:
                name = table.__tablename__
                highest = f"(SELECT max(id) FROM {name})"  # noqa: S608  one of our tables
                sequence = f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), {highest})"
                self._session.connection().execute(text(sequence))


@contextmanager
def rebuilding(url: str) -> Iterator[Rebuild]:
    """Fill an empty database within a block. On an error it stays empty.

    Raises StorageError if it is not empty, or StorageUnavailable.
    """
    path = file_of(url)
    if path is not None:
        MovedFile(path).require_unmoved()
    with disposed(open_engine(url)) as engine:
        upgrade(engine)
        options = {"writing": True}
        with explained(), Session(writers(engine), info=options) as session, session.begin():
            _require_empty(session, url)
            rebuild = Rebuild(session)
            yield rebuild
            rebuild.number_on()


def _require_empty(session: Session, url: str) -> None:
    connection = session.connection()
    for table in tables():
        if not is_empty(connection, table):
            raise StorageError(
                f"{without_password(url)} is not empty: there are rows in {table.name}. Create an "
                "empty database to rebuild into"
            )
