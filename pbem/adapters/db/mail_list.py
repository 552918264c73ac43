"""Lists of received mail, asked for by people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, Row, or_, select
from sqlmodel import Session, col

from pbem.adapters.db.session import table_of
from pbem.adapters.db.tables import InboundRow
from pbem.adapters.db.types import key_of
from pbem.ports.inbound import MailFilter

WITHOUT_BYTES = select(*(each for each in table_of(InboundRow).c if each.name != "raw"))
"""All that is known of emails. The bytes of many would fill the memory."""


def newest_mails(session: Session, wanted: MailFilter, limit: int) -> Iterable[Row[Any]]:
    """Rows of the emails that a filter lets through, newest first."""
    query = WITHOUT_BYTES.where(*_conditions(wanted))
    return session.connection().execute(query.order_by(col(InboundRow.id).desc()).limit(limit))


def _conditions(wanted: MailFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if wanted.player is not None:
        keys = [key_of(address) for address in wanted.player.addresses]
        conditions.append(
            or_(
                col(InboundRow.player_id) == wanted.player.id,
                col(InboundRow.sender_key).in_(keys),
            )
        )
    if wanted.topic is not None:
        conditions.append(col(InboundRow.topic) == wanted.topic)
    if wanted.state is not None:
        conditions.append(col(InboundRow.state) == wanted.state)
    if wanted.since is not None:
        conditions.append(col(InboundRow.received_at) >= wanted.since)
    return conditions
