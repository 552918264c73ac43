"""Offers: challenges and open tables, who is in them, and who wants to hear nothing of whom."""

import sqlalchemy as sa
import sqlmodel  # noqa: F401
from alembic import op

revision = "0017"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Applies it."""
    op.create_table(
        "offers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("open", sa.Boolean(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("terms", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("conditions", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("begun", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_offers")),
        sqlite_autoincrement=True,
    )
    standing = sa.text("state = 'stands'")
    op.create_index(
        "ix_offers_standing",
        "offers",
        ["id"],
        sqlite_where=standing,
        postgresql_where=standing,
    )
    op.create_table(
        "offer_players",
        sa.Column("offer_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("accepted", sa.Boolean(), nullable=False),
        sa.Column("wish", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["offer_id"], ["offers.id"], name=op.f("fk_offer_players_offer_id")
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_offer_players_player_id")
        ),
        sa.PrimaryKeyConstraint("offer_id", "place", name=op.f("pk_offer_players")),
        sa.UniqueConstraint(
            "offer_id", "player_id", name=op.f("uq_offer_players_offer_id_player_id")
        ),
    )
    op.create_index(op.f("ix_offer_players_player_id"), "offer_players", ["player_id"])
    op.create_table(
        "blocks",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("blocked_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["blocked_id"], ["players.id"], name=op.f("fk_blocks_blocked_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_blocks_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_blocks")),
        sa.UniqueConstraint("player_id", "blocked_id", name=op.f("uq_blocks_player_id_blocked_id")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_blocks_blocked_id"), "blocks", ["blocked_id"])


def downgrade() -> None:
    """Takes it back; offers are lost, and what has begun of them goes on."""
    op.drop_table("blocks")
    op.drop_table("offer_players")
    op.drop_table("offers")
