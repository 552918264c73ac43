"""What waits for `confirm`, as its player was shown it."""

import sqlalchemy as sa
import sqlmodel  # noqa: F401
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Applies it."""
    op.add_column("parked", sa.Column("text", sa.Text(), server_default="", nullable=False))


def downgrade() -> None:
    """Takes it back."""
    op.drop_column("parked", "text")
