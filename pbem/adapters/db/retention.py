"""Retention: delete what is kept only for a time, and note proofs that may have leaked.

docs/retention.md says what bounds each table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Delete,
    Row,
    String,
    bindparam,
    cast,
    delete,
    exists,
    false,
    func,
    literal,
    or_,
    select,
    text,
    update,
)
from sqlmodel import Session, col

from pbem.adapters.db.inbound import fingerprint_of, forget_uids
from pbem.adapters.db.outbox_line import LATEST_TURN, key_of_holder
from pbem.adapters.db.session import insert_into, locked, run
from pbem.adapters.db.tables import (
    AbsenceRow,
    AnnouncedRow,
    DigestRow,
    ExposureRow,
    FingerprintRow,
    InboundRow,
    LeaveRow,
    MatchRow,
    MuteRow,
    NoteRow,
    OfferPlayerRow,
    OfferRow,
    OutboxRow,
    PlanRow,
    QuestionRow,
    SeatRow,
    SnapshotRow,
    StalePageRow,
    WaitingNewsRow,
    WaitingNoteRow,
    WatchedRow,
)
from pbem.adapters.db.types import key_of
from pbem.archive.site.values import NoteKind
from pbem.mail.topic import DIRECTORS, Holder, OfferTopic, TopicKey, match_key
from pbem.matches.offer import State
from pbem.ports.inbound import FROM_BOTS, NO_FOLDER, InboundState, MailboxState
from pbem.ports.keeping import Exposure, Pruned, Worth

WAITING = (InboundState.NEW, InboundState.KEPT, InboundState.SHUNTED)
"""States of emails that are still to be read, or checked by somebody."""
TEXTLESS = {"text": "", "html": "", "picture": "", "attachments": "", "thread": []}
"""Empty content of a sent email. Threads and proofs need only the rest."""

MANY_PAGES = 16_384
"""64 MiB. Less is not worth rewriting a file."""


class SqlRetention:
    """Retention in SQL. Satisfies the port Retention."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def prune_received(self, until: datetime, after: int, most: int) -> Pruned:
        # Without the bytes, which are most of an email.
        columns = (
            InboundRow.id,
            InboundRow.folder,
            InboundRow.uidvalidity,
            InboundRow.uid,
            InboundRow.message_id,
            InboundRow.digest,
            InboundRow.state,
            InboundRow.recorded_at,
        )
        first = select(*map(col, columns)).where(col(InboundRow.id) > after)
        first = first.order_by(col(InboundRow.id)).limit(most)
        rows = run(self._session, locked(self._session, first, skip_locked=True)).all()
        asked_about = self._asked_about([row.id for row in rows])
        old = [
            row
            for row in rows
            if row.recorded_at < until and row.state not in WAITING and row.id not in asked_about
        ]
        self._recognise(old)
        self._delete(InboundRow, [row.id for row in old])
        return Pruned(_last_old(rows, until, most, "recorded_at"), len(old))

    def _asked_about(self, ids: Sequence[int]) -> set[int]:
        """Return the ids of those emails that an open question is about."""
        wait = select(col(QuestionRow.inbound_id)).where(col(QuestionRow.inbound_id).in_(ids))
        return set(run(self._session, wait).scalars())

    def _recognise(self, mails: Sequence[Row[Any]]) -> None:
        """Remember pruned emails by UID, and by fingerprints that don't depend on the folder."""
        highest: dict[MailboxState, int] = {}
        for mail in mails:
            if mail.folder not in (NO_FOLDER, FROM_BOTS):
                state = MailboxState(mail.folder, mail.uidvalidity)
                highest[state] = max(mail.uid, highest.get(state, 0))
        forget_uids(self._session, highest)
        # An erased email has no digest, and a bot's is never read again.
        known = {
            fingerprint_of(mail.message_id, mail.digest)
            for mail in mails
            if mail.digest and mail.folder != FROM_BOTS
        }
        if known:
            once = insert_into(self._session, FingerprintRow).on_conflict_do_nothing()
            run(self._session, once, [{"fingerprint": each} for each in sorted(known)])

    def prune_sent(self, until: datetime, after: int, most: int) -> Pruned:
        columns = (
            OutboxRow.id,
            OutboxRow.message_id,
            OutboxRow.topic,
            OutboxRow.player_id,
            OutboxRow.recipient_key,
            OutboxRow.queued_at,
            OutboxRow.closed_at,
        )
        first = select(*map(col, columns), (col(OutboxRow.text) != "").label("has_text"))
        first = first.where(col(OutboxRow.id) > after).order_by(col(OutboxRow.id)).limit(most)
        rows = run(self._session, locked(self._session, first, skip_locked=True)).all()
        asking = self._asking([row.message_id for row in rows])
        old = [
            row
            for row in rows
            if row.closed_at is not None and max(row.closed_at, row.queued_at) < until
            if row.message_id not in asking
        ]
        standing = self._standing({row.topic for row in old})
        newest = self._newest(old, {*standing, DIRECTORS})
        older = [row for row in old if row.id not in newest]
        textless = [row.id for row in older if row.topic in standing and row.has_text]
        gone = [row.id for row in older if row.topic not in standing]
        if textless:
            this = update(OutboxRow).where(col(OutboxRow.id).in_(textless))
            run(self._session, this.values(**TEXTLESS))
        self._delete(OutboxRow, gone)
        return Pruned(_last_old(rows, until, most, "queued_at"), len(gone) + len(textless))

    def _asking(self, message_ids: Sequence[str]) -> set[str]:
        """Return the Message-IDs of those emails that ask an open question."""
        wait = select(col(QuestionRow.asked_by)).where(col(QuestionRow.asked_by).in_(message_ids))
        return set(run(self._session, wait).scalars())

    def _standing(self, topics: Iterable[str | None]) -> set[str]:
        """Return the topics that are about a running match or an open offer."""
        played = select(col(MatchRow.id)).where(col(MatchRow.ended_at).is_(None))
        stand = select(col(OfferRow.id)).where(col(OfferRow.state) == State.STANDS)
        keys: set[str] = {match_key(each) for each in run(self._session, played).scalars()}
        keys |= {OfferTopic(each, 0).key for each in run(self._session, stand).scalars()}
        return keys & {each for each in topics if each is not None}

    def _newest(self, mails: Iterable[Row[Any]], topics: set[str]) -> set[int]:
        """Return the newest emails of some topics to the readers of the given emails.

        Includes the newest one with a turn, since some repeated emails have no turn.
        """
        readers = {
            (mail.topic, mail.player_id, None if mail.player_id else mail.recipient_key)
            for mail in mails
            if mail.topic in topics
        }
        return {each for reader in readers for each in self._newest_to(*reader)}

    def _newest_to(self, topic: str, player: int | None, address: str | None) -> Iterator[int]:
        ids = select(func.max(col(OutboxRow.id))).where(col(OutboxRow.topic) == topic)
        ids = ids.where(col(OutboxRow.player_id) == player)
        if address is not None:
            ids = ids.where(col(OutboxRow.recipient_key) == address)
        for query in (ids, ids.where(col(OutboxRow.turn).is_not(None))):
            yield from run(self._session, query).scalars()

    def _delete(self, table: type[InboundRow | OutboxRow], ids: Sequence[int]) -> None:
        if ids:
            run(self._session, delete(table).where(col(table.id).in_(ids)))

    def prune_words(self, until: datetime) -> int:
        over = select(col(OfferRow.id)).where(
            col(OfferRow.state) != State.STANDS, col(OfferRow.expires_at) < until
        )
        ended = select(col(MatchRow.id)).where(col(MatchRow.ended_at) < until)
        digests = col(DigestRow.at) < until
        old = select(literal("digest ") + cast(col(DigestRow.id), String)).where(digests)
        return self._deleted(
            delete(ExposureRow).where(col(ExposureRow.topic).in_(old)),
            delete(DigestRow).where(digests),
            delete(WaitingNewsRow).where(col(WaitingNewsRow.due_at) < until),
            delete(AbsenceRow).where(col(AbsenceRow.at) < until),
            delete(OfferPlayerRow).where(col(OfferPlayerRow.offer_id).in_(over)),
            delete(OfferRow).where(col(OfferRow.id).in_(over)),
            delete(WaitingNoteRow).where(col(WaitingNoteRow.match_id).in_(ended)),
            delete(NoteRow).where(
                col(NoteRow.match_id).in_(ended),
                ~col(NoteRow.public),
                col(NoteRow.kind) != str(NoteKind.MEMO),
            ),
            delete(MuteRow).where(col(MuteRow.match_id).in_(ended)),
            delete(PlanRow).where(col(PlanRow.match_id).in_(ended)),
            delete(WatchedRow).where(col(WatchedRow.match_id).in_(ended)),
            delete(AnnouncedRow).where(col(AnnouncedRow.match_id).in_(ended)),
        )

    def prune_leaves(self, until: datetime) -> int:
        matters = (
            exists()
            .where(col(SeatRow.player_id) == col(LeaveRow.player_id), col(SeatRow.playing))
            .where(col(MatchRow.id) == col(SeatRow.match_id))
            .where(
                or_(
                    col(MatchRow.turn_started_at).is_(None),
                    col(MatchRow.turn_started_at) < col(LeaveRow.end_at),
                )
            )
        )
        return self._deleted(delete(LeaveRow).where(col(LeaveRow.end_at) < until, ~matters))

    def prune_caches(self) -> None:
        ended = select(col(MatchRow.id)).where(col(MatchRow.ended_at).is_not(None))
        newest = select(func.max(col(StalePageRow.id)))
        newest = newest.group_by(col(StalePageRow.kind), col(StalePageRow.key))
        self._deleted(
            delete(SnapshotRow).where(col(SnapshotRow.match_id).in_(ended)),
            delete(StalePageRow).where(col(StalePageRow.id).not_in(newest)),
        )

    def is_mostly_room(self) -> bool:
        if self._session.get_bind().dialect.name != "sqlite":
            return False
        pages, empty = (
            run(self._session, text(f"PRAGMA {name}")).scalar_one()
            for name in ("page_count", "freelist_count")
        )
        return bool(empty > MANY_PAGES and 2 * empty > pages)

    def _deleted(self, *statements: Delete) -> int:
        return sum(run(self._session, each).rowcount for each in statements)


def _last_old(rows: Sequence[Row[Any]], until: datetime, most: int, column: str) -> int | None:
    """Return the id to continue after. None if these were all, or the last of them is not old."""
    if len(rows) < most or getattr(rows[-1], column) >= until:
        return None
    last: int = rows[-1].id
    return last


class SqlExposures:
    """Exposed proofs in SQL. Satisfies the port Exposures."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def note(self, topic: TopicKey, holder: Holder, exposure: Exposure) -> None:
        known = self.of(topic, holder) or exposure
        larger = {"mail": max(known.mail, exposure.mail), "turn": max(known.turn, exposure.turn)}
        row = insert_into(self._session, ExposureRow)
        new = row.values(topic=topic, holder_key=key_of(str(holder)), **larger)
        self._session.exec(
            new.on_conflict_do_update(index_elements=["topic", "holder_key"], set_=larger)
        )

    def worth(self, topic: TopicKey, holder: Holder) -> Worth:
        values = {"its_topic": topic, "its_holder": key_of_holder(holder)}
        key = {"its_holder_key": key_of(str(holder))}
        row = run(self._session, WORTH[type(holder)], {**values, **key}).one()
        exposure = None if row.mail is None else Exposure(row.mail, row.turn)
        return Worth(row.newest_turn, exposure, bool(row.has_digests))

    def of(self, topic: TopicKey, holder: Holder) -> Exposure | None:
        values = {"its_topic": topic, "its_holder_key": key_of(str(holder))}
        row = run(self._session, EXPOSURE, values).one_or_none()
        return None if row is None else Exposure(row.mail, row.turn)


_ITS = (
    col(ExposureRow.topic) == bindparam("its_topic"),
    col(ExposureRow.holder_key) == bindparam("its_holder_key"),
)
EXPOSURE = select(col(ExposureRow.mail), col(ExposureRow.turn)).where(*_ITS)
_HAS_DIGESTS = exists().where(col(DigestRow.player_id) == bindparam("its_holder"))
WORTH = {
    kind: select(
        newest.scalar_subquery().label("newest_turn"),
        select(col(ExposureRow.mail)).where(*_ITS).scalar_subquery().label("mail"),
        select(col(ExposureRow.turn)).where(*_ITS).scalar_subquery().label("turn"),
        (_HAS_DIGESTS if kind is int else false()).label("has_digests"),
    )
    for kind, newest in LATEST_TURN.items()
}
"""One query for each type of holder: a player, or the address of a stranger."""
