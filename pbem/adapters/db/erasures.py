"""Erasures: remove everything known about a member.

Every column that can contain people's words must be in PROSE or be deleted with its owner. A test
checks this for all columns.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, delete, insert, inspect, or_, select, text, update
from sqlmodel import Session, col

from pbem.adapters.db.match_mapping import ever_played
from pbem.adapters.db.outbox_line import letter_columns, letter_of
from pbem.adapters.db.session import possible, require_writing, run
from pbem.adapters.db.tables import (
    TIMED,
    AbsenceRow,
    ActionRow,
    AddressRow,
    BlockRow,
    DatabaseRow,
    DecisionRow,
    DigestRow,
    ErasedMailRow,
    ExposureRow,
    InboundRow,
    LeaveRow,
    MuteRow,
    NoteRow,
    OutboxRow,
    PlanRow,
    PlayerRow,
    QuestionRow,
    RatingStepRow,
    ServiceRow,
    WaitingNewsRow,
    WaitingNoteRow,
    WatchedRow,
    WatchRow,
)
from pbem.adapters.db.types import Data, key_of
from pbem.mail.identity import Identity, former_names
from pbem.mail.topic import DigestTopic, MembershipTopic, match_key
from pbem.matches.match import PlayerId
from pbem.ports.inbound import NO_FOLDER, InboundState
from pbem.ports.keeping import LeftMail
from pbem.ports.process import StorageError
from pbem.ports.room import WatchKind

PROSE: Mapping[type[DatabaseRow], tuple[str, ...]] = {
    AbsenceRow: ("subject", "text"),
    AddressRow: ("failure",),
    DecisionRow: ("line", "reason"),
    InboundRow: ("reason",),
    NoteRow: ("text",),
    OutboxRow: ("reply",),
    QuestionRow: ("data",),
    WaitingNewsRow: ("said",),
    WaitingNoteRow: ("text",),
}
"""Columns in which anybody may be named, apart from emails, which have their own formats."""

Which = ColumnElement[bool]
UNREAD = (InboundState.NEW, InboundState.KEPT, InboundState.PARKED, InboundState.SHUNTED)
"""States of emails that are still to be read."""
BLANK = {"raw": b"", "sender": "", "sender_key": "", "message_id": "", "digest": "", "reason": ""}
BATCH = 200
NOBODYS_NAME = "\n{}"
"""Key of a former member's name. No real name has such a key, so no search finds it."""
DATABASE = "erased"
"""Key in `service` of the time since which the database files need rewriting."""


def _held(addresses: Sequence[str]) -> Select[str]:
    """Return a query for the addresses, out of these, that now belong to somebody."""
    keys = [key_of(each) for each in addresses]
    return select(col(AddressRow.address)).where(col(AddressRow.address_key).in_(keys))


class SqlErasures:
    """Erasures in SQL. Satisfies the port Erasures."""

    def __init__(self, session: Session, look_again: Callable[[], None]) -> None:
        self._session = session
        self._look_again = look_again
        """Clears the players cached in this transaction."""

    def erase(
        self, player: PlayerId, called: str, settings: Mapping[str, str], at: datetime
    ) -> None:
        require_writing(self._session)
        identity = self._identity(player, called)
        keys = [key_of(address) for address in identity.addresses]
        topics = self._topics(player)
        self._delete_what_is_theirs(player, keys)
        self._blank_their_mails(player, keys)
        self._empty_mails(identity, topics)
        self._name_in_letters(identity, topics)
        for table, columns in PROSE.items():
            self._name_in(identity, table, columns)
        self._call_them_otherwise(player, called, settings)
        self._look_again()
        self.note(at)

    def _topics(self, player: PlayerId) -> Sequence[str]:
        """Return the topics of emails about the member's matches, and of digests that show one."""
        matches = {*run(self._session, ever_played(player)).scalars()}
        digests = run(self._session, select(col(DigestRow.id), col(DigestRow.turns))).all()
        shown = (row.id for row in digests if matches.intersection(map(int, row.turns)))
        return [*map(match_key, sorted(matches)), *(DigestTopic(each).key for each in shown)]

    def _identity(self, player: PlayerId, called: str) -> Identity:
        named = select(col(PlayerRow.name), col(PlayerRow.settings)).where(~col(PlayerRow.former))
        this = named.where(col(PlayerRow.id) == player).with_for_update()
        found = run(self._session, this).one_or_none() if possible(player) else None
        if found is None:
            raise StorageError(f"there is no player {player}")
        theirs = select(col(AddressRow.address)).where(col(AddressRow.player_id) == player)
        names, addresses = former_names(found.settings)
        of_others = run(self._session, _held(addresses)).scalars()
        taken = {each.casefold() for each in of_others}
        addresses = [each for each in addresses if each.casefold() not in taken]
        names = [found.name, *names]
        others = self._names_with(names, player)
        own = tuple(each for each in names if each not in others)
        return Identity(own, (*run(self._session, theirs).scalars(), *addresses), called, others)

    def _names_with(self, names: Sequence[str], player: PlayerId) -> tuple[str, ...]:
        """Return the names of other members that contain one of these names."""
        others = select(col(PlayerRow.name)).where(col(PlayerRow.id) != player)
        in_it = (col(PlayerRow.name).contains(name, autoescape=True) for name in names)
        return tuple(run(self._session, others.where(or_(*in_it))).scalars())

    def _delete_what_is_theirs(self, player: PlayerId, keys: Sequence[str]) -> None:
        mails = select(col(InboundRow.id)).where(_sent_by(player, keys))
        of_them = MembershipTopic(player).key
        holders = [key_of(str(player)), *keys]
        gone = (
            delete(QuestionRow).where(
                or_(
                    col(QuestionRow.player_id) == player,
                    col(QuestionRow.address_key).in_(keys),
                    col(QuestionRow.about) == of_them,
                    col(QuestionRow.inbound_id).in_(mails),
                )
            ),
            delete(AddressRow).where(col(AddressRow.player_id) == player),
            delete(BlockRow).where(
                or_(col(BlockRow.player_id) == player, col(BlockRow.blocked_id) == player)
            ),
            delete(MuteRow).where(
                or_(col(MuteRow.player_id) == player, col(MuteRow.muted_id) == player)
            ),
            delete(AbsenceRow).where(col(AbsenceRow.player_id) == player),
            delete(LeaveRow).where(col(LeaveRow.player_id) == player),
            delete(NoteRow).where(col(NoteRow.player_id) == player),
            delete(RatingStepRow).where(col(RatingStepRow.player_id) == player),
            delete(PlanRow).where(col(PlanRow.player_id) == player),
            delete(DigestRow).where(col(DigestRow.player_id) == player),
            delete(WaitingNewsRow).where(col(WaitingNewsRow.reader_id) == player),
            delete(WatchedRow).where(col(WatchedRow.player_id) == player),
            delete(WatchRow).where(
                or_(
                    col(WatchRow.player_id) == player,
                    (col(WatchRow.kind) == WatchKind.MEMBER) & (col(WatchRow.what) == str(player)),
                )
            ),
            delete(WaitingNoteRow).where(
                or_(
                    col(WaitingNoteRow.player_id) == player,
                    col(WaitingNoteRow.reader_id) == player,
                )
            ),
            delete(ExposureRow).where(col(ExposureRow.holder_key).in_(holders)),
            delete(OutboxRow).where(
                or_(col(OutboxRow.player_id) == player, col(OutboxRow.recipient_key).in_(keys))
            ),
        )
        for statement in gone:
            run(self._session, statement)

    def _blank_their_mails(self, player: PlayerId, keys: Sequence[str]) -> None:
        theirs = _sent_by(player, keys)
        self._note_left(theirs)
        waiting = col(InboundRow.state).in_(UNREAD)
        closed = update(InboundRow).where(theirs, waiting)
        run(self._session, closed.values(state=InboundState.IGNORED))
        run(self._session, update(InboundRow).where(theirs).values(**BLANK))

    def _empty_mails(self, identity: Identity, topics: Sequence[str]) -> None:
        """Empty the bytes of others' emails that name the member, once they have been read."""
        read = col(InboundRow.state).not_in(UNREAD)
        self._empty(read & col(InboundRow.topic).in_(topics))
        for rows in self._batches(InboundRow, ("raw",), read & (col(InboundRow.raw) != b"")):
            naming = [row.id for row in rows if identity.is_in_mail(row.raw)]
            if naming:
                self._empty(col(InboundRow.id).in_(naming))

    def _empty(self, which: Which) -> None:
        self._note_left(which)
        run(self._session, update(InboundRow).where(which).values(raw=b""))

    def _note_left(self, which: Which) -> None:
        """Note the emails that may still be in the mailbox. Empty ones were noted before."""
        columns = ("folder", "uidvalidity", "uid", "message_id")
        found = select(*(getattr(InboundRow, name) for name in columns))
        in_mailbox = col(InboundRow.folder) != NO_FOLDER
        lying = found.where(which, in_mailbox, col(InboundRow.raw) != b"")
        run(self._session, insert(ErasedMailRow).from_select(list(columns), lying))

    def _name_in_letters(self, identity: Identity, topics: Sequence[str]) -> None:
        """Rename the member in emails to others. Remove notes from those about their matches."""
        words = ("subject", "text", "to_name")
        of_theirs = col(OutboxRow.topic).in_(topics)
        with_files = col(OutboxRow.attachments).is_not(None)
        which = or_(of_theirs, with_files, _may_hold(identity, OutboxRow, words))
        columns = tuple(column.key for column in inspect(OutboxRow).columns)
        for rows in self._batches(OutboxRow, columns, which):
            for row in rows:
                before = letter_of(row)
                after = identity.out_of_letter(before, with_notes=row.topic in topics)
                if after != before:
                    this = update(OutboxRow).where(col(OutboxRow.id) == row.id)
                    run(self._session, this.values(**letter_columns(after)))

    def _name_in(
        self, identity: Identity, table: type[DatabaseRow], columns: Sequence[str]
    ) -> None:
        """Rename the member in columns of a table."""
        keys = inspect(table).primary_key
        which = _may_hold(identity, table, columns)
        named = [getattr(table, name) for name in columns]
        for row in run(self._session, select(*keys, *named).where(which)).all():
            values = {name: _renamed(getattr(row, name), identity.out_of) for name in columns}
            this = [key == getattr(row, key.name) for key in keys]
            run(self._session, update(table).where(*this).values(**values))

    def _batches(
        self,
        table: type[InboundRow | OutboxRow],
        columns: Sequence[str],
        which: Which,
    ) -> Iterator[Sequence[Any]]:
        """Yield rows by id in batches, since years of raw emails would not fit into memory."""
        last = 0
        wanted = [getattr(table, name) for name in columns if name != "id"]
        found = select(col(table.id), *wanted).where(which).order_by(col(table.id)).limit(BATCH)
        while rows := run(self._session, found.where(col(table.id) > last)).all():
            yield rows
            last = rows[-1].id

    def _call_them_otherwise(
        self, player: PlayerId, called: str, settings: Mapping[str, str]
    ) -> None:
        this = update(PlayerRow).where(col(PlayerRow.id) == player)
        key = NOBODYS_NAME.format(player)
        values = {
            "name": called,
            "name_key": key,
            "skeleton": key,
            "settings": dict(settings),
            "former": True,
            "joined_at": None,
            "unbanned_at": None,
        }
        run(self._session, this.values(values))
        theirs = update(ActionRow).where(col(ActionRow.player_id) == player, text(TIMED))
        run(self._session, theirs.values(player_id=None, spent=None, late=None))

    def note(self, at: datetime) -> None:
        run(self._session, delete(ServiceRow).where(col(ServiceRow.name) == DATABASE))
        run(self._session, insert(ServiceRow).values(name=DATABASE, at=at))

    def left_in_database(self) -> datetime | None:
        noted = select(col(ServiceRow.at)).where(col(ServiceRow.name) == DATABASE)
        at: datetime | None = run(self._session, noted).scalar_one_or_none()
        return at

    def gone_from_database(self, until: datetime) -> None:
        done = col(ServiceRow.name) == DATABASE, col(ServiceRow.at) <= until
        run(self._session, delete(ServiceRow).where(*done))

    def left_in_mailbox(self, most: int, elsewhere: Collection[str] = ()) -> list[LeftMail]:
        noted = select(*inspect(ErasedMailRow).columns).order_by(col(ErasedMailRow.id))
        if elsewhere:
            noted = noted.where(col(ErasedMailRow.folder).not_in(elsewhere))
        rows = run(self._session, noted.limit(most))
        return [LeftMail(**row._mapping) for row in rows]

    def gone_from_mailbox(self, mails: Iterable[LeftMail]) -> None:
        ids = [mail.id for mail in mails]
        run(self._session, delete(ErasedMailRow).where(col(ErasedMailRow.id).in_(ids)))


def _sent_by(player: PlayerId, keys: Sequence[str]) -> Which:
    return or_(col(InboundRow.player_id) == player, col(InboundRow.sender_key).in_(keys))


def _may_hold(identity: Identity, table: type[DatabaseRow], columns: Sequence[str]) -> Which:
    """Return a quick condition: the text has the first word of a name, or an address.

    Rows with JSON always match, since JSON may encode letters differently.
    """
    first = [*(name.split()[0] for name in identity.names), *identity.addresses]
    named = [getattr(table, name) for name in columns]
    texts = [each for each in named if not isinstance(each.type, Data)]
    found = [each.icontains(words, autoescape=True) for each in texts for words in first]
    return or_(*found, *(each.is_not(None) for each in named if isinstance(each.type, Data)))


def _renamed(value: Any, out_of: Callable[[str], str]) -> Any:
    """Return a value with the member renamed, within texts of JSON too."""
    if isinstance(value, str):
        return out_of(value)
    if isinstance(value, Mapping):
        return {key: _renamed(each, out_of) for key, each in value.items()}
    return [_renamed(each, out_of) for each in value] if isinstance(value, list) else value
