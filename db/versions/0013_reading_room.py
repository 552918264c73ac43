"""The reading room: when a match is public, notes for everybody, and pages to be written."""

import sqlalchemy as sa
import sqlmodel  # noqa: F401
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


_OF_SOME = (
    ("ix_matches_ended_at", "ended_at", "ended_at IS NOT NULL"),
    ("ix_matches_playing", "id", "ended_at IS NULL"),
)


def upgrade() -> None:
    """Applies it."""
    op.add_column("matches", sa.Column("public", sa.Text(), server_default="", nullable=False))
    for name, column, which in _OF_SOME:
        where = sa.text(which)
        op.create_index(name, "matches", [column], sqlite_where=where, postgresql_where=where)
    op.create_table(
        "notes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_notes_match_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_notes_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notes")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_notes_match_id"), "notes", ["match_id"])
    op.create_table(
        "stale_pages",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_stale_pages")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_stale_pages_kind_key"), "stale_pages", ["kind", "key"])


def downgrade() -> None:
    """Takes it back."""
    op.drop_table("stale_pages")
    op.drop_table("notes")
    for name, *_ in _OF_SOME:
        op.drop_index(name, "matches")
    op.drop_column("matches", "public")
