"""Matches, their actions, notes, pauses and snapshots."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

import sqlalchemy as sa
from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Executable,
    Update,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select as columns_only,
    union,
    update,
)
from sqlmodel import Session, col, select

from pbem.adapters.db.competitions import index, index_again
from pbem.adapters.db.match_mapping import (
    account_of,
    action_columns,
    action_of,
    clock_data,
    columns_of,
    ever_played,
    happening_columns,
    happening_of,
    holders_of,
    match_of,
    seat_columns,
)
from pbem.adapters.db.people import SqlPlayers
from pbem.adapters.db.ratings import SqlRatings
from pbem.adapters.db.room import mark
from pbem.adapters.db.session import (
    attempt,
    change,
    insert_into,
    locked,
    locking,
    possible,
    refused_as,
    require_writing,
    run,
    table_of,
)
from pbem.adapters.db.tables import (
    DEPARTURE,
    SUCCESSION,
    TIMED,
    ActionRow,
    CompetitionPlayerRow,
    HappeningRow,
    MatchRow,
    NoteRow,
    PauseRow,
    SeatRow,
    SnapshotRow,
    WaitingNoteRow,
)
from pbem.adapters.db.waiting import ask_again, may_wait, note_waiting
from pbem.archive.site.values import Note, NoteKind
from pbem.games.api import Seat
from pbem.matches.history import Happening
from pbem.matches.match import MatchSummary, PlayerId, RecordedAction
from pbem.matches.reliability import LeftMatch, TurnTime, left_match
from pbem.matches.time_control import TimeAccount
from pbem.ports.play import CLUB, Pause, Snapshot
from pbem.ports.process import StorageError
from pbem.ports.room import PageKind


class SqlMatches:
    """Matches in SQL. Satisfies the port Matches."""

    def __init__(self, session: Session, players: SqlPlayers) -> None:
        self._session = session
        self._locked: dict[int, MatchSummary] = {}
        """Locked matches, as stored."""
        self._players = players

    def add(self, match: MatchSummary) -> MatchSummary:
        row = MatchRow(**columns_of(match))
        with refused_as(self._session, "its place is taken, or a player is not stored"):
            self._session.add(row)
            self._session.flush()
            assert row.id is not None
            run(self._session, insert(SeatRow), seat_columns(row.id, match))
        added = replace(match, id=row.id)
        index(self._session, [added])
        mark(self._session, PageKind.MATCH, [row.id])
        return added

    def get(self, match_id: int) -> MatchSummary:
        return self._one(match_id, MATCH)

    def lock(self, match_id: int) -> MatchSummary:
        require_writing(self._session)
        ask_again(self._session, match_id)
        match = self._locked[match_id] = self._one(match_id, LOCKED_MATCH)
        return match

    def save(self, match: MatchSummary) -> None:
        values = {"its_id": match.id, **columns_of(match)}
        before = self._locked.pop(match.id, None)
        if before is not None and before.result is None and match.result is not None:
            values["archived_at"] = None
        change(self._session, THIS_MATCH, _missing(match.id), values)
        if before is None or _seated(before) != _seated(match):
            self._follow_seats(match)
        if before is None:
            index(self._session, [match])
        else:
            index_again(self._session, before, match)
        kind = PageKind.TURN if before and _told(before) == _told(match) else PageKind.MATCH
        mark(self._session, kind, [match.id])

    def _follow_seats(self, match: MatchSummary) -> None:
        rows = [{f"its_{key}": seat[key] for key in seat} for seat in seat_columns(match.id, match)]
        run(self._session, FOLLOW_SEATS, rows)

    def save_clocks(self, matches: Sequence[MatchSummary]) -> None:
        rows = [{"its_id": match.id, "clock": clock_data(match.clock)} for match in matches]
        if rows:
            run(self._session, THIS_MATCH, rows)
            index(self._session, matches)
        for match in matches:
            self._locked.pop(match.id, None)

    def append(
        self,
        match_id: int,
        actions: Iterable[RecordedAction],
        happenings: Iterable[Happening] = (),
        account: TimeAccount | None = None,
        timed: TurnTime | None = None,
    ) -> None:
        played = [
            action_columns(match_id, action, *((None, None) if later else (account, timed)))
            for later, action in enumerate(actions)
        ]
        happened = [happening_columns(match_id, each) for each in happenings]
        for statement, rows in ((NEW_ACTIONS, played), (NEW_HAPPENINGS, happened)):
            if rows:
                refusal = f"match {match_id} already has these entries, or is not stored"
                attempt(self._session, statement, rows, refusal)

    def turns_of(self, player: PlayerId, since: datetime) -> list[TurnTime]:
        rows = run(self._session, TIMED_TURNS, {"its_player_id": player, "since": since})
        return [TurnTime(player, timedelta(seconds=row.spent), row.late) for row in rows]

    def left_by(self, player: PlayerId, since: datetime) -> list[LeftMatch]:
        values = {"its_player_id": player, "was": f"{player} %", "since": since}
        found = (
            left_match(player, match, self.happenings(match.id))
            for row in run(self._session, DEPARTURES, values)
            if self._has_people(match := self.get(row.match_id), player)
        )
        late = [each for each in found if each is not None and each.at > since]
        return sorted(late, key=lambda each: (each.at, each.match_id))

    def _has_people(self, match: MatchSummary, besides: PlayerId) -> bool:
        return any(each != besides and not self._players.get(each).bot for each in match.players)

    def accounts_since(self, match_id: int, turn: int) -> list[tuple[Seat, TimeAccount]]:
        rows = run(self._session, ACCOUNTS, {"its_match_id": match_id, "from_turn": turn})
        return [(row.seat, account_of(row.account)) for row in rows if row.account]

    def take_back(self, match_id: int, turn: int, entry: int) -> None:
        values = {"its_match_id": match_id, "from_turn": turn, "by_entry": entry}
        run(self._session, TAKE_BACK, values)

    def all_recorded(self, match_id: int) -> list[RecordedAction]:
        rows = run(self._session, ALL_ACTIONS, {"its_match_id": match_id})
        return [action_of(row) for row in rows]

    def recorded(
        self, match_id: int, from_turn: int = 0, from_number: int = 0
    ) -> list[RecordedAction]:
        wanted = LATER_ACTIONS if from_turn > 0 else ACTIONS
        values = {"its_match_id": match_id, "from_turn": from_turn, "from_number": from_number}
        rows = run(self._session, wanted, values)
        return [action_of(row) for row in rows]

    def happenings(self, match_id: int) -> list[Happening]:
        rows = run(self._session, HAPPENINGS, {"its_match_id": match_id})
        return [happening_of(row) for row in rows]

    def of_player(self, player: PlayerId, *, playing: bool = True) -> list[MatchSummary]:
        held = select(SeatRow.match_id).where(col(SeatRow.player_id) == player)
        if playing:
            held = held.where(col(SeatRow.playing).is_(True))
        return self._many(col(MatchRow.id).in_(held))

    def asked_since(self, moment: datetime) -> list[PlayerId]:
        query = (
            select(SeatRow.player_id)
            .join(MatchRow, col(MatchRow.id) == col(SeatRow.match_id))
            .where(
                col(MatchRow.ended_at).is_(None),
                col(MatchRow.turn_started_at) <= moment,
                col(SeatRow.seat) == col(MatchRow.to_act),
            )
        )
        return sorted(set(self._session.exec(query)))

    def playing(self, after: int, most: int) -> list[MatchSummary]:
        going_on = select(MatchRow.id).where(
            col(MatchRow.ended_at).is_(None), col(MatchRow.id) > after
        )
        first = going_on.order_by(col(MatchRow.id)).limit(most)
        ids = [
            each for each in self._session.exec(locked(self._session, first)) if each is not None
        ]
        for each in ids:
            ask_again(self._session, each)
        return self._many(col(MatchRow.id).in_(ids))

    def of_competition(self, competition_id: int) -> list[MatchSummary]:
        found = self._many(col(MatchRow.competition_id) == competition_id)
        return sorted(found, key=lambda each: each.place.index if each.place else 0)

    def all(self) -> list[MatchSummary]:
        return self._many()

    def count_ended(self) -> int:
        ended = select(func.count()).where(col(MatchRow.ended_at).is_not(None))
        return self._session.exec(ended).one()

    def unarchived(self) -> list[int]:
        ended = select(MatchRow.id).where(col(MatchRow.ended_at).is_not(None))
        waiting = ended.where(col(MatchRow.archived_at).is_(None)).order_by(col(MatchRow.id))
        return [each for each in self._session.exec(waiting) if each is not None]

    def reopened(self) -> list[int]:
        playing = select(MatchRow.id).where(col(MatchRow.ended_at).is_(None))
        written = playing.where(col(MatchRow.archived_at).is_not(None)).order_by(col(MatchRow.id))
        return [each for each in self._session.exec(written) if each is not None]

    def mark_archived(self, match_id: int, at: datetime | None) -> None:
        values = {"its_id": match_id, "archived_at": at}
        change(self._session, THIS_MATCH, _missing(match_id), values)
        SqlRatings(self._session).wait([match_id])

    def archive_again(self, player: PlayerId) -> None:
        entered = select(CompetitionPlayerRow.competition_id)
        theirs = entered.where(col(CompetitionPlayerRow.player_id) == player)
        named = or_(
            col(MatchRow.id).in_(ever_played(player)), col(MatchRow.competition_id).in_(theirs)
        )
        ended = update(MatchRow).where(col(MatchRow.ended_at).is_not(None))
        self._session.exec(ended.where(named).values(archived_at=None))

    def _one(self, match_id: int, query: Executable) -> MatchSummary:
        this = {"its_match_id": match_id}
        row = run(self._session, query, this).one_or_none() if possible(match_id) else None
        if row is None:
            raise StorageError(_missing(match_id))
        return match_of(row, self._players.seated(match_id))

    def _many(self, *conditions: ColumnElement[bool]) -> list[MatchSummary]:
        # As plain columns, since objects of rows take twice the time.
        query = columns_only(*table_of(MatchRow).c, col(SeatRow.seat), col(SeatRow.player_id))
        query = query.join_from(MatchRow, SeatRow).where(*conditions)
        rows = run(self._session, query.order_by(col(MatchRow.id), col(SeatRow.place)))
        seated = (list(seats) for _, seats in groupby(rows, key=lambda row: row.id))
        return [match_of(seats[0], holders_of(seats)) for seats in seated]


def _follow_seats() -> Update:
    player: BindParameter[int] = bindparam("its_player_id")
    playing: BindParameter[bool] = bindparam("its_playing")
    differs = or_(col(SeatRow.player_id) != player, col(SeatRow.playing) != playing)
    this = update(SeatRow).where(
        col(SeatRow.match_id) == bindparam("its_match_id"),
        col(SeatRow.place) == bindparam("its_place"),
    )
    return this.where(differs).values(player_id=player, playing=playing)


_ITS_MATCH: BindParameter[int] = bindparam("its_match_id")

MATCH = columns_only(*table_of(MatchRow).c).where(col(MatchRow.id) == _ITS_MATCH)
LOCKED_MATCH = locking(MATCH)
THIS_MATCH = update(MatchRow).where(col(MatchRow.id) == bindparam("its_id"))
ALL_ACTIONS = (
    columns_only(*(col(getattr(ActionRow, field)) for field in RecordedAction._fields))
    .where(col(ActionRow.match_id) == _ITS_MATCH)
    .order_by(col(ActionRow.number))
)
_STANDS = col(ActionRow.undone) == 0
ACTIONS = ALL_ACTIONS.where(_STANDS, col(ActionRow.number) >= bindparam("from_number"))
LATER_ACTIONS = ACTIONS.where(col(ActionRow.turn) >= bindparam("from_turn"))
ACCOUNTS = (
    columns_only(col(ActionRow.seat), col(ActionRow.account))
    .where(
        col(ActionRow.match_id) == _ITS_MATCH,
        col(ActionRow.turn) >= bindparam("from_turn"),
        _STANDS,
    )
    .order_by(col(ActionRow.number))
)
NEW_ACTIONS = insert(ActionRow)
TAKE_BACK = (
    update(ActionRow)
    .where(
        col(ActionRow.match_id) == _ITS_MATCH,
        col(ActionRow.turn) >= bindparam("from_turn"),
        _STANDS,
    )
    .values(undone=bindparam("by_entry"))
)
TIMED_TURNS = columns_only(col(ActionRow.spent), col(ActionRow.late)).where(
    col(ActionRow.player_id) == bindparam("its_player_id"),
    col(ActionRow.at) > bindparam("since"),
    sa.text(TIMED),
)
_LATELY = col(HappeningRow.at) > bindparam("since")
DEPARTURES = union(
    columns_only(col(HappeningRow.match_id))
    .join(
        SeatRow,
        sa.and_(
            col(SeatRow.match_id) == col(HappeningRow.match_id),
            col(SeatRow.seat) == col(HappeningRow.seat),
        ),
    )
    .where(col(SeatRow.player_id) == bindparam("its_player_id"), _LATELY, sa.text(DEPARTURE)),
    columns_only(col(HappeningRow.match_id)).where(
        sa.text(SUCCESSION), col(HappeningRow.text).like(bindparam("was")), _LATELY
    ),
)
"""Matches that a player may have left."""
HAPPENINGS = (
    columns_only(*(col(getattr(HappeningRow, field)) for field in Happening._fields))
    .where(col(HappeningRow.match_id) == _ITS_MATCH)
    .order_by(col(HappeningRow.entry))
)
NEW_HAPPENINGS = insert(HappeningRow)

FOLLOW_SEATS = _follow_seats()
"""Updates only the rows in which `player_id` or `playing` changes."""


def _told(match: MatchSummary) -> tuple[object, ...]:
    """Return what pages of members, games and competitions show about a match."""
    return dict(match.seats), match.hands, match.result, match.public


def _seated(match: MatchSummary) -> tuple[object, ...]:
    """Return what the rows of its seats store about a match."""
    return dict(match.seats), match.result is None


def _missing(match_id: int) -> str:
    return f"there is no match {match_id}"


class SqlNotes:
    """Notes in SQL. Satisfies the port Notes."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, match_id: int, note: Note) -> None:
        row = NoteRow(
            match_id=match_id,
            turn=note.turn,
            player_id=note.author,
            text=note.text,
            at=note.at,
            kind=str(note.kind),
            public=note.public,
        )
        with refused_as(self._session, f"there is no match {match_id}, or not its author"):
            self._session.add(row)

    def of(self, match_id: int) -> Sequence[Note]:
        return self._notes(col(NoteRow.match_id) == match_id, col(NoteRow.public).is_(True))

    def by(
        self, author: PlayerId, match_id: int | None = None, since: datetime | None = None
    ) -> Sequence[Note]:
        which = [col(NoteRow.player_id) == author]
        if match_id is not None:
            which.append(col(NoteRow.match_id) == match_id)
        if since is not None:
            which.append(col(NoteRow.at) > since)
        return self._notes(*which)

    def _notes(self, *which: ColumnElement[bool]) -> Sequence[Note]:
        rows = self._session.exec(select(NoteRow).where(*which).order_by(col(NoteRow.id)))
        return [_note(row) for row in rows]

    def take_back(self, note: Note) -> None:
        self._change(note, text="", public=False)

    def publish(self, note: Note) -> None:
        self._change(note, public=True)

    def _change(self, note: Note, **values: Any) -> None:
        run(self._session, update(NoteRow).where(col(NoteRow.id) == note.id).values(**values))


def _note(row: Any) -> Note:
    return Note(
        row.turn, row.player_id, row.text, row.at, NoteKind(row.kind), row.public, id=row.id
    )


class SqlWaitingNotes:
    """Waiting notes in SQL. Satisfies the port WaitingNotes."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, match_id: int, reader: PlayerId, note: Note) -> None:
        row = {
            "match_id": match_id,
            "reader_id": reader,
            "turn": note.turn,
            "player_id": note.author,
            "text": note.text,
            "at": note.at,
            "kind": str(note.kind),
        }
        refusal = f"there is no match {match_id}, or not its author or reader"
        note_waiting(self._session, WaitingNoteRow, match_id)
        attempt(self._session, KEEP, row, refusal)

    def of(self, match_id: int) -> Mapping[PlayerId, Sequence[Note]]:
        waiting = defaultdict[PlayerId, list[Note]](list)
        if not may_wait(self._session, WaitingNoteRow, match_id):
            return waiting
        for row in run(self._session, WAITING_NOTES, {"its_match": match_id}):
            note = Note(row.turn, row.player_id, row.text, row.at, NoteKind(row.kind))
            waiting[row.reader_id].append(note)
        return waiting

    def matches_of(self, reader: PlayerId) -> set[int]:
        return set(run(self._session, WITH_NOTES, {"its_reader": reader}).scalars())

    def told(self, match_id: int, reader: PlayerId, held: Collection[PlayerId] = ()) -> None:
        named = {"its_match": match_id, "its_reader": reader, "held": list(held) or [NOBODY]}
        run(self._session, TOLD, named)

    def take_back(self, match_id: int, note: Note) -> None:
        same = (
            col(WaitingNoteRow.match_id) == match_id,
            col(WaitingNoteRow.player_id) == note.author,
            col(WaitingNoteRow.kind) == str(note.kind),
            col(WaitingNoteRow.at) == note.at,
            col(WaitingNoteRow.text) == note.text,
        )
        run(self._session, delete(WaitingNoteRow).where(*same))


def _number(name: str) -> BindParameter[int]:
    return bindparam(name)


NOBODY = 0
"""No player has this number. An empty list would need a different query."""
_ITS = col(WaitingNoteRow.match_id) == _number("its_match")
KEEP = insert(WaitingNoteRow)
WAITING_NOTES = (
    columns_only(*table_of(WaitingNoteRow).c).where(_ITS).order_by(col(WaitingNoteRow.id))
)
WITH_NOTES = columns_only(col(WaitingNoteRow.match_id)).where(
    col(WaitingNoteRow.reader_id) == _number("its_reader")
)
TOLD = delete(WaitingNoteRow).where(
    _ITS,
    col(WaitingNoteRow.reader_id) == _number("its_reader"),
    col(WaitingNoteRow.player_id).not_in(bindparam("held", expanding=True)),
)


class SqlPauses:
    """Pauses in SQL. Satisfies the port Pauses."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: dict[int, Sequence[Pause]] = {}
        """Pauses read in this transaction, since each turn needs the same ones several times."""

    def put(self, pause: Pause) -> None:
        moments = {"start": pause.start, "end": pause.end}
        row = insert_into(self._session, PauseRow).values(competition=pause.competition, **moments)
        self._session.exec(row.on_conflict_do_update(index_elements=["competition"], set_=moments))
        self._known.clear()

    def of(self, competition: int) -> Sequence[Pause]:
        if competition not in self._known:
            self._known[competition] = self._read(competition)
        return self._known[competition]

    def _read(self, competition: int) -> Sequence[Pause]:
        rows = run(self._session, PAUSES, {"its_competition": competition})
        return [Pause(row.competition, row.start, row.end) for row in rows]


PAUSES = (
    sa.select(col(PauseRow.competition), col(PauseRow.start), col(PauseRow.end))
    .where(col(PauseRow.competition).in_((bindparam("its_competition"), CLUB)))
    .order_by(col(PauseRow.competition))
)


class SqlSnapshots:
    """Snapshots in SQL. Satisfies the port Snapshots."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def put(self, match_id: int, snapshot: Snapshot) -> None:
        values = asdict(snapshot)
        row = insert_into(self._session, SnapshotRow).values(match_id=match_id, **values)
        run(self._session, row.on_conflict_do_update(index_elements=["match_id"], set_=values))

    def of(self, match_id: int) -> Snapshot | None:
        row = run(self._session, SNAPSHOT, {"its_match_id": match_id}).one_or_none()
        return None if row is None else Snapshot(**row._mapping)


SNAPSHOT = sa.select(
    col(SnapshotRow.actions),
    col(SnapshotRow.head),
    col(SnapshotRow.rules_version),
    col(SnapshotRow.text),
).where(col(SnapshotRow.match_id) == bindparam("its_match_id"))
