"""Create the tables of the first release.

Replaces 29 revisions that were never released. Test the first real migration with a database of
this revision.

Revision ID: 0031
Revises: nothing
"""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = None
branch_labels = None
depends_on = None

TABLES = (
    "competitions",
    "erased_mails",
    "exposures",
    "fingerprints",
    "offers",
    "pauses",
    "players",
    "read_until",
    "service",
    "stale_pages",
    "addresses",
    "blocks",
    "competition_players",
    "inbound",
    "leaves",
    "matches",
    "offer_players",
    "outbox",
    "absences",
    "actions",
    "deadlines",
    "decisions",
    "happenings",
    "notes",
    "questions",
    "seats",
    "snapshots",
    "waiting_notes",
)
"""In order of reference: each table comes after those that it refers to."""


def upgrade() -> None:
    """Create all tables."""
    op.create_table(
        "competitions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("numbering", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("game_key", sa.Text(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("terms", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_competitions"),
        sa.UniqueConstraint("numbering", "number", name="uq_competitions_numbering_number"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "erased_mails",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("folder", sa.Text(), nullable=False),
        sa.Column("uidvalidity", sa.BigInteger(), nullable=False),
        sa.Column("uid", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_erased_mails"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "exposures",
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("holder_key", sa.Text(), nullable=False),
        sa.Column("mail", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("topic", "holder_key", name="pk_exposures"),
    )
    op.create_table(
        "fingerprints",
        sa.Column("fingerprint", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("fingerprint", name="pk_fingerprints"),
    )
    op.create_table(
        "offers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("open", sa.Boolean(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("terms", sa.JSON(), nullable=False),
        sa.Column("conditions", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("begun", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_offers"),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_offers_standing",
        "offers",
        ["id"],
        sqlite_where=sa.text("state = 'stands'"),
        postgresql_where=sa.text("state = 'stands'"),
    )

    op.create_table(
        "pauses",
        sa.Column("competition", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("start", sa.DateTime(timezone=True), nullable=False),
        sa.Column("end", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("competition", name="pk_pauses"),
    )
    op.create_table(
        "players",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", sa.Text(), nullable=False),
        sa.Column("bot", sa.Text(), server_default="", nullable=False),
        sa.Column("settings", sa.JSON(), server_default="{}", nullable=False),
        sa.Column("skeleton", sa.Text(), server_default="", nullable=False),
        sa.Column("former", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
        sa.UniqueConstraint("name_key", name="uq_players_name_key"),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_players_bots",
        "players",
        ["id"],
        sqlite_where=sa.text("bot <> ''"),
        postgresql_where=sa.text("bot <> ''"),
    )
    op.create_index("ix_players_skeleton", "players", ["skeleton"], unique=True)

    op.create_table(
        "read_until",
        sa.Column("folder", sa.Text(), nullable=False),
        sa.Column("uidvalidity", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("uid", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("folder", "uidvalidity", name="pk_read_until"),
    )
    op.create_table(
        "service",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_service"),
    )
    op.create_table(
        "stale_pages",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_stale_pages"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_stale_pages_kind_key", "stale_pages", ["kind", "key"])

    op.create_table(
        "addresses",
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("address_key", sa.Text(), nullable=False),
        sa.Column("failed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failure", sa.Text(), server_default="", nullable=False),
        sa.Column("works_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_addresses_player_id"),
        sa.PrimaryKeyConstraint("player_id", "place", name="pk_addresses"),
        sa.UniqueConstraint("address_key", name="uq_addresses_address_key"),
    )
    op.create_index(
        "ix_addresses_failed",
        "addresses",
        ["failed_at"],
        sqlite_where=sa.text("failed_at IS NOT NULL"),
        postgresql_where=sa.text("failed_at IS NOT NULL"),
    )

    op.create_table(
        "blocks",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("blocked_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["blocked_id"], ["players.id"], name="fk_blocks_blocked_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_blocks_player_id"),
        sa.PrimaryKeyConstraint("id", name="pk_blocks"),
        sa.UniqueConstraint("player_id", "blocked_id", name="uq_blocks_player_id_blocked_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_blocks_blocked_id", "blocks", ["blocked_id"])

    op.create_table(
        "competition_players",
        sa.Column("competition_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["competition_id"], ["competitions.id"], name="fk_competition_players_competition_id"
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_competition_players_player_id"
        ),
        sa.PrimaryKeyConstraint("competition_id", "place", name="pk_competition_players"),
    )
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
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("proven", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("topic", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_inbound_player_id"),
        sa.PrimaryKeyConstraint("id", name="pk_inbound"),
        sa.UniqueConstraint(
            "folder", "uidvalidity", "uid", name="uq_inbound_folder_uidvalidity_uid"
        ),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_inbound_digest", "inbound", ["digest"])
    op.create_index(
        "ix_inbound_sender_key_proven_recorded_at",
        "inbound",
        ["sender_key", "proven", "recorded_at"],
    )
    op.create_index("ix_inbound_state_id", "inbound", ["state", "id"])
    op.create_index(
        "ix_inbound_topic_proven_recorded_at", "inbound", ["topic", "proven", "recorded_at"]
    )

    op.create_table(
        "leaves",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("first_day", sa.Date(), nullable=False),
        sa.Column("last_day", sa.Date(), nullable=False),
        sa.Column("start_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("end_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("auto", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_leaves_player_id"),
        sa.PrimaryKeyConstraint("id", name="pk_leaves"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_leaves_player_id_end_at", "leaves", ["player_id", "end_at"])

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
        sa.Column("club", sa.Text(), server_default="", nullable=False),
        sa.Column("entries", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("head", sa.Text(), server_default="", nullable=False),
        sa.Column("clock", sa.JSON(), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("competition_id", sa.Integer(), nullable=True),
        sa.Column("competition_round", sa.Integer(), nullable=True),
        sa.Column("competition_index", sa.Integer(), nullable=True),
        sa.Column("public", sa.Text(), server_default="", nullable=False),
        sa.Column("lead", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("began_with", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("hands", sa.JSON(), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("pause_offer", sa.JSON(), nullable=True),
        sa.Column("breaks", sa.JSON(), server_default=sa.text("'[]'"), nullable=False),
        sa.ForeignKeyConstraint(
            ["competition_id"], ["competitions.id"], name="fk_matches_competition_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
        sa.UniqueConstraint(
            "competition_id",
            "competition_index",
            name="uq_matches_competition_id_competition_index",
        ),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_matches_asked",
        "matches",
        ["turn_started_at"],
        sqlite_where=sa.text("ended_at IS NULL"),
        postgresql_where=sa.text("ended_at IS NULL"),
    )
    op.create_index(
        "ix_matches_ended_at",
        "matches",
        ["ended_at"],
        sqlite_where=sa.text("ended_at IS NOT NULL"),
        postgresql_where=sa.text("ended_at IS NOT NULL"),
    )
    op.create_index(
        "ix_matches_playing",
        "matches",
        ["id"],
        sqlite_where=sa.text("ended_at IS NULL"),
        postgresql_where=sa.text("ended_at IS NULL"),
    )
    op.create_index(
        "ix_matches_unarchived",
        "matches",
        ["id"],
        sqlite_where=sa.text("ended_at IS NOT NULL AND archived_at IS NULL"),
        postgresql_where=sa.text("ended_at IS NOT NULL AND archived_at IS NULL"),
    )

    op.create_table(
        "offer_players",
        sa.Column("offer_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("accepted", sa.Boolean(), nullable=False),
        sa.Column("wish", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["offer_id"], ["offers.id"], name="fk_offer_players_offer_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_offer_players_player_id"),
        sa.PrimaryKeyConstraint("offer_id", "place", name="pk_offer_players"),
        sa.UniqueConstraint("offer_id", "player_id", name="uq_offer_players_offer_id_player_id"),
    )
    op.create_index("ix_offer_players_player_id", "offer_players", ["player_id"])

    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("recipient_key", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("turn", sa.Integer(), nullable=True),
        sa.Column("queued_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("next_attempt_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("claimed_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failed", sa.Boolean(), nullable=False),
        sa.Column("reply", sa.Text(), nullable=False),
        sa.Column("bounce_key", sa.Text(), nullable=True),
        sa.Column("bounces", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("claimed_by", sa.Text(), server_default="", nullable=False),
        sa.Column("from_name", sa.Text(), nullable=False),
        sa.Column("from_address", sa.Text(), nullable=False),
        sa.Column("to_name", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("written_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("thread", sa.JSON(), nullable=False),
        sa.Column("answers", sa.Boolean(), nullable=False),
        sa.Column("topic", sa.Text(), nullable=True),
        sa.Column("html", sa.LargeBinary(), nullable=True),
        sa.Column("picture", sa.LargeBinary(), nullable=True),
        sa.Column("reply_to", sa.Text(), server_default="", nullable=False),
        sa.Column("list_id", sa.Text(), server_default="", nullable=False),
        sa.Column("unsubscribe", sa.Text(), server_default="", nullable=False),
        sa.Column("attachments", sa.LargeBinary(), nullable=True),
        sa.Column("urgency", sa.SmallInteger(), server_default=sa.text("1"), nullable=False),
        sa.Column("domain", sa.Text(), server_default="", nullable=False),
        sa.Column("line", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("tried_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("allowance", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_outbox_player_id"),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        sa.UniqueConstraint("bounce_key", name="uq_outbox_bounce_key"),
        sa.UniqueConstraint("message_id", name="uq_outbox_message_id"),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_outbox_allowance",
        "outbox",
        ["allowance", "queued_at"],
        sqlite_where=sa.text("allowance IS NOT NULL"),
        postgresql_where=sa.text("allowance IS NOT NULL"),
    )
    op.create_index(
        "ix_outbox_recipient_key_kind_queued_at", "outbox", ["recipient_key", "kind", "queued_at"]
    )
    op.create_index("ix_outbox_topic_player_id_id", "outbox", ["topic", "player_id", "id"])
    op.create_index("ix_outbox_tried_at", "outbox", ["tried_at"])
    op.create_index(
        "ix_outbox_unrequested",
        "outbox",
        ["queued_at"],
        sqlite_where=sa.text("allowance IS NOT NULL"),
        postgresql_where=sa.text("allowance IS NOT NULL"),
    )
    op.create_index(
        "ix_outbox_waiting",
        "outbox",
        ["urgency", "line", "id"],
        sqlite_where=sa.text("closed_at IS NULL"),
        postgresql_where=sa.text("closed_at IS NULL"),
    )
    op.create_index(
        "ix_outbox_waiting_about",
        "outbox",
        ["topic", "urgency", "line"],
        sqlite_where=sa.text("closed_at IS NULL"),
        postgresql_where=sa.text("closed_at IS NULL"),
    )
    op.create_index(
        "ix_outbox_waiting_for",
        "outbox",
        ["recipient_key", "urgency", "line"],
        sqlite_where=sa.text("closed_at IS NULL"),
        postgresql_where=sa.text("closed_at IS NULL"),
    )

    op.create_table(
        "absences",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_absences_match_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_absences_player_id"),
        sa.PrimaryKeyConstraint("id", name="pk_absences"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_absences_player_id_at", "absences", ["player_id", "at"])

    op.create_table(
        "actions",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("passed", sa.JSON(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("head", sa.Text(), server_default="", nullable=False),
        sa.Column("undone", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_actions_match_id"),
        sa.PrimaryKeyConstraint("match_id", "number", name="pk_actions"),
    )
    op.create_index("ix_actions_match_id_turn", "actions", ["match_id", "turn"])

    op.create_table(
        "deadlines",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_deadlines_match_id"),
        sa.PrimaryKeyConstraint("match_id", "kind", name="pk_deadlines"),
    )
    op.create_index("ix_deadlines_due_at", "deadlines", ["due_at"])

    op.create_table(
        "decisions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by_id", sa.Integer(), nullable=True),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["by_id"], ["players.id"], name="fk_decisions_by_id"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_decisions_match_id"),
        sa.PrimaryKeyConstraint("id", name="pk_decisions"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_decisions_by_id", "decisions", ["by_id"])
    op.create_index("ix_decisions_match_id", "decisions", ["match_id"])

    op.create_table(
        "happenings",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("entry", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("head", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_happenings_match_id"),
        sa.PrimaryKeyConstraint("match_id", "entry", name="pk_happenings"),
    )
    op.create_index(
        "ix_happenings_succession",
        "happenings",
        ["match_id"],
        sqlite_where=sa.text("kind IN ('replaced', 'kept', 'given_back')"),
        postgresql_where=sa.text("kind IN ('replaced', 'kept', 'given_back')"),
    )

    op.create_table(
        "notes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_notes_match_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_notes_player_id"),
        sa.PrimaryKeyConstraint("id", name="pk_notes"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_notes_match_id", "notes", ["match_id"])

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
        sa.ForeignKeyConstraint(["inbound_id"], ["inbound.id"], name="fk_questions_inbound_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_questions_player_id"),
        sa.PrimaryKeyConstraint("id", name="pk_questions"),
        sa.UniqueConstraint("inbound_id", name="uq_questions_inbound_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_questions_address_key", "questions", ["address_key"])
    op.create_index("ix_questions_asked_by", "questions", ["asked_by"])
    op.create_index("ix_questions_kind_id", "questions", ["kind", "id"])
    op.create_index("ix_questions_player_id_about", "questions", ["player_id", "about"])

    op.create_table(
        "seats",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("playing", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_seats_match_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_seats_player_id"),
        sa.PrimaryKeyConstraint("match_id", "place", name="pk_seats"),
        sa.UniqueConstraint("match_id", "seat", name="uq_seats_match_id_seat"),
    )
    op.create_index(
        "ix_seats_player_id_playing_match_id", "seats", ["player_id", "playing", "match_id"]
    )

    op.create_table(
        "snapshots",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("actions", sa.Integer(), nullable=False),
        sa.Column("head", sa.Text(), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("text", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_snapshots_match_id"),
        sa.PrimaryKeyConstraint("match_id", name="pk_snapshots"),
    )
    op.create_table(
        "waiting_notes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("reader_id", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_waiting_notes_match_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_waiting_notes_player_id"),
        sa.ForeignKeyConstraint(["reader_id"], ["players.id"], name="fk_waiting_notes_reader_id"),
        sa.PrimaryKeyConstraint("id", name="pk_waiting_notes"),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_waiting_notes_match_id_reader_id", "waiting_notes", ["match_id", "reader_id"]
    )


def downgrade() -> None:
    """Drop all tables."""
    for table in reversed(TABLES):
        op.drop_table(table)
