"""Create the queue of jobs on PostgreSQL: procrastinate's own schema.

It stays the schema of version 3.10.0. A later revision applies the changes of a later version.

Revision ID: 0032
Revises: 0031
"""

from alembic import op

from pbem.resources import folder

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

TABLES = ("events", "periodic_defers", "jobs", "workers")
TYPES = ("job_to_defer_v1", "job_event_type", "job_status")


def upgrade() -> None:
    """Apply the schema."""
    if op.get_bind().dialect.name != "postgresql":
        return
    schema = (folder("db") / "procrastinate" / "3.10.0.sql").read_text("utf-8")
    # On the driver's cursor, since SQLAlchemy treats percent signs as parameters.
    op.get_bind().connection.cursor().execute(schema)


def downgrade() -> None:
    """Drop the queue. Its jobs are found again from the data."""
    if op.get_bind().dialect.name != "postgresql":
        return
    for table in TABLES:
        op.execute(f"DROP TABLE procrastinate_{table} CASCADE")
    for function in _functions():
        op.execute(f"DROP FUNCTION {function} CASCADE")
    for each in TYPES:
        op.execute(f"DROP TYPE procrastinate_{each} CASCADE")


def _functions() -> list[str]:
    found = op.get_bind().exec_driver_sql(
        "SELECT oid::regprocedure::text FROM pg_proc WHERE starts_with(proname, 'procrastinate_')"
    )
    return [name for (name,) in found]
