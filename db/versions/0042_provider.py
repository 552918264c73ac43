"""Store which distribution provided the rules of a match. It is pbem for older matches.

Revision ID: 0042
Revises: 0041
"""

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the revision."""
    op.add_column("matches", sa.Column("provider", sa.Text(), server_default="", nullable=False))


def downgrade() -> None:
    """Undo the revision."""
    op.drop_column("matches", "provider")
