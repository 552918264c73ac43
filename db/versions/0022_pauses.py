"""Pauses: of matches, as players agree or a director decides; of competitions and the club."""

import sqlalchemy as sa
import sqlmodel  # noqa: F401
from alembic import op

revision = "0022"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Applies it."""
    op.add_column("matches", sa.Column("pause_offer", sa.JSON(), nullable=True))
    op.add_column(
        "matches", sa.Column("breaks", sa.JSON(), server_default=sa.text("'[]'"), nullable=False)
    )
    op.create_table(
        "pauses",
        sa.Column("competition", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("start", sa.DateTime(timezone=True), nullable=False),
        sa.Column("end", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("competition", name=op.f("pk_pauses")),
    )


def downgrade() -> None:
    """Takes it back; what is paused goes on."""
    op.drop_table("pauses")
    op.drop_column("matches", "breaks")
    op.drop_column("matches", "pause_offer")
