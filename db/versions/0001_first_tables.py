"""The first tables."""

import sqlalchemy as sa
import sqlmodel  # noqa: F401
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Applies it."""
    op.create_table(
        "inbound",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("folder", sa.Text(), nullable=False),
        sa.Column("uidvalidity", sa.BigInteger(), nullable=False),
        sa.Column("uid", sa.BigInteger(), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("sender", sa.Text(), nullable=False),
        sa.Column("sender_key", sa.Text(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inbound")),
        sa.UniqueConstraint(
            "folder", "uidvalidity", "uid", name=op.f("uq_inbound_folder_uidvalidity_uid")
        ),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_inbound_digest"), "inbound", ["digest"], unique=False)
    op.create_index(
        op.f("ix_inbound_sender_key_recorded_at"),
        "inbound",
        ["sender_key", "recorded_at"],
        unique=False,
    )
    op.create_index(op.f("ix_inbound_state_id"), "inbound", ["state", "id"], unique=False)
    op.create_table(
        "players",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", sa.Text(), nullable=False),
        sa.Column("time_zone", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_players")),
        sa.UniqueConstraint("name_key", name=op.f("uq_players_name_key")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "service",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_service")),
    )
    op.create_table(
        "sets",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_key", sa.Text(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("concurrent", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sets")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "addresses",
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("address_key", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_addresses_player_id")),
        sa.PrimaryKeyConstraint("player_id", "place", name=op.f("pk_addresses")),
        sa.UniqueConstraint("address_key", name=op.f("uq_addresses_address_key")),
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_key", sa.Text(), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actions", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("to_act", sa.Text(), nullable=True),
        sa.Column("turn_started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("offer", sa.JSON(), nullable=True),
        sa.Column("resigned", sa.JSON(), nullable=False),
        sa.Column("result", sa.JSON(), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("archived_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("set_id", sa.Integer(), nullable=True),
        sa.Column("set_index", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["set_id"], ["sets.id"], name=op.f("fk_matches_set_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_matches")),
        sa.UniqueConstraint("set_id", "set_index", name=op.f("uq_matches_set_id_set_index")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_matches_unarchived",
        "matches",
        ["id"],
        unique=False,
        sqlite_where=sa.text("ended_at IS NOT NULL AND archived_at IS NULL"),
        postgresql_where=sa.text("ended_at IS NOT NULL AND archived_at IS NULL"),
    )
    op.create_table(
        "set_players",
        sa.Column("set_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_set_players_player_id")
        ),
        sa.ForeignKeyConstraint(["set_id"], ["sets.id"], name=op.f("fk_set_players_set_id")),
        sa.PrimaryKeyConstraint("set_id", "place", name=op.f("pk_set_players")),
    )
    op.create_table(
        "actions",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("passed", sa.JSON(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_actions_match_id")),
        sa.PrimaryKeyConstraint("match_id", "number", name=op.f("pk_actions")),
    )
    op.create_index(op.f("ix_actions_match_id_turn"), "actions", ["match_id", "turn"], unique=False)
    op.create_table(
        "deadlines",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_deadlines_match_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deadlines")),
        sa.UniqueConstraint(
            "match_id", "turn", "kind", name=op.f("uq_deadlines_match_id_turn_kind")
        ),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_deadlines_due_at"), "deadlines", ["due_at"], unique=False)
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("recipient_key", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("turn", sa.Integer(), nullable=True),
        sa.Column("queued_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("next_attempt_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("claimed_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failed", sa.Boolean(), nullable=False),
        sa.Column("reply", sa.Text(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_outbox_match_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_outbox_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("message_id", name=op.f("uq_outbox_message_id")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        op.f("ix_outbox_match_id_player_id_id"),
        "outbox",
        ["match_id", "player_id", "id"],
        unique=False,
    )
    op.create_index(
        op.f("ix_outbox_recipient_key_kind_queued_at"),
        "outbox",
        ["recipient_key", "kind", "queued_at"],
        unique=False,
    )
    op.create_index(
        "ix_outbox_waiting",
        "outbox",
        ["id"],
        unique=False,
        sqlite_where=sa.text("closed_at IS NULL"),
        postgresql_where=sa.text("closed_at IS NULL"),
    )
    op.create_table(
        "parked",
        sa.Column("inbound_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("asked_by", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["inbound_id"], ["inbound.id"], name=op.f("fk_parked_inbound_id")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_parked_match_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_parked_player_id")),
        sa.PrimaryKeyConstraint("inbound_id", name=op.f("pk_parked")),
    )
    op.create_index(
        op.f("ix_parked_player_id_match_id"), "parked", ["player_id", "match_id"], unique=False
    )
    op.create_table(
        "seats",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("playing", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_seats_match_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_seats_player_id")),
        sa.PrimaryKeyConstraint("match_id", "place", name=op.f("pk_seats")),
        sa.UniqueConstraint("match_id", "seat", name=op.f("uq_seats_match_id_seat")),
    )
    op.create_index(
        op.f("ix_seats_player_id_playing_match_id"),
        "seats",
        ["player_id", "playing", "match_id"],
        unique=False,
    )


def downgrade() -> None:
    """Takes it back."""
    op.drop_table("seats")
    op.drop_table("parked")
    op.drop_table("outbox")
    op.drop_table("deadlines")
    op.drop_table("actions")
    op.drop_table("set_players")
    op.drop_table("matches")
    op.drop_table("addresses")
    op.drop_table("sets")
    op.drop_table("service")
    op.drop_table("players")
    op.drop_table("inbound")
