"""What directors decide: the log, what was taken back, and what else a history tells."""

import sqlalchemy as sa
import sqlmodel  # noqa: F401
from alembic import op

revision = "0016"
down_revision = "0018"
branch_labels = None
depends_on = None

_ZERO = sa.text("0")


def upgrade() -> None:
    """Applies it."""
    op.add_column("matches", sa.Column("lead", sa.Integer(), server_default=_ZERO, nullable=False))
    op.add_column(
        "actions", sa.Column("undone", sa.Integer(), server_default=_ZERO, nullable=False)
    )
    op.add_column("happenings", sa.Column("text", sa.Text(), server_default="", nullable=False))
    op.create_table(
        "decisions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by_id", sa.Integer(), nullable=True),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["by_id"], ["players.id"], name=op.f("fk_decisions_by_id")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_decisions_match_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_decisions")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_decisions_by_id"), "decisions", ["by_id"])
    op.create_index(op.f("ix_decisions_match_id"), "decisions", ["match_id"])


def downgrade() -> None:
    """Takes it back; what directors decided is no longer known."""
    op.drop_table("decisions")
    op.drop_column("happenings", "text")
    op.drop_column("actions", "undone")
    op.drop_column("matches", "lead")
