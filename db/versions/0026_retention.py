"""Retention: what remains of mails that are kept no longer, to know them by.

Revision ID: 0026
Revises: 0024
"""

import sqlalchemy as sa
import sqlmodel  # noqa: F401
from alembic import op

revision = "0026"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Applies it."""
    op.create_table(
        "read_until",
        sa.Column("folder", sa.Text(), nullable=False),
        sa.Column("uidvalidity", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("uid", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("folder", "uidvalidity", name=op.f("pk_read_until")),
    )
    op.create_table(
        "fingerprints",
        sa.Column("fingerprint", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("fingerprint", name=op.f("pk_fingerprints")),
    )


def downgrade() -> None:
    """Takes it back; what was read long ago is read again where it still lies."""
    op.drop_table("fingerprints")
    op.drop_table("read_until")
