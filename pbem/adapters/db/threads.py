"""The threads of a topic: the mails of each of its readers, as their programs put them together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Executable, Select, bindparam, literal, select, union_all
from sqlmodel import Session, col

from pbem.adapters.db.outbox_line import key_of_holder, to_holder
from pbem.adapters.db.session import run
from pbem.adapters.db.tables import OutboxRow
from pbem.mail.topic import Holder, TopicKey

LAST_REFERENCES = 9
"""How many of the newest mails of a thread are named beside its first."""


def threads_of(
    session: Session, topic: TopicKey, holders: Sequence[Holder]
) -> dict[Holder, list[str]]:
    """Message-IDs of the mails of a topic to each of some, oldest first: the first, the last 9."""
    if not holders:
        return {}
    keys = {f"holder_{n}": key_of_holder(each) for n, each in enumerate(holders)}
    found: list[set[tuple[int, str]]] = [set() for _ in holders]
    asked = _threads(tuple(map(type, holders)))
    for row in run(session, asked, {"its_topic": topic, **keys}):
        found[row.whose].add((row.id, row.message_id))  # the first may be one of the last, too
    return {
        holder: [message_id for _, message_id in sorted(mails)]
        for holder, mails in zip(holders, found, strict=True)
    }


@cache
def _threads(kinds: tuple[type[Holder], ...]) -> Executable:
    """The question for readers of these kinds; each end of a thread is found in the index."""
    ends = [end for number, kind in enumerate(kinds) for end in _ends(number, kind)]
    return union_all(*ends)


def _ends(number: int, kind: type[Holder]) -> Iterator[Select[Any]]:
    mails = select(literal(number).label("whose"), col(OutboxRow.id), col(OutboxRow.message_id))
    theirs = mails.where(
        col(OutboxRow.topic) == bindparam("its_topic"),
        to_holder(kind, bindparam(f"holder_{number}")),
    )
    yield select(theirs.order_by(col(OutboxRow.id)).limit(1).subquery("first_mail"))
    newest = theirs.order_by(col(OutboxRow.id).desc()).limit(LAST_REFERENCES)
    yield select(newest.subquery("last_mails"))
