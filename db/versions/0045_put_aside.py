"""Let matches that should be rated wait for a missing game.

Revision ID: 0045
Revises: 0044
"""

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the schema."""
    op.add_column(
        "unrated_matches",
        sa.Column("aside", sa.Boolean(), server_default=sa.false(), nullable=False),
    )


def downgrade() -> None:
    """Undo the revision."""
    op.drop_column("unrated_matches", "aside")
