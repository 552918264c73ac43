"""Histories: what happened beside the actions, and the hash over everything up to each entry.

What is stored already is hashed too, and an entry says so. How is written out here once more: what
a migration does must not change when the code does.
"""

import hashlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
import sqlmodel  # noqa: F401
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Applies it."""
    op.create_table(
        "happenings",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("entry", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("head", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_happenings_match_id")),
        sa.PrimaryKeyConstraint("match_id", "entry", name=op.f("pk_happenings")),
    )
    op.add_column("actions", _words("head"))
    op.add_column("matches", _words("club"))
    op.add_column(
        "matches", sa.Column("entries", sa.Integer(), server_default=sa.text("0"), nullable=False)
    )
    op.add_column("matches", _words("head"))
    _chain_what_is_there()


def _words(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), server_default="", nullable=False)


def downgrade() -> None:
    """Takes it back."""
    for column in ("head", "entries", "club"):
        op.drop_column("matches", column)
    op.drop_column("actions", "head")
    op.drop_table("happenings")


_MOMENT = sa.DateTime(timezone=True)
_MATCHES = sa.table(
    "matches",
    *(sa.column(name) for name in ("id", "game_key", "rules_version", "turn", "head", "entries")),
    *(sa.column(name, sa.JSON()) for name in ("options", "offer", "resigned", "result")),
    *(sa.column(name, _MOMENT) for name in ("started_at", "turn_started_at", "ended_at")),
)
_SEATS = sa.table(
    "seats", *(sa.column(name) for name in ("match_id", "place", "seat", "player_id"))
)
_ACTIONS = sa.table(
    "actions",
    *(sa.column(name) for name in ("match_id", "number", "turn", "seat", "text", "head")),
    sa.column("at", _MOMENT),
)
_HAPPENINGS = sa.table(
    "happenings",
    *(sa.column(name) for name in ("match_id", "entry", "turn", "seat", "kind", "head")),
    sa.column("at", _MOMENT),
)


def _chain_what_is_there() -> None:
    bind = op.get_bind()
    now = bind.execute(sa.select(sa.func.now())).scalar_one()
    for match in bind.execute(sa.select(_MATCHES).order_by(_MATCHES.c.id)).mappings().all():
        seats = sa.select(_SEATS.c.seat, _SEATS.c.player_id)
        seats = seats.where(_SEATS.c.match_id == match["id"]).order_by(_SEATS.c.place)
        _chain(bind, match, dict(iter(bind.execute(seats))), now)


def _chain(bind: sa.Connection, match: sa.RowMapping, seats: dict[str, int], now: datetime) -> None:
    of_match = sa.select(_ACTIONS).where(_ACTIONS.c.match_id == match["id"])
    head, entry, hashed = _hash(_beginning(match, seats)), 0, []
    for action in bind.execute(of_match.order_by(_ACTIONS.c.number)).mappings().all():
        entry += 1
        told = {key: action[key] for key in ("turn", "seat", "text")}
        head = _hash({"entry": entry, "kind": "action", **told, "at": _told(action["at"])}, head)
        hashed.append({"its_match": match["id"], "its_number": action["number"], "head": head})
    if hashed:
        this = _ACTIONS.c.match_id == sa.bindparam("its_match")
        this &= _ACTIONS.c.number == sa.bindparam("its_number")
        bind.execute(sa.update(_ACTIONS).where(this), hashed)
    happenings = []
    for kind, seat, at in _happened(match, seats, now):
        entry += 1
        told = {"turn": match["turn"], **({"seat": seat} if seat else {}), "at": _told(at)}
        head = _hash({"entry": entry, "kind": kind, **told}, head)
        row = {"match_id": match["id"], "entry": entry, "turn": match["turn"], "seat": seat}
        happenings.append({**row, "kind": kind, "at": at, "head": head})
    bind.execute(sa.insert(_HAPPENINGS), happenings)
    if match["result"] is not None and match["ended_at"] is not None:
        entry += 1
        end = {key: match["result"][key] for key in ("winners", "termination", "scores")}
        end = {"entry": entry, "kind": "result", **end, "at": _told(match["ended_at"])}
        head = _hash(end, head)
    of_id = sa.update(_MATCHES).where(_MATCHES.c.id == match["id"])
    bind.execute(of_id.values(head=head, entries=entry))


def _beginning(match: sa.RowMapping, seats: dict[str, int]) -> dict[str, Any]:
    options = match["options"]
    return {
        "chain": 1,
        "club": "",  # was not kept
        "match": match["id"],
        "game": match["game_key"],
        "rules_version": match["rules_version"],
        "options": {key: options[key] for key in ("days", "draw_offers", "game")},
        "seats": seats,
        "started": _told(match["started_at"]),
    }


def _happened(
    match: sa.RowMapping, seats: dict[str, int], now: datetime
) -> Iterator[tuple[str, str, datetime]]:
    """Kind, seat and time of what is known from the match alone, and that it was hashed now.

    When somebody offered a draw or resigned was not kept: no later than this.
    """
    seat_of = {player: seat for seat, player in reversed(seats.items())}
    known_at = match["ended_at"] or match["turn_started_at"] or match["started_at"]
    if match["offer"]:
        yield "draw_offered", seat_of[match["offer"]["by"]], known_at
        for player in match["offer"]["accepted"]:
            yield "draw_accepted", seat_of[player], known_at
    for player in match["resigned"]:
        yield "resigned", seat_of[player], known_at
    yield "chained", "", now


def _told(at: datetime) -> str:
    """To the second; SQLite gives a moment in UTC without saying so."""
    utc = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    return f"{utc:%Y-%m-%dT%H:%M:%S}Z"


def _hash(data: dict[str, Any], before: str = "") -> str:
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(f"{before}{text}".encode(errors="replace")).hexdigest()
