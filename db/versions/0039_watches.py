"""Keep what members watch, and what they and the webhook know of each match.

Revision ID: 0039
Revises: 0038
"""

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None

NEWS = sa.text("news_at IS NOT NULL")
WAITING = sa.text("since IS NOT NULL")


def upgrade() -> None:
    """Apply the schema."""
    op.create_table(
        "watches",
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_watches_player_id"),
        sa.PrimaryKeyConstraint("player_id", "kind", "what", name="pk_watches"),
    )
    op.create_index("ix_watches_kind_what", "watches", ["kind", "what"])
    op.create_table(
        "watched",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("over", sa.Boolean(), nullable=False),
        sa.Column("news_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_watched_match_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_watched_player_id"),
        sa.PrimaryKeyConstraint("match_id", "player_id", name="pk_watched"),
    )
    op.create_index("ix_watched_player_id", "watched", ["player_id"])
    op.create_index(
        "ix_watched_news",
        "watched",
        ["match_id", "player_id"],
        sqlite_where=NEWS,
        postgresql_where=NEWS,
    )
    op.create_table(
        "announced",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("over", sa.Boolean(), nullable=False),
        sa.Column("marks", sa.Integer(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_announced_match_id"),
        sa.PrimaryKeyConstraint("match_id", name="pk_announced"),
    )
    op.create_index(
        "ix_announced_waiting",
        "announced",
        ["match_id"],
        sqlite_where=WAITING,
        postgresql_where=WAITING,
    )


def downgrade() -> None:
    """Undo the revision. Members then read the reading room."""
    op.drop_table("announced")
    op.drop_table("watched")
    op.drop_table("watches")
