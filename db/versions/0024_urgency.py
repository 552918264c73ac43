"""Mails go by urgency, in a line in which nobody's flood holds up the rest, and within limits."""

import sqlalchemy as sa
import sqlmodel  # noqa: F401
from alembic import op

revision = "0024"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Applies it."""
    one, zero = sa.text("1"), sa.text("0")
    for column in (
        sa.Column("urgency", sa.SmallInteger(), server_default=one, nullable=False),
        sa.Column("domain", sa.Text(), server_default="", nullable=False),
        sa.Column("line", sa.BigInteger(), server_default=zero, nullable=False),
        sa.Column("tried_at", sa.DateTime(timezone=True), nullable=True),
    ):
        op.add_column("outbox", column)
    sqlite = op.get_bind().dialect.name == "sqlite"
    for fill in (_URGENCY, _SQLITE if sqlite else _POSTGRESQL):
        op.execute(sa.text(fill))
    op.drop_index("ix_outbox_waiting", "outbox")
    for name, columns in _WAITING.items():
        where = sa.text("closed_at IS NULL")
        op.create_index(name, "outbox", columns, sqlite_where=where, postgresql_where=where)
    op.create_index(op.f("ix_outbox_tried_at"), "outbox", ["tried_at"])


def downgrade() -> None:
    """Takes it back."""
    op.drop_index("ix_outbox_tried_at", "outbox")
    for name in _WAITING:
        op.drop_index(name, "outbox")
    where = sa.text("closed_at IS NULL")
    op.create_index(
        "ix_outbox_waiting", "outbox", ["id"], sqlite_where=where, postgresql_where=where
    )
    for name in ("tried_at", "line", "domain", "urgency"):
        op.drop_column("outbox", name)


_WAITING = {
    "ix_outbox_waiting": ["urgency", "line", "id"],
    "ix_outbox_waiting_for": ["recipient_key", "urgency", "line"],
    "ix_outbox_waiting_about": ["topic", "urgency", "line"],
}
_URGENCY = """
    UPDATE outbox SET urgency = CASE
        WHEN answers THEN 0
        WHEN kind LIKE 'director%' OR kind IN ('cancel_agreed', 'cancel_refused') THEN 3
        WHEN kind IN ('announcement', 'match_announcement', 'all_paused', 'all_resumed') THEN 2
        WHEN kind IN (
            'handed_over', 'seat_kept', 'seat_wanted', 'seat_offered', 'not_handed_over',
            'not_cancelled', 'addresses_changed', 'renamed', 'farewell', 'challenge',
            'offer_over', 'on_leave', 'back_from_leave', 'leave_taken', 'welcome', 'join_refused'
        ) THEN 1
        ELSE 0
    END
"""
_SQLITE = """
    UPDATE outbox SET domain = substr(recipient_key, instr(recipient_key, '@') + 1),
    line = CAST(strftime('%s', queued_at) AS INTEGER)
"""
_POSTGRESQL = """
    UPDATE outbox SET domain = coalesce(substring(recipient_key from '@([^@]*)$'), ''),
    line = CAST(extract(epoch from queued_at) AS BIGINT)
"""
