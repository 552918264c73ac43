"""Files go with a letter, fewer mails can be asked for, and notes wait for who gets fewer."""

import sqlalchemy as sa
import sqlmodel  # noqa: F401
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Applies it."""
    op.add_column("outbox", sa.Column("unsubscribe", sa.Text(), server_default="", nullable=False))
    op.add_column("outbox", sa.Column("attachments", sa.LargeBinary(), nullable=True))
    op.create_table(
        "waiting_notes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("reader_id", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        *(
            sa.ForeignKeyConstraint(
                [column], [f"{table}.id"], name=op.f(f"fk_waiting_notes_{column}")
            )
            for column, table in _OF
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_waiting_notes")),
        sqlite_autoincrement=True,
    )
    columns = ["match_id", "reader_id"]
    op.create_index(op.f("ix_waiting_notes_match_id_reader_id"), "waiting_notes", columns)


_OF = (("match_id", "matches"), ("reader_id", "players"), ("player_id", "players"))


def downgrade() -> None:
    """Takes it back; what waits for somebody is lost."""
    op.drop_table("waiting_notes")
    for name in ("attachments", "unsubscribe"):
        op.drop_column("outbox", name)
