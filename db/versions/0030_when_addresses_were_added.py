"""Store when a member's added address was confirmed."""

import sqlalchemy as sa
import sqlmodel  # noqa: F401
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Applies it."""
    op.add_column("addresses", sa.Column("added_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    """Takes it back."""
    op.drop_column("addresses", "added_at")
