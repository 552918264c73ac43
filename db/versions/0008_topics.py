"""What a mail is about: a topic, in the place of a match; what waits is a question of any kind.

On SQLite it makes the tables of received and outgoing mail anew, whose ids must still never be
given out again.
"""

import sqlalchemy as sa
import sqlmodel  # noqa: F401
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_INDEXES = {"inbound": ("proven", "recorded_at"), "outbox": ("player_id", "id")}
"""Columns behind the first one of the index by match, and by topic."""


def upgrade() -> None:
    """Applies it."""
    _ask()
    _expose()
    for table, behind in _INDEXES.items():
        op.add_column(table, sa.Column("topic", sa.Text(), nullable=True))
        op.execute(
            f"UPDATE {table} SET topic = 'match ' || match_id WHERE match_id IS NOT NULL"  # noqa: S608
        )
        with op.batch_alter_table(table, table_kwargs={"sqlite_autoincrement": True}) as mails:
            mails.drop_index(_index(table, "match_id", behind))
            mails.drop_constraint(op.f(f"fk_{table}_match_id"), type_="foreignkey")
            mails.drop_column("match_id")
            mails.create_index(_index(table, "topic", behind), ["topic", *behind])


def _index(table: str, first: str, behind: tuple[str, ...]) -> str:
    return op.f("_".join(("ix", table, first, *behind)))


def _ask() -> None:
    """Mails that wait for `confirm` become questions."""
    op.create_table(
        "questions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("address", sa.Text(), nullable=True),
        sa.Column("address_key", sa.Text(), nullable=True),
        sa.Column("about", sa.Text(), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("asked_by", sa.Text(), nullable=False),
        sa.Column("inbound_id", sa.Integer(), nullable=True),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.CheckConstraint(
            "(player_id IS NULL) <> (address IS NULL)", name=op.f("ck_questions_one_asked")
        ),
        sa.ForeignKeyConstraint(
            ["inbound_id"], ["inbound.id"], name=op.f("fk_questions_inbound_id")
        ),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_questions_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_questions")),
        sa.UniqueConstraint("inbound_id", name=op.f("uq_questions_inbound_id")),
        sqlite_autoincrement=True,
    )
    for columns in (("player_id", "about"), ("address_key",), ("asked_by",)):
        op.create_index(op.f("_".join(("ix_questions", *columns))), "questions", [*columns])
    op.execute(
        f"""
        INSERT INTO questions
            (kind, player_id, about, expires_at, asked_by, inbound_id, data)
        SELECT CASE inbound.reason WHEN 'unclear' THEN 'unclear' ELSE 'unproven' END,
            parked.player_id, 'match ' || parked.match_id, parked.expires_at, parked.asked_by,
            parked.inbound_id, {_object()}('text', parked.text)
        FROM parked JOIN inbound ON inbound.id = parked.inbound_id ORDER BY parked.inbound_id
        """  # noqa: S608
    )
    op.drop_table("parked")


def _object() -> str:
    """What makes a JSON object in SQL."""
    return "json_build_object" if op.get_bind().dialect.name == "postgresql" else "json_object"


def _expose() -> None:
    """What others may have read is no longer a matter of seats."""
    op.create_table(
        "exposures",
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("holder_key", sa.Text(), nullable=False),
        sa.Column("mail", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("topic", "holder_key", name=op.f("pk_exposures")),
    )
    op.execute(
        """
        INSERT INTO exposures (topic, holder_key, mail, turn)
        SELECT 'match ' || match_id, CAST(player_id AS TEXT), MAX(exposed_until), MAX(exposed_turn)
        FROM seats GROUP BY match_id, player_id HAVING MAX(exposed_turn) >= 0
        """
    )
    op.drop_column("seats", "exposed_turn")
    op.drop_column("seats", "exposed_until")


def downgrade() -> None:
    """Takes it back; what belongs to no match is lost."""
    for table, behind in _INDEXES.items():
        op.add_column(table, sa.Column("match_id", sa.Integer(), nullable=True))
        op.execute(
            f"UPDATE {table} SET match_id = {_number('topic')} WHERE topic LIKE 'match %'"  # noqa: S608
        )
        with op.batch_alter_table(table, table_kwargs={"sqlite_autoincrement": True}) as mails:
            mails.drop_index(_index(table, "topic", behind))
            mails.drop_column("topic")
            mails.create_foreign_key(op.f(f"fk_{table}_match_id"), "matches", ["match_id"], ["id"])
            mails.create_index(_index(table, "match_id", behind), ["match_id", *behind])
    _park()
    _seat()


def _number(key: str) -> str:
    """The number of the match in its key."""
    return f"CAST(SUBSTR({key}, 7) AS INTEGER)"


def _park() -> None:
    op.create_table(
        "parked",
        sa.Column("inbound_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("asked_by", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("text", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["inbound_id"], ["inbound.id"], name=op.f("fk_parked_inbound_id")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_parked_match_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_parked_player_id")),
        sa.PrimaryKeyConstraint("inbound_id", name=op.f("pk_parked")),
    )
    op.create_index(op.f("ix_parked_player_id_match_id"), "parked", ["player_id", "match_id"])
    postgresql = op.get_bind().dialect.name == "postgresql"
    text = "data ->> 'text'" if postgresql else "json_extract(data, '$.text')"
    op.execute(
        f"""
        INSERT INTO parked (inbound_id, player_id, match_id, asked_by, expires_at, text)
        SELECT inbound_id, player_id, {_number("about")}, asked_by, expires_at, {text}
        FROM questions WHERE kind IN ('unproven', 'unclear')
        """  # noqa: S608
    )
    op.drop_table("questions")


def _seat() -> None:
    for column, none in (("exposed_until", "0"), ("exposed_turn", "-1")):
        op.add_column(
            "seats", sa.Column(column, sa.Integer(), server_default=sa.text(none), nullable=False)
        )
    for column, of in (("exposed_until", "mail"), ("exposed_turn", "turn")):
        op.execute(
            f"""
            UPDATE seats SET {column} = (
                SELECT {of} FROM exposures WHERE topic = 'match ' || seats.match_id
                AND holder_key = CAST(seats.player_id AS TEXT)
            ) WHERE EXISTS (
                SELECT 1 FROM exposures WHERE topic = 'match ' || seats.match_id
                AND holder_key = CAST(seats.player_id AS TEXT)
            )
            """  # noqa: S608
        )
    op.drop_table("exposures")
