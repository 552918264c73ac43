"""Members who have left, and mails that are to be taken out of the mailbox."""

import sqlalchemy as sa
import sqlmodel  # noqa: F401
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Applies it."""
    former = sa.Column("former", sa.Boolean(), server_default=sa.false(), nullable=False)
    op.add_column("players", former)
    op.create_table(
        "erased_mails",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("folder", sa.Text(), nullable=False),
        sa.Column("uidvalidity", sa.BigInteger(), nullable=False),
        sa.Column("uid", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_erased_mails")),
        sqlite_autoincrement=True,
    )


def downgrade() -> None:
    """Takes it back; those who have left stay without an address."""
    op.drop_table("erased_mails")
    op.drop_column("players", "former")
