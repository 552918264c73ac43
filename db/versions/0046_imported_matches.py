"""Keep the matches of other clubs, and rate some of them.

Revision ID: 0046
Revises: 0045
"""

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None

OF_RATINGS = ("unrated_matches", "rating_steps", "rated_matches")
"""Tables in which an imported match has a negative number, so that it is no foreign key."""


def upgrade() -> None:
    """Apply the schema."""
    op.create_table(
        "imported_matches",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("club", sa.Text(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("record", sa.LargeBinary(), nullable=False),
        sa.Column("written", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_imported_matches"),
        sa.UniqueConstraint("club", "match_id", name="uq_imported_matches_club_match_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_imported_matches_written", "imported_matches", ["written"])
    op.create_table(
        "rated_names",
        sa.Column("club", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_rated_names_player_id"),
        sa.PrimaryKeyConstraint("club", "name", name="pk_rated_names"),
    )
    op.create_index("ix_rated_names_player_id", "rated_names", ["player_id"])
    for table in OF_RATINGS:
        with op.batch_alter_table(table) as batch:
            batch.drop_constraint(f"fk_{table}_match_id", type_="foreignkey")


def downgrade() -> None:
    """Undo the revision. Imported matches are forgotten; `pbem ratings rebuild` rates the rest."""
    for table in OF_RATINGS:
        op.execute(
            sa.delete(sa.table(table, sa.column("match_id"))).where(sa.column("match_id") < 0)
        )
        with op.batch_alter_table(table) as batch:
            batch.create_foreign_key(f"fk_{table}_match_id", "matches", ["match_id"], ["id"])
    for table, column in (("rated_names", "player_id"), ("imported_matches", "written")):
        op.drop_index(f"ix_{table}_{column}", table)
        op.drop_table(table)
