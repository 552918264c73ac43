"""A name is kept with what it has in common with all that can be taken for it.

Questions are found by their kind, too.
"""

import sqlalchemy as sa
import sqlmodel  # noqa: F401
from alembic import op

# Of today on purpose: with another table a later migration fills all skeletons anew.
from pbem.matches.names.skeleton import skeleton_of

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

LONGEST = 500

PLAYERS = sa.table(
    "players",
    sa.column("id", sa.Integer),
    sa.column("name", sa.Text),
    sa.column("skeleton", sa.Text),
)


def upgrade() -> None:
    """Applies it; of members whose names are alike all keep them, and the later ones a number."""
    op.add_column("players", sa.Column("skeleton", sa.Text(), server_default="", nullable=False))
    connection, taken = op.get_bind(), set[str]()
    for row in connection.execute(sa.select(PLAYERS).order_by(PLAYERS.c.id)).all():
        skeleton = skeleton_of(row.name)[:LONGEST]
        if skeleton in taken:
            skeleton = f"{skeleton} #{row.id}"  # which no name can have
        taken.add(skeleton)
        own = PLAYERS.update().where(PLAYERS.c.id == row.id)
        connection.execute(own.values(skeleton=skeleton))
    op.create_index(op.f("ix_players_skeleton"), "players", ["skeleton"], unique=True)
    op.create_index(op.f("ix_questions_kind_id"), "questions", ["kind", "id"])


def downgrade() -> None:
    """Takes it back."""
    op.drop_index(op.f("ix_questions_kind_id"), "questions")
    op.drop_index(op.f("ix_players_skeleton"), "players")
    op.drop_column("players", "skeleton")
