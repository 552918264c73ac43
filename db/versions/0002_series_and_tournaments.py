"""Series and tournaments.

On SQLite it makes the table of matches anew, whose ids must still never be given out again.
"""

import sqlalchemy as sa
import sqlmodel  # noqa: F401
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Applies it."""
    op.create_table(
        "events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("game_key", sa.Text(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("terms", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "event_players",
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["event_id"], ["events.id"], name=op.f("fk_event_players_event_id")
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_event_players_player_id")
        ),
        sa.PrimaryKeyConstraint("event_id", "place", name=op.f("pk_event_players")),
    )
    with op.batch_alter_table("matches", table_kwargs={"sqlite_autoincrement": True}) as matches:
        matches.add_column(sa.Column("event_id", sa.Integer(), nullable=True))
        matches.add_column(sa.Column("event_index", sa.Integer(), nullable=True))
        matches.create_unique_constraint(
            op.f("uq_matches_event_id_event_index"), ["event_id", "event_index"]
        )
        matches.create_foreign_key(op.f("fk_matches_event_id"), "events", ["event_id"], ["id"])
        matches.create_check_constraint(
            op.f("ck_matches_one_whole"), "set_id IS NULL OR event_id IS NULL"
        )


def downgrade() -> None:
    """Takes it back."""
    with op.batch_alter_table("matches", table_kwargs={"sqlite_autoincrement": True}) as matches:
        matches.drop_constraint(op.f("ck_matches_one_whole"), type_="check")
        matches.drop_constraint(op.f("fk_matches_event_id"), type_="foreignkey")
        matches.drop_constraint(op.f("uq_matches_event_id_event_index"), type_="unique")
        matches.drop_column("event_index")
        matches.drop_column("event_id")
    op.drop_table("event_players")
    op.drop_table("events")
