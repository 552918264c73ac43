"""Keep digests: the turns that each showed, and news that waits for the next.

Revision ID: 0038
Revises: 0037
"""

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the schema."""
    op.create_table(
        "digests",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("turns", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_digests_player_id"),
        sa.PrimaryKeyConstraint("id", name="pk_digests"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_digests_at", "digests", ["at"])
    op.create_index("ix_digests_player_id", "digests", ["player_id"])
    op.create_table(
        "waiting_news",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("reader_id", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("safe_until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("said", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_waiting_news_match_id"),
        sa.ForeignKeyConstraint(["reader_id"], ["players.id"], name="fk_waiting_news_reader_id"),
        sa.PrimaryKeyConstraint("match_id", "reader_id", name="pk_waiting_news"),
    )
    op.create_index("ix_waiting_news_due_at", "waiting_news", ["due_at"])
    op.create_index("ix_waiting_news_reader_id", "waiting_news", ["reader_id"])
    op.create_index("ix_waiting_notes_reader_id", "waiting_notes", ["reader_id"])


def downgrade() -> None:
    """Undo the revision. Players then get their turns one by one."""
    op.drop_index("ix_waiting_notes_reader_id", "waiting_notes")
    op.drop_table("waiting_news")
    op.drop_table("digests")
