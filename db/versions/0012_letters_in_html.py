"""A letter is kept with its HTML, the picture in it, where it is answered to, and its list."""

import sqlalchemy as sa
import sqlmodel  # noqa: F401
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Applies it; older mail is sent in HTML that is made of its text, as ever."""
    for name in ("html", "picture"):
        op.add_column("outbox", sa.Column(name, sa.LargeBinary(), nullable=True))
    for name in ("reply_to", "list_id"):
        op.add_column("outbox", sa.Column(name, sa.Text(), server_default="", nullable=False))


def downgrade() -> None:
    """Takes it back; mail that is queued goes with HTML made of its text."""
    for name in ("list_id", "reply_to", "picture", "html"):
        op.drop_column("outbox", name)
