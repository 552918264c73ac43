"""A player is known as a bot by their own row; what was chosen for them are settings."""

import re
from collections import Counter

import sqlalchemy as sa
import sqlmodel  # noqa: F401
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_BOT = re.compile(r"bot-(random|greedy)(-[1-9]\d*)?@.*", re.ASCII | re.IGNORECASE)


def upgrade() -> None:
    """Applies it."""
    op.add_column("players", sa.Column("bot", sa.Text(), server_default="", nullable=False))
    op.add_column("players", sa.Column("settings", sa.JSON(), server_default="{}", nullable=False))
    op.create_index(
        "ix_players_bots",
        "players",
        ["id"],
        sqlite_where=sa.text("bot <> ''"),
        postgresql_where=sa.text("bot <> ''"),
    )
    _know_bots()
    _gather_settings()
    op.drop_column("players", "proof")
    op.drop_column("players", "time_zone")


_PLAYERS = sa.table(
    "players",
    *(sa.column(name) for name in ("id", "bot", "time_zone", "proof")),
    sa.column("settings", sa.JSON()),
)


def _gather_settings() -> None:
    columns = _PLAYERS.c
    rows = op.get_bind().execute(sa.select(columns.id, columns.time_zone, columns.proof)).all()
    for player, zone, proof in rows:
        chosen = {"zone": zone} if zone != "UTC" else {}
        chosen |= {"proof": proof} if proof else {}
        this = sa.update(_PLAYERS).where(columns.id == player)
        op.get_bind().execute(this.values(settings=chosen))


def _know_bots() -> None:
    """Until now a bot was whoever had the address of one."""
    addresses = sa.table("addresses", sa.column("player_id"), sa.column("address"))
    connection = op.get_bind()
    rows = connection.execute(sa.select(addresses)).all()
    several = {player for player, count in Counter(row[0] for row in rows).items() if count > 1}
    for player, address in rows:
        if player not in several and (found := _BOT.fullmatch(address)):
            this = sa.update(_PLAYERS).where(_PLAYERS.c.id == player)
            connection.execute(this.values(bot=found[1].lower()))


def downgrade() -> None:
    """Takes it back."""
    op.add_column("players", sa.Column("time_zone", sa.Text(), server_default="UTC"))
    op.add_column("players", sa.Column("proof", sa.Text(), server_default="", nullable=False))
    _take_settings_apart()
    op.drop_index("ix_players_bots", "players")
    op.drop_column("players", "settings")
    op.drop_column("players", "bot")


def _take_settings_apart() -> None:
    columns = _PLAYERS.c
    for player, chosen in op.get_bind().execute(sa.select(columns.id, columns.settings)).all():
        values = {"time_zone": chosen.get("zone", "UTC"), "proof": chosen.get("proof", "")}
        op.get_bind().execute(sa.update(_PLAYERS).where(columns.id == player).values(**values))
