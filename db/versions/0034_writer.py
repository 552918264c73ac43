"""Store whose own words an email passes on. It is unknown for older emails.

Revision ID: 0034
Revises: 0033
"""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the revision."""
    op.add_column("outbox", sa.Column("writer_id", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Undo the revision."""
    op.drop_column("outbox", "writer_id")
