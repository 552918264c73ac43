"""Snapshots: positions as texts, from which a long match is gone on from."""

import sqlalchemy as sa
import sqlmodel  # noqa: F401
from alembic import op

revision = "0025"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Applies it; each match gets one as it is played on."""
    op.create_table(
        "snapshots",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("actions", sa.Integer(), nullable=False),
        sa.Column("head", sa.Text(), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("text", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_snapshots_match_id")),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_snapshots")),
    )


def downgrade() -> None:
    """Takes it back; matches are replayed from their beginnings."""
    op.drop_table("snapshots")
