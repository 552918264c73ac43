"""An email that its reader did not ask for says what it counts against."""

import sqlalchemy as sa
import sqlmodel  # noqa: F401
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

UNREQUESTED = sa.text("allowance IS NOT NULL")


def upgrade() -> None:
    """Applies it."""
    op.add_column("outbox", sa.Column("allowance", sa.Text(), nullable=True))
    for name, columns in INDEXES.items():
        op.create_index(
            name, "outbox", columns, sqlite_where=UNREQUESTED, postgresql_where=UNREQUESTED
        )


INDEXES = {
    "ix_outbox_allowance": ["allowance", "queued_at"],
    "ix_outbox_unrequested": ["queued_at"],
}


def downgrade() -> None:
    """Takes it back."""
    for name in INDEXES:
        op.drop_index(name, "outbox")
    op.drop_column("outbox", "allowance")
