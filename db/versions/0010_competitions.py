"""Competitions: one table for sets, series and tournaments, in which each keeps its number.

On SQLite it makes the table of matches anew, whose ids must still never be given out again.
"""

from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa
import sqlmodel  # noqa: F401
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

SETS, TOGETHER = "sets", "series and tournaments"
_COMPETITION = ("competition_id", "competition_round", "competition_index")


def upgrade() -> None:
    """Applies it."""
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
        sa.PrimaryKeyConstraint("id", name=op.f("pk_competitions")),
        sa.UniqueConstraint("numbering", "number", name=op.f("uq_competitions_numbering_number")),
        sqlite_autoincrement=True,
    )
    op.create_table("competition_players", *_players("competition"))
    for column in _COMPETITION:
        op.add_column("matches", sa.Column(column, sa.Integer(), nullable=True))
    _move()
    with op.batch_alter_table("matches", table_kwargs={"sqlite_autoincrement": True}) as matches:
        matches.drop_constraint(op.f("ck_matches_one_whole"), type_="check")
        for old in ("set", "event"):
            matches.drop_constraint(op.f(f"fk_matches_{old}_id"), type_="foreignkey")
            matches.drop_constraint(op.f(f"uq_matches_{old}_id_{old}_index"), type_="unique")
            matches.drop_column(f"{old}_id")
            matches.drop_column(f"{old}_index")
        matches.create_unique_constraint(
            op.f("uq_matches_competition_id_competition_index"),
            ["competition_id", "competition_index"],
        )
        matches.create_foreign_key(
            op.f("fk_matches_competition_id"), "competitions", ["competition_id"], ["id"]
        )
    for table in ("event_players", "events", "set_players", "sets"):
        op.drop_table(table)


def _players(owner: str) -> Iterable[Any]:
    """Columns and keys of who plays in a competition, or in what was one."""
    table, key = f"{owner}_players", f"{owner}_id"
    yield sa.Column(key, sa.Integer(), nullable=False)
    yield sa.Column("place", sa.Integer(), nullable=False)
    yield sa.Column("player_id", sa.Integer(), nullable=False)
    yield sa.ForeignKeyConstraint([key], [f"{owner}s.id"], name=op.f(f"fk_{table}_{key}"))
    yield sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f(f"fk_{table}_player_id"))
    yield sa.PrimaryKeyConstraint(key, "place", name=op.f(f"pk_{table}"))


_MOMENT = sa.DateTime(timezone=True)


def _table(name: str, *own: sa.ColumnClause[Any]) -> sa.TableClause:
    return sa.table(
        name,
        sa.column("id"),
        sa.column("game_key"),
        sa.column("options", sa.JSON()),
        sa.column("created_at", _MOMENT),
        *own,
    )


_SETS = _table("sets", sa.column("concurrent", sa.Boolean()))
_EVENTS = _table("events", sa.column("kind"), sa.column("terms", sa.JSON()))
_COMPETITIONS = _table(
    "competitions",
    sa.column("kind"),
    sa.column("numbering"),
    sa.column("number"),
    sa.column("terms", sa.JSON()),
)


def _move() -> None:
    """Every set and event with its players and its matches, oldest first."""
    bind = op.get_bind()
    for old in bind.execute(sa.select(_SETS).order_by(_SETS.c.id)).mappings().all():
        _add(bind, SETS, "set", old, {"concurrent": old["concurrent"]})
    for old in bind.execute(sa.select(_EVENTS).order_by(_EVENTS.c.id)).mappings().all():
        _add(bind, TOGETHER, old["kind"], old, old["terms"])
    for owner, numbering in (("set", SETS), ("event", TOGETHER)):
        bind.execute(sa.text(_MOVE_PLAYERS.format(owner=owner)), {"numbering": numbering})
        bind.execute(sa.text(_MOVE_MATCHES.format(owner=owner)), {"numbering": numbering})
    bind.execute(sa.text(_ROUNDS_OF_TOURNAMENTS))


def _add(
    bind: sa.Connection, numbering: str, kind: str, old: sa.RowMapping, terms: dict[str, Any]
) -> None:
    shared = {name: old[name] for name in ("game_key", "options", "created_at")}
    row = {"kind": kind, "numbering": numbering, "number": old["id"], "terms": terms}
    bind.execute(sa.insert(_COMPETITIONS).values({**shared, **row}))


_MOVE_PLAYERS = """
    INSERT INTO competition_players (competition_id, place, player_id)
    SELECT competitions.id, old.place, old.player_id
    FROM {owner}_players AS old
    JOIN competitions ON number = old.{owner}_id AND numbering = :numbering
"""
_MOVE_MATCHES = """
    UPDATE matches SET competition_index = {owner}_index, competition_round = {owner}_index,
        competition_id = (SELECT competitions.id FROM competitions
                          WHERE number = matches.{owner}_id AND numbering = :numbering)
    WHERE {owner}_id IS NOT NULL
"""
"""The matches of a set and of a series follow one another: each is a round."""
_ROUNDS_OF_TOURNAMENTS = """
    UPDATE matches SET competition_round = 1 + (competition_index - 1) /
        (SELECT count(*) / 2 FROM competition_players
         WHERE competition_players.competition_id = matches.competition_id)
    WHERE competition_id IN (SELECT id FROM competitions WHERE kind = 'tournament')
"""
"""In a round everybody plays one other, but for whom the bye is."""


def downgrade() -> None:
    """Takes it back, an empty club's alone: no competition goes back to where it was."""
    for owner, own in (
        ("set", [sa.Column("concurrent", sa.Boolean(), nullable=False)]),
        (
            "event",
            [
                sa.Column("kind", sa.Text(), nullable=False),
                sa.Column("terms", sa.JSON(), nullable=False),
            ],
        ),
    ):
        op.create_table(
            f"{owner}s",
            sa.Column("id", sa.Integer(), nullable=False),
            sa.Column("game_key", sa.Text(), nullable=False),
            sa.Column("options", sa.JSON(), nullable=False),
            sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
            *own,
            sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{owner}s")),
            sqlite_autoincrement=True,
        )
        op.create_table(f"{owner}_players", *_players(owner))
    with op.batch_alter_table("matches", table_kwargs={"sqlite_autoincrement": True}) as matches:
        matches.drop_constraint(op.f("fk_matches_competition_id"), type_="foreignkey")
        matches.drop_constraint(op.f("uq_matches_competition_id_competition_index"), type_="unique")
        for column in _COMPETITION:
            matches.drop_column(column)
        for owner in ("set", "event"):
            for column in (f"{owner}_id", f"{owner}_index"):
                matches.add_column(sa.Column(column, sa.Integer(), nullable=True))
            matches.create_unique_constraint(
                op.f(f"uq_matches_{owner}_id_{owner}_index"), [f"{owner}_id", f"{owner}_index"]
            )
            matches.create_foreign_key(
                op.f(f"fk_matches_{owner}_id"), f"{owner}s", [f"{owner}_id"], ["id"]
            )
        matches.create_check_constraint(
            op.f("ck_matches_one_whole"), "set_id IS NULL OR event_id IS NULL"
        )
    op.drop_table("competition_players")
    op.drop_table("competitions")
