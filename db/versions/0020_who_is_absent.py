"""Who has not answered for long, and what addresses have failed, is found by an index."""

import sqlalchemy as sa
import sqlmodel  # noqa: F401
from alembic import op

revision = "0020"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Applies it."""
    played, failed = sa.text("ended_at IS NULL"), sa.text("failed_at IS NOT NULL")
    op.create_index(
        "ix_matches_asked",
        "matches",
        ["turn_started_at"],
        sqlite_where=played,
        postgresql_where=played,
    )
    op.create_index(
        "ix_addresses_failed",
        "addresses",
        ["failed_at"],
        sqlite_where=failed,
        postgresql_where=failed,
    )


def downgrade() -> None:
    """Takes it back."""
    op.drop_index("ix_addresses_failed", "addresses")
    op.drop_index("ix_matches_asked", "matches")
