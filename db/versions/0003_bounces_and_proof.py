"""Bounces, absence notices, and what mail has proven.

On SQLite it makes the tables of received and outgoing mail anew, whose ids must still never be
given out again.
"""

from datetime import datetime

import sqlalchemy as sa
import sqlmodel  # noqa: F401
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Applies it."""
    op.create_table(
        "absences",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_absences_match_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_absences_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_absences")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_absences_player_id_at"), "absences", ["player_id", "at"])
    op.add_column("players", _words("proof"))
    op.add_column("addresses", _moment("failed_at"))
    op.add_column("addresses", _words("failure"))
    op.add_column("addresses", _moment("works_since"))
    op.add_column("deadlines", _moment("stopped_at"))
    for column, none in (("exposed_until", "0"), ("exposed_turn", "-1")):
        op.add_column(
            "seats", sa.Column(column, sa.Integer(), server_default=sa.text(none), nullable=False)
        )
    _receive()
    with op.batch_alter_table("outbox", table_kwargs={"sqlite_autoincrement": True}) as outbox:
        outbox.add_column(sa.Column("bounce_key", sa.Text(), nullable=True))
        outbox.add_column(
            sa.Column("bounces", sa.Integer(), server_default=sa.text("0"), nullable=False)
        )
        outbox.create_unique_constraint(op.f("uq_outbox_bounce_key"), ["bounce_key"])


def _receive() -> None:
    with op.batch_alter_table("inbound", table_kwargs={"sqlite_autoincrement": True}) as inbound:
        inbound.add_column(sa.Column("player_id", sa.Integer(), nullable=True))
        inbound.add_column(sa.Column("match_id", sa.Integer(), nullable=True))
        inbound.add_column(
            sa.Column("proven", sa.Boolean(), server_default=sa.false(), nullable=False)
        )
        inbound.create_foreign_key(op.f("fk_inbound_player_id"), "players", ["player_id"], ["id"])
        inbound.create_foreign_key(op.f("fk_inbound_match_id"), "matches", ["match_id"], ["id"])
        inbound.drop_index(op.f("ix_inbound_sender_key_recorded_at"))
        for column in ("sender_key", "match_id"):
            inbound.create_index(
                op.f(f"ix_inbound_{column}_proven_recorded_at"), [column, "proven", "recorded_at"]
            )


def _words(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), server_default="", nullable=False)


def _moment(name: str) -> sa.Column[datetime]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=True)


def downgrade() -> None:
    """Takes it back."""
    with op.batch_alter_table("outbox", table_kwargs={"sqlite_autoincrement": True}) as outbox:
        outbox.drop_constraint(op.f("uq_outbox_bounce_key"), type_="unique")
        outbox.drop_column("bounces")
        outbox.drop_column("bounce_key")
    with op.batch_alter_table("inbound", table_kwargs={"sqlite_autoincrement": True}) as inbound:
        for column in ("sender_key", "match_id"):
            inbound.drop_index(op.f(f"ix_inbound_{column}_proven_recorded_at"))
        inbound.create_index(
            op.f("ix_inbound_sender_key_recorded_at"), ["sender_key", "recorded_at"]
        )
        inbound.drop_constraint(op.f("fk_inbound_match_id"), type_="foreignkey")
        inbound.drop_constraint(op.f("fk_inbound_player_id"), type_="foreignkey")
        for column in ("proven", "match_id", "player_id"):
            inbound.drop_column(column)
    op.drop_column("seats", "exposed_turn")
    op.drop_column("seats", "exposed_until")
    op.drop_column("deadlines", "stopped_at")
    for column in ("works_since", "failure", "failed_at"):
        op.drop_column("addresses", column)
    op.drop_column("players", "proof")
    op.drop_table("absences")
