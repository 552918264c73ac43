"""${message}

Revision ${up_revision}, after ${down_revision or "nothing"}.
"""

import sqlalchemy as sa
import sqlmodel  # noqa: F401
from alembic import op
${imports if imports else ""}

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = ${repr(branch_labels)}
depends_on = ${repr(depends_on)}


def upgrade() -> None:
    """Apply the revision."""
    ${upgrades if upgrades else "pass"}


def downgrade() -> None:
    """Undo the revision."""
    ${downgrades if downgrades else "pass"}
