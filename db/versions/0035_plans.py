"""Keep the plans of players: answers written ahead to turns of others.

Revision ID: 0035
Revises: 0034
"""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the schema."""
    op.create_table(
        "plans",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("lines", sa.JSON(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("since", sa.Integer(), nullable=False),
        sa.Column("ended", sa.Text(), server_default="", nullable=False),
        sa.Column("told", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_plans_match_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_plans_player_id"),
        sa.PrimaryKeyConstraint("match_id", "player_id", "number", name="pk_plans"),
    )
    op.create_index("ix_plans_player_id", "plans", ["player_id"])


def downgrade() -> None:
    """Undo the revision. Players then answer by hand."""
    op.drop_table("plans")
