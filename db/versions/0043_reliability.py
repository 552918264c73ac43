"""Keep the length of turns, and when a director lifted a ban.

Revision ID: 0043
Revises: 0042
"""

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None

TIMED = sa.text("player_id IS NOT NULL AND undone = 0")
DEPARTURE = sa.text("kind IN ('lost_on_time', 'forfeited', 'resigned')")


def upgrade() -> None:
    """Apply the schema. Nobody is banned for a loss before bans were known."""
    op.add_column("actions", sa.Column("player_id", sa.Integer(), nullable=True))
    op.add_column("actions", sa.Column("spent", sa.Integer(), nullable=True))
    op.add_column("actions", sa.Column("late", sa.Boolean(), nullable=True))
    op.create_index(
        "ix_actions_timed",
        "actions",
        ["player_id", "at", "late", "spent"],
        sqlite_where=TIMED,
        postgresql_where=TIMED,
    )
    op.create_index(
        "ix_happenings_departure",
        "happenings",
        ["match_id"],
        sqlite_where=DEPARTURE,
        postgresql_where=DEPARTURE,
    )
    unbanned_at = sa.Column("unbanned_at", sa.DateTime(timezone=True), nullable=True)
    op.add_column("players", unbanned_at)
    op.execute("UPDATE players SET unbanned_at = CURRENT_TIMESTAMP WHERE bot = '' AND NOT former")


def downgrade() -> None:
    """Undo the revision. The length of turns and lifted bans are forgotten."""
    op.drop_column("players", "unbanned_at")
    op.drop_index("ix_happenings_departure", "happenings")
    op.drop_index("ix_actions_timed", "actions")
    for column in ("late", "spent", "player_id"):
        op.drop_column("actions", column)
