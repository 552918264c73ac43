"""Keep everything that players say in matches, and whom they mute.

Revision ID: 0036
Revises: 0035
"""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the revision. All earlier notes are public."""
    op.create_table(
        "mutes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("muted_id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_mutes_match_id"),
        sa.ForeignKeyConstraint(["muted_id"], ["players.id"], name="fk_mutes_muted_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_mutes_player_id"),
        sa.PrimaryKeyConstraint("id", name="pk_mutes"),
        sa.UniqueConstraint(
            "player_id", "muted_id", "match_id", name="uq_mutes_player_id_muted_id_match_id"
        ),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_mutes_muted_id", "mutes", ["muted_id"])
    op.add_column("notes", sa.Column("kind", sa.Text(), server_default="note", nullable=False))
    op.add_column(
        "notes", sa.Column("public", sa.Boolean(), server_default=sa.true(), nullable=False)
    )
    op.create_index("ix_notes_player_id", "notes", ["player_id"])
    op.add_column(
        "waiting_notes", sa.Column("kind", sa.Text(), server_default="note", nullable=False)
    )


def downgrade() -> None:
    """Undo the revision. The version before shows everybody all notes that are stored."""
    op.execute("DELETE FROM notes WHERE NOT public")
    op.execute("DELETE FROM waiting_notes WHERE kind = 'tell'")
    op.drop_column("waiting_notes", "kind")
    op.drop_index("ix_notes_player_id", "notes")
    op.drop_column("notes", "public")
    op.drop_column("notes", "kind")
    op.drop_table("mutes")
