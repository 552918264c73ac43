"""Alembic's environment: runs the migrations on the given connection, in its transaction.

There is no alembic.ini. `pbem.adapters.db.migrate` upgrades, and `db/revise.py` writes new
revisions.
"""

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy import DateTime
from sqlalchemy.types import TypeDecorator

from pbem.adapters.db.tables import DatabaseRow, index_on_postgresql


def render_item(kind: str, item: Any, _context: AutogenContext) -> str | Literal[False]:
    """Render plain types in revisions, which must not change when our own types do."""
    if kind != "type" or not isinstance(item, TypeDecorator):
        return False
    if isinstance(item.impl, DateTime):
        return "sa.DateTime(timezone=True)"
    return f"sa.{type(item.impl).__name__}()"


index_on_postgresql()
connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=DatabaseRow.metadata,
    transactional_ddl=True,  # works in SQLite too, once the driver leaves transactions alone
    render_as_batch=True,
    render_item=render_item,
)
with context.begin_transaction():
    context.run_migrations()
