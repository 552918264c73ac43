"""Members, their addresses, absence notices and leave, and the questions they were asked."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from itertools import groupby
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy import Executable, Row, bindparam
from sqlmodel import Session, col, delete, select, update
from sqlmodel.sql.expression import SelectOfScalar

from pbem.adapters.db.service_log import move
from pbem.adapters.db.session import (
    by_id,
    change,
    insert_into,
    locked,
    locking,
    others_write,
    possible,
    refused_as,
    run,
)
from pbem.adapters.db.tables import (
    AbsenceRow,
    AddressRow,
    InvitedMailboxRow,
    LeaveRow,
    PlayerRow,
    QuestionRow,
    SeatRow,
)
from pbem.adapters.db.types import KEY_LENGTH, key_of
from pbem.games.api import Seat
from pbem.mail.topic import Holder, TopicKey
from pbem.matches.leave import Leave
from pbem.matches.match import Player, PlayerId
from pbem.matches.names.skeleton import skeleton_of, small_skeleton_of
from pbem.ports.people import AbsenceNotice, Address, OpenQuestion
from pbem.ports.process import StorageError


class SqlPlayers:
    """Players in SQL. Satisfies the port Players."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: dict[PlayerId, Player] = {}
        """Players read in this transaction, since each email needs the same several times."""

    def look_again(self) -> None:
        """Forget the players cached in this transaction."""
        self._known.clear()

    def add(
        self,
        name: str,
        addresses: Sequence[str],
        time_zone: str = "UTC",
        joined_at: datetime | None = None,
    ) -> Player:
        if not addresses:
            raise ValueError(f"{name} has no address")
        chosen = {} if time_zone == "UTC" else {"zone": time_zone}
        return self._add(_row_of(name, settings=chosen, joined_at=joined_at), addresses)

    def add_bot(self, kind: str, name: str, address: str) -> Player:
        return self._add(_row_of(name, bot=kind), [address])

    def _add(self, row: PlayerRow, addresses: Sequence[str]) -> Player:
        with refused_as(self._session, f"the name {row.name} is taken"):
            self._session.add(row)
            self._session.flush()
            assert row.id is not None
            self._put_addresses(row.id, addresses)
        return self.get(row.id)

    def _put_addresses(
        self, player: PlayerId, addresses: Sequence[str], added_at: datetime | None = None
    ) -> None:
        known = {key_of(each.address): each for each in self.addresses(player)}
        new = partial(Address, added_at=added_at)
        gone = delete(AddressRow).where(col(AddressRow.player_id) == player)
        rows = [
            _row(player, place, address, known.get(key_of(address)) or new(address))
            for place, address in enumerate(addresses)
        ]
        with refused_as(self._session, f"an address is taken: {', '.join(addresses)}"):
            self._session.exec(gone)
            self._session.exec(insert_into(self._session, AddressRow).values(rows))
        self.look_again()

    def get(self, player: PlayerId) -> Player:
        found = self._known.get(player)
        if found is None and possible(player):
            found = self._one(BY_ID, player)
        if found is None:
            raise StorageError(f"there is no player {player}")
        return found

    def get_all(self, players: Collection[PlayerId]) -> list[Player]:
        lacking = sorted(filter(possible, {*players} - self._known.keys()))
        for first in range(0, len(lacking), MOST_AT_ONCE):
            found = self._read(BY_IDS, lacking[first : first + MOST_AT_ONCE])
            self._known |= {player.id: player for player in found}
        return [self.get(player) for player in players]

    def seated(self, match_id: int) -> dict[Seat, PlayerId]:
        """Return the player in each seat of a match, in turn order, and cache the players."""
        seats: dict[Seat, PlayerId] = {}
        rows = run(self._session, SEATED, {"key": match_id})
        for seat, own in groupby(rows, key=lambda row: row.seat):
            player = _player(list(own))
            seats[seat] = player.id
            self._known[player.id] = player
        return seats

    def lock(self, player: PlayerId) -> Player:
        self._hold(player)
        return self.get(player)

    def _hold(self, player: PlayerId) -> None:
        """Lock a player. Forgets what was cached before another transaction released the lock."""
        if others_write(self._session):
            run(self._session, HELD, {"key": player})
            self._known.pop(player, None)

    def named(self, name: str) -> Player | None:
        return self._one(BY_NAME, key_of(name))

    def like(self, name: str) -> Player | None:
        texts = (skeleton_of(name), small_skeleton_of(name))
        return next((found for text in texts if (found := self._one(BY_SKELETON, text))), None)

    def rename(self, player: PlayerId, name: str) -> Player:
        this = update(PlayerRow).where(col(PlayerRow.id) == player).values(keys_of(name))
        with refused_as(self._session, f"the name {name} is taken"):
            change(self._session, this, f"there is no player {player}")
        self.look_again()
        return self.get(player)

    def at(self, address: str) -> Player | None:
        return self.at_each([address]).get(address)

    def at_each(self, addresses: Collection[str]) -> Mapping[str, Player]:
        if not addresses:
            return {}
        players = self._read(BY_ADDRESSES, sorted(map(key_of, addresses)))
        self._known |= {player.id: player for player in players}
        theirs = {own.lower(): player for player in players for own in player.addresses}
        return {each: theirs[each.lower()] for each in addresses if each.lower() in theirs}

    def all(self) -> list[Player]:
        # sorted here, since databases sort letters differently
        return sorted(self._read(MEMBERS), key=lambda player: player.name.casefold())

    def addresses(self, player: PlayerId) -> list[Address]:
        theirs = select(AddressRow).where(col(AddressRow.player_id) == player)
        rows = self._session.exec(theirs.order_by(col(AddressRow.place)))
        return [Address(r.address, r.failed_at, r.failure, r.works_since, r.added_at) for r in rows]

    def set_addresses(
        self, player: PlayerId, addresses: Sequence[str], added_at: datetime | None = None
    ) -> Player:
        self.get(player)
        if not addresses:
            raise ValueError(f"player {player} would have no address")
        self._put_addresses(player, addresses, added_at)
        return self.get(player)

    def bots(self) -> list[Player]:
        return self._read(BOTS)

    def choose(self, player: PlayerId, key: str, value: str) -> None:
        # Re-read and locked, since another transaction may be changing another setting.
        theirs = select(PlayerRow.settings).where(col(PlayerRow.id) == player)
        chosen = self._session.exec(locked(self._session, theirs)).one_or_none() or {}
        this = update(PlayerRow).where(col(PlayerRow.id) == player)
        values = {"settings": {**chosen, key: value}}
        change(self._session, this.values(values), f"there is no player {player}")
        self.look_again()

    def unban(self, player: PlayerId, at: datetime) -> None:
        this = update(PlayerRow).where(col(PlayerRow.id) == player).values(unbanned_at=at)
        change(self._session, this, f"there is no player {player}")
        self.look_again()

    def address_failed(self, address: str, at: datetime, why: str) -> None:
        self._set_address(address, failed_at=at, failure=why)

    def address_works(self, address: str, at: datetime) -> None:
        self._set_address(address, failed_at=None, failure="", works_since=at)

    def unreached_since(self, moment: datetime) -> list[PlayerId]:
        query = select(AddressRow.player_id).where(col(AddressRow.failed_at) <= moment)
        return sorted(set(self._session.exec(query)))

    def _set_address(self, address: str, **values: Any) -> None:
        # Lock the player, as does everything that depends on whether they are reachable.
        held = self.at(address)
        if held is not None:
            self._hold(held.id)
        this = update(AddressRow).where(col(AddressRow.address_key) == key_of(address))
        change(self._session, this.values(**values), f"nobody has the address {address}")
        self.look_again()

    def _one(self, query: Executable, key: int | str) -> Player | None:
        found = next(iter(self._read(query, key)), None)
        if found is not None:
            self._known[found.id] = found
        return found

    def _read(self, query: Executable, key: object = None) -> list[Player]:
        rows = run(self._session, query, {"key": key})
        return [_player(list(own)) for _, own in groupby(rows, key=lambda row: row.id)]


PLAYERS = (
    sa.select(
        *(col(PlayerRow.id), col(PlayerRow.name), col(PlayerRow.settings), col(PlayerRow.bot)),
        *(col(PlayerRow.former), col(AddressRow.address), col(AddressRow.failed_at)),
        *(col(AddressRow.added_at), col(PlayerRow.joined_at), col(PlayerRow.unbanned_at)),
    )
    .join(AddressRow, isouter=True)
    .order_by(col(PlayerRow.id), col(AddressRow.place))
)
"""One row per address of a player, and one without an address for a former member."""
MEMBERS = PLAYERS.where(~col(PlayerRow.former))
BOTS = PLAYERS.where(col(PlayerRow.bot) != "")
HELD = locking(sa.select(col(PlayerRow.id)).where(col(PlayerRow.id) == bindparam("key")))
BY_ID = PLAYERS.where(col(PlayerRow.id) == bindparam("key"))
BY_IDS = PLAYERS.where(col(PlayerRow.id).in_(bindparam("key", expanding=True)))
MOST_AT_ONCE = 1000
"""Most players in one statement. SQLite allows 32,766 values."""
BY_NAME = PLAYERS.where(col(PlayerRow.name_key) == bindparam("key"))
BY_SKELETON = PLAYERS.where(col(PlayerRow.skeleton) == bindparam("key"))
SEATED = (
    PLAYERS.add_columns(col(SeatRow.seat))
    .join(SeatRow, col(SeatRow.player_id) == col(PlayerRow.id))
    .where(col(SeatRow.match_id) == bindparam("key"))
    .order_by(None)
    .order_by(col(SeatRow.place), col(AddressRow.place))
)
BY_ADDRESS = PLAYERS.where(
    col(PlayerRow.id)
    == sa.select(col(AddressRow.player_id))
    .where(col(AddressRow.address_key) == bindparam("its_address"))
    .scalar_subquery()
)
BY_ADDRESSES = PLAYERS.where(
    col(PlayerRow.id).in_(
        sa.select(col(AddressRow.player_id)).where(
            col(AddressRow.address_key).in_(bindparam("key", expanding=True))
        )
    )
)


def _row_of(name: str, **others: Any) -> PlayerRow:
    return PlayerRow(**keys_of(name), **others)


def keys_of(name: str) -> dict[str, Any]:
    """Return the columns of a name."""
    return {"name": name, "name_key": key_of(name), "skeleton": skeleton_of(name)[:KEY_LENGTH]}


def player_at(address: str, rows: Iterable[Row[Any]]) -> Player | None:
    """Return the player in rows found by an address's key, None if the address is not theirs.

    Different addresses can share a key: with ß and ss, or if they differ only past its length.
    """
    found = list(rows)
    theirs = (row.address.lower() for row in found if row.address is not None)
    return _player(found) if address.lower() in theirs else None


def _player(rows: Sequence[Row[Any]]) -> Player:
    return Player(
        id=rows[0].id,
        name=rows[0].name,
        addresses=tuple(row.address for row in rows if row.address is not None),
        settings=rows[0].settings,
        bot=rows[0].bot,
        former=rows[0].former,
        joined_at=rows[0].joined_at,
        unbanned_at=rows[0].unbanned_at,
        failed=frozenset(row.address for row in rows if row.failed_at is not None),
        added={row.address: row.added_at for row in rows if row.added_at is not None},
    )


def _row(player: PlayerId, place: int, address: str, known: Address) -> dict[str, Any]:
    return {
        "player_id": player,
        "place": place,
        "address": address,
        "address_key": key_of(address),
        "failed_at": known.failed_at,
        "failure": known.failure,
        "works_since": known.works_since,
        "added_at": known.added_at,
    }


class SqlAbsences:
    """Absence notices in SQL. Satisfies the port Absences."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, notice: AbsenceNotice) -> None:
        with refused_as(self._session, f"there is no player {notice.player}, or not that match"):
            self._session.add(
                AbsenceRow(
                    player_id=notice.player,
                    match_id=notice.match_id,
                    at=notice.at,
                    subject=notice.subject,
                    text=notice.text,
                )
            )

    def of(self, player: PlayerId, limit: int) -> list[AbsenceNotice]:
        theirs = select(AbsenceRow).where(col(AbsenceRow.player_id) == player)
        newest = theirs.order_by(col(AbsenceRow.at).desc(), col(AbsenceRow.id).desc()).limit(limit)
        return [_notice(row) for row in self._session.exec(newest)]


def _notice(row: AbsenceRow) -> AbsenceNotice:
    return AbsenceNotice(row.player_id, row.match_id, row.at, row.subject, row.text)


class SqlQuestions:
    """Questions in SQL. Satisfies the port Questions."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def ask(self, question: OpenQuestion) -> OpenQuestion:
        row = _questions_row_of(question)
        with refused_as(self._session, "its mail waits already, or who was asked is not stored"):
            self._session.add(row)
            self._session.flush()
        assert row.id is not None
        return replace(question, id=row.id)

    def get(self, question_id: int) -> OpenQuestion:
        row = by_id(self._session, select(QuestionRow), col(QuestionRow.id), question_id)
        if row is None:
            raise StorageError(_missing(question_id))
        return _question_of(row)

    def waiting(
        self, holder: Holder, now: datetime, about: TopicKey | None = None
    ) -> list[OpenQuestion]:
        open_ones = _asked_of(holder).where(col(QuestionRow.expires_at) > now)
        if about is not None:
            open_ones = open_ones.where(col(QuestionRow.about) == about)
        rows = self._session.exec(open_ones.order_by(col(QuestionRow.id)))
        return [_question_of(row) for row in rows]

    def of_kind(self, kind: str, now: datetime) -> list[OpenQuestion]:
        query = select(QuestionRow).where(
            col(QuestionRow.kind) == kind, col(QuestionRow.expires_at) > now
        )
        rows = self._session.exec(query.order_by(col(QuestionRow.id)))
        return [_question_of(row) for row in rows]

    def asked_by(self, message_id: str) -> OpenQuestion | None:
        query = select(QuestionRow).where(col(QuestionRow.asked_by) == message_id)
        row = self._session.exec(query).first() if message_id else None
        return None if row is None else _question_of(row)

    def asked(self, question_id: int, message_id: str) -> None:
        this = update(QuestionRow).where(col(QuestionRow.id) == question_id)
        change(self._session, this.values(asked_by=message_id), _missing(question_id))

    def postpone(self, by: timedelta, after: datetime) -> None:
        move(self._session, QuestionRow, "expires_at", by, col(QuestionRow.expires_at) > after)

    def drop_expired(self, now: datetime) -> int:
        gone = delete(QuestionRow).where(col(QuestionRow.expires_at) <= now)
        return self._session.exec(gone).rowcount

    def settle(self, question_id: int) -> None:
        gone = delete(QuestionRow).where(col(QuestionRow.id) == question_id)
        if self._session.exec(gone).rowcount == 0:
            raise StorageError(_missing(question_id))


class SqlInvitedMailboxes:
    """Invited mailboxes in SQL. Satisfies the port InvitedMailboxes."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def note(self, key: str, *, never: bool = False) -> None:
        known = self._session.get(InvitedMailboxRow, key)
        if known is None:
            self._session.add(InvitedMailboxRow(mailbox_key=key, never=never))
        elif never:
            known.never = True
        self._session.flush()

    def said_never(self, keys: Collection[str]) -> bool | None:
        query = select(InvitedMailboxRow.never)
        found = self._session.exec(query.where(col(InvitedMailboxRow.mailbox_key).in_(keys))).all()
        return any(found) if found else None

    def drop(self, keys: Collection[str]) -> None:
        gone = delete(InvitedMailboxRow).where(col(InvitedMailboxRow.mailbox_key).in_(keys))
        self._session.exec(gone.where(col(InvitedMailboxRow.never).is_(False)))


def _asked_of(holder: Holder) -> SelectOfScalar[QuestionRow]:
    if isinstance(holder, int):
        return select(QuestionRow).where(col(QuestionRow.player_id) == holder)
    return select(QuestionRow).where(col(QuestionRow.address_key) == key_of(holder))


def _questions_row_of(question: OpenQuestion) -> QuestionRow:
    stranger = question.holder if isinstance(question.holder, str) else None
    return QuestionRow(
        kind=question.kind,
        player_id=question.holder if isinstance(question.holder, int) else None,
        address=stranger,
        address_key=None if stranger is None else key_of(stranger),
        about=question.about,
        expires_at=question.expires_at,
        asked_by=question.asked_by,
        inbound_id=question.inbound_id,
        data=dict(question.data),
    )


def _question_of(row: QuestionRow) -> OpenQuestion:
    assert row.id is not None
    return OpenQuestion(
        id=row.id,
        kind=row.kind,
        holder=row.address if row.address is not None else cast("int", row.player_id),
        about=row.about,
        expires_at=row.expires_at,
        asked_by=row.asked_by,
        inbound_id=row.inbound_id,
        data=cast("Mapping[str, object]", row.data),
    )


def _missing(question_id: int) -> str:
    return f"there is no question {question_id} that waits"


class SqlLeaves:
    """Leave in SQL. Satisfies the port Leaves."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def of(self, player: PlayerId, since: datetime) -> list[Leave]:
        rows = run(self._session, LEAVES, {"its_player": player, "since": since})
        return [
            Leave(row.first_day, row.last_day, row.start_at, row.end_at, row.auto) for row in rows
        ]

    def put(self, player: PlayerId, leaves: Iterable[Leave], since: datetime) -> None:
        run(self._session, GONE, {"its_player": player, "since": since})
        with refused_as(self._session, f"there is no player {player}"):
            self._session.add_all(_leave_row(player, each) for each in leaves)


_ENDING = (
    col(LeaveRow.player_id) == bindparam("its_player"),
    col(LeaveRow.end_at) > bindparam("since"),
)
LEAVES = (
    sa.select(
        *(col(LeaveRow.first_day), col(LeaveRow.last_day)),
        *(col(LeaveRow.start_at), col(LeaveRow.end_at), col(LeaveRow.auto)),
    )
    .where(*_ENDING)
    .order_by(col(LeaveRow.start_at))
)
GONE = sa.delete(LeaveRow).where(*_ENDING)


def _leave_row(player: PlayerId, leave: Leave) -> LeaveRow:
    return LeaveRow(
        player_id=player,
        first_day=leave.first,
        last_day=leave.last,
        start_at=leave.start,
        end_at=leave.end,
        auto=leave.auto,
    )
