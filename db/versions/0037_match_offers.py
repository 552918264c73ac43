"""Keep offers to take a turn back or abandon a match, and players' time before each turn.

Revision ID: 0037
Revises: 0036
"""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the schema."""
    op.add_column("actions", sa.Column("account", sa.JSON(), nullable=True))
    offers = sa.Column("offers", sa.JSON(), server_default=sa.text("'{}'"), nullable=False)
    op.add_column("matches", offers)


def downgrade() -> None:
    """Undo the revision. Standing offers of these kinds are forgotten."""
    op.drop_column("matches", "offers")
    op.drop_column("actions", "account")
