"""Store when a member joined. It is unknown for older members.

Revision ID: 0033
Revises: 0032
"""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the revision."""
    op.add_column("players", sa.Column("joined_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    """Undo the revision."""
    op.drop_column("players", "joined_at")
