"""Leave that players take."""

import sqlalchemy as sa
import sqlmodel  # noqa: F401
from alembic import op

revision = "0019"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Applies it."""
    op.create_table(
        "leaves",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("first_day", sa.Date(), nullable=False),
        sa.Column("last_day", sa.Date(), nullable=False),
        sa.Column("start_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("end_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("auto", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_leaves_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_leaves")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_leaves_player_id_end_at"), "leaves", ["player_id", "end_at"])


def downgrade() -> None:
    """Takes it back; clocks that know of a leave keep what they know."""
    op.drop_table("leaves")
