"""Announce competitions, and keep who has entered and who waits.

Revision ID: 0047
Revises: 0046
"""

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"
branch_labels = None
depends_on = None

ANNOUNCED = sa.text("phase <> ''")
UNSTARTED = "SELECT id FROM competitions WHERE phase IN ('entry', 'called-off')"


def upgrade() -> None:
    """Apply the schema."""
    op.add_column("competitions", sa.Column("phase", sa.Text(), server_default="", nullable=False))
    op.add_column("competitions", sa.Column("announcement", sa.JSON(), nullable=True))
    for name, column, unique in (("phase", "phase", False), ("announced", "number", True)):
        op.create_index(
            f"ix_competitions_{name}",
            "competitions",
            [column],
            unique=unique,
            sqlite_where=ANNOUNCED,
            postgresql_where=ANNOUNCED,
        )
    for name in ("waiting", "always"):
        flag = sa.Column(name, sa.Boolean(), server_default=sa.false(), nullable=False)
        op.add_column("competition_players", flag)


def downgrade() -> None:
    """Undo the revision. Competitions that have not started are deleted."""
    op.execute(
        f"DELETE FROM competition_players WHERE waiting OR competition_id IN ({UNSTARTED})"  # noqa: S608
    )
    op.execute(f"DELETE FROM competitions WHERE id IN ({UNSTARTED})")  # noqa: S608
    for name in ("phase", "announced"):
        op.drop_index(f"ix_competitions_{name}", "competitions")
    for name in ("announcement", "phase"):
        op.drop_column("competitions", name)
    for name in ("always", "waiting"):
        op.drop_column("competition_players", name)
