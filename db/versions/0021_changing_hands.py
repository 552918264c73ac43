"""Changing hands: how many players a match began with, and who held its seats before."""

from collections.abc import Iterable, Mapping
from typing import Any

import sqlalchemy as sa
import sqlmodel  # noqa: F401
from alembic import op

revision = "0021"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Applies it."""
    zero, nothing = sa.text("0"), sa.text("'{}'")
    op.add_column(
        "matches", sa.Column("began_with", sa.Integer(), server_default=zero, nullable=False)
    )
    op.add_column("matches", sa.Column("hands", sa.JSON(), server_default=nothing, nullable=False))
    succession = sa.text("kind IN ('replaced', 'kept', 'given_back')")
    op.create_index(
        "ix_happenings_succession",
        "happenings",
        ["match_id"],
        sqlite_where=succession,
        postgresql_where=succession,
    )
    op.execute(sa.text(_COUNT))
    _tell_of_earlier()


def downgrade() -> None:
    """Takes it back; the histories still tell who was followed by whom."""
    op.drop_index("ix_happenings_succession", "happenings")
    op.drop_column("matches", "hands")
    op.drop_column("matches", "began_with")


_COUNT = """
    UPDATE matches SET began_with =
    (SELECT count(DISTINCT player_id) FROM seats WHERE seats.match_id = matches.id)
"""
_REPLACED = """
    SELECT match_id, turn, kind, text FROM happenings
    WHERE kind IN ('replaced', 'undone') ORDER BY match_id, entry
"""
_SEATS = "SELECT seat, player_id FROM seats WHERE match_id = :match ORDER BY place"
_MATCHES = sa.table("matches", sa.column("id"), sa.column("hands", sa.JSON()))


def _tell_of_earlier() -> None:
    """What directors had replaced until now: one player by another who was not in the match."""
    bind = op.get_bind()
    happened: dict[int, list[Mapping[str, Any]]] = {}
    for row in bind.execute(sa.text(_REPLACED)).mappings().all():
        happened.setdefault(row["match_id"], []).append(row)
    for match, rows in happened.items():
        seats = bind.execute(sa.text(_SEATS), {"match": match}).all()
        earlier = _earlier({row.seat: row.player_id for row in seats}, rows)
        if earlier:
            these = sa.update(_MATCHES).where(_MATCHES.c.id == match)
            bind.execute(these.values(hands={"earlier": earlier}))


def _earlier(
    seats: Mapping[str, int], rows: Iterable[Mapping[str, Any]]
) -> list[tuple[str, int, int]]:
    """Seat, player, and until which turn, in order; found from the end, where the seats are known.

    After turns were taken back who holds a seat plays it from there.
    """
    held, earlier, least = dict(seats), list[tuple[str, int, int]](), 10**9
    for row in reversed(list(rows)):
        if row["kind"] == "undone":
            least = min(least, int(row["text"]))
            continue
        old, new = map(int, row["text"].split())
        theirs = [seat for seat, player in held.items() if player == new]
        held.update(dict.fromkeys(theirs, old))
        earlier[:0] = [(seat, old, min(row["turn"], least)) for seat in theirs]
    return earlier
