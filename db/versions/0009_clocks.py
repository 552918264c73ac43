"""Clocks: each match has its own, and what is due becomes an index of the clocks.

A clock of a turn that is being played is made of what was stored as due in it, which outages have
moved; the time used for earlier turns was not kept. How it is done is written out here: what a
migration does must not change when the code does.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa
import sqlmodel  # noqa: F401
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)
_MATCHES = sa.table(
    "matches",
    *(sa.column(name) for name in ("id", "to_act")),
    *(sa.column(name, sa.JSON()) for name in ("options", "clock")),
    *(sa.column(name, _MOMENT) for name in ("started_at", "turn_started_at", "ended_at")),
)
_SEATS = sa.table("seats", *(sa.column(name) for name in ("match_id", "seat", "player_id")))
_ADDRESSES = sa.table("addresses", *(sa.column(name) for name in ("player_id", "address_key")))
_OLD = sa.table(
    "deadlines",
    *(sa.column(name) for name in ("match_id", "turn", "kind")),
    *(sa.column(name, _MOMENT) for name in ("due_at", "stopped_at")),
)
_NEW = sa.table("deadlines", sa.column("match_id"), sa.column("kind"), sa.column("due_at", _MOMENT))


def upgrade() -> None:
    """Applies it."""
    empty = sa.text("'{}'")
    op.add_column("matches", sa.Column("clock", sa.JSON(), server_default=empty, nullable=False))
    index = list(_make_clocks())
    op.drop_index("ix_deadlines_due_at", table_name="deadlines")
    op.drop_table("deadlines")
    op.create_table(
        "deadlines",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("due_at", _MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_deadlines_match_id")),
        sa.PrimaryKeyConstraint("match_id", "kind", name=op.f("pk_deadlines")),
    )
    op.create_index("ix_deadlines_due_at", "deadlines", ["due_at"])
    if index:
        op.get_bind().execute(sa.insert(_NEW), index)


def downgrade() -> None:
    """Takes it back. Clocks that are paused have nothing due after it."""
    bind = op.get_bind()
    rows = [dict(row) for row in bind.execute(sa.select(_NEW)).mappings()]
    turns = dict(iter(bind.execute(sa.text("SELECT id, turn FROM matches"))))
    op.drop_index("ix_deadlines_due_at", table_name="deadlines")
    op.drop_table("deadlines")
    op.create_table(
        "deadlines",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("due_at", _MOMENT, nullable=False),
        sa.Column("stopped_at", _MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_deadlines_match_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deadlines")),
        sa.UniqueConstraint(
            "match_id", "turn", "kind", name=op.f("uq_deadlines_match_id_turn_kind")
        ),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_deadlines_due_at", "deadlines", ["due_at"])
    for row in rows:
        bind.execute(sa.insert(_OLD), {**row, "turn": turns[row["match_id"]]})
    op.drop_column("matches", "clock")


def _make_clocks() -> Iterator[dict[str, Any]]:
    """Gives every match that goes on a clock; what is due in it then, as rows."""
    bind = op.get_bind()
    going_on = sa.select(_MATCHES).where(_MATCHES.c.ended_at.is_(None))
    for match in bind.execute(going_on).mappings().all():
        due = sa.select(_OLD).where(_OLD.c.match_id == match["id"])
        rows = {row["kind"]: row for row in bind.execute(due).mappings()}
        player = _asked(bind, match)
        if not rows and _is_bot(bind, player):
            player = None
        clock = _clock(match, player, rows)
        this = sa.update(_MATCHES).where(_MATCHES.c.id == match["id"])
        bind.execute(this.values(clock=clock))
        for kind, row in rows.items():
            if row["stopped_at"] is None:
                yield {"match_id": match["id"], "kind": kind, "due_at": _utc(row["due_at"])}


def _asked(bind: sa.Connection, match: sa.RowMapping) -> int | None:
    """Number of the player to act; None if nobody is."""
    held = sa.select(_SEATS.c.player_id).where(_SEATS.c.match_id == match["id"])
    player: int | None = bind.execute(
        held.where(_SEATS.c.seat == match["to_act"])
    ).scalar_one_or_none()
    return player


def _is_bot(bind: sa.Connection, player: int | None) -> bool:
    """Whether a player has the address of a bot, whatever the club's domain; no clock runs then."""
    theirs = sa.select(_ADDRESSES.c.address_key).where(_ADDRESSES.c.player_id == player)
    addresses = bind.execute(theirs).scalars()
    return any(each.startswith(("bot-random", "bot-greedy")) for each in addresses)


def _clock(
    match: sa.RowMapping, player: int | None, rows: dict[str, sa.RowMapping]
) -> dict[str, Any]:
    """The clock as JSON: it began so long before the flag falls as there are days."""
    days = match["options"]["days"]
    began = _utc(match["turn_started_at"] or match["started_at"])
    flag, stopped_at = rows.get("flag"), None
    if flag is not None:
        began, stopped_at = _utc(flag["due_at"]) - timedelta(days=days), flag["stopped_at"]
    kinds = _falls(days)
    return {
        "control": f"days={days}",
        "accounts": {},
        "runs_for": player,
        "since": began.isoformat() if player is not None else None,
        "spent": 0,
        "pauses": {} if stopped_at is None else {"unreachable": _utc(stopped_at).isoformat()},
        "fallen": [
            [kind, _utc(row["due_at"]).isoformat()]
            for kind, row in rows.items()
            if kind not in kinds or _utc(row["due_at"]) != began + kinds[kind]
        ],
        "seen": sorted(kinds.keys() - rows.keys()) if player is not None else [],
    }


def _falls(days: int) -> dict[str, timedelta]:
    """What falls due in a turn of so many days, and after how long."""
    if not days:
        return {}
    whole, day = timedelta(days=days), timedelta(days=1)
    falls = {"half": whole / 2, "last-day": whole - day, "flag": whole}
    if days == 1:
        del falls["last-day"]
    if days == 2:  # half of it is gone when the last day begins
        del falls["half"]
    return falls


def _utc(at: datetime) -> datetime:
    """SQLite gives a moment in UTC without saying so."""
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
