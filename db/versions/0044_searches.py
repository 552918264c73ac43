"""Keep how long searches for anybody took.

Revision ID: 0044
Revises: 0043
"""

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None

WAITED = sa.text("waited IS NOT NULL")


def upgrade() -> None:
    """Apply the schema."""
    op.add_column("offers", sa.Column("waited", sa.Integer(), nullable=True))
    op.create_index(
        "ix_offers_waited", "offers", ["id"], sqlite_where=WAITED, postgresql_where=WAITED
    )


def downgrade() -> None:
    """Undo the revision. Searches become offers of nobody's, and lapse."""
    op.drop_index("ix_offers_waited", "offers")
    op.drop_column("offers", "waited")
