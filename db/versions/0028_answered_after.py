"""A mail knows when that was received upon which it was written: how long an answer takes."""

import sqlalchemy as sa
import sqlmodel  # noqa: F401
from alembic import op

revision = "0028"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Applies it."""
    op.add_column("outbox", sa.Column("received_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    """Takes it back."""
    op.drop_column("outbox", "received_at")
