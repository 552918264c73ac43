"""Who holds a mail that is being sent."""

import sqlalchemy as sa
import sqlmodel  # noqa: F401
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Applies it."""
    op.add_column("outbox", sa.Column("claimed_by", sa.Text(), server_default="", nullable=False))


def downgrade() -> None:
    """Takes it back."""
    op.drop_column("outbox", "claimed_by")
