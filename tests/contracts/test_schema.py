"""The schema: a migrated database equals a fresh one, on both databases.

Migrations are safe to run.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from textwrap import dedent
from typing import Any

import psycopg
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from procrastinate.schema import SchemaManager
from sqlalchemy import Engine, event, inspect

from db.revise import SNAPSHOT, schema_of
from pbem.adapters.db.engine import open_engine, writers
from pbem.adapters.db.migrate import config, is_current, upgrade
from pbem.adapters.db.schema import (
    UPGRADE_LOCK,
    revisions,
    schema_at,
    schema_of as schema_of_database,
)
from pbem.adapters.db.tables import DatabaseRow
from pbem.adapters.db.unit_of_work import SqlStorage, open_storage
from pbem.adapters.db.upgrading import plan_of
from pbem.ports.process import SchemaDiffers, StorageUnavailable
from pbem.resources import folder
from tests.support.postgres import Postgres
from tests.support.stored import new_match, people
from tests.support.writers import open_first, start_together

pytestmark = pytest.mark.thorough

WEEK = timedelta(days=7)
ROOT = Path(__file__).parents[2]


@pytest.fixture
def engine(empty_url: str) -> Iterator[Engine]:
    """An empty database."""
    engine = open_engine(empty_url)
    yield engine
    engine.dispose()


def ours(table: str | None) -> bool:
    """Return whether a table belongs to pbem, not to a library in the same database."""
    return table is not None and not table.startswith(("alembic_", "procrastinate_"))


def reflected(engine: Engine) -> dict[str, Any]:
    """Return all that a database knows about its tables, except Alembic's own."""
    found = inspect(engine)
    return {
        table: {
            "columns": [{**each, "type": repr(each["type"])} for each in found.get_columns(table)],
            "primary key": found.get_pk_constraint(table),
            "foreign keys": sorted(found.get_foreign_keys(table), key=str),
            "unique": sorted(found.get_unique_constraints(table), key=str),
            "indexes": sorted(_told(each) for each in found.get_indexes(table)),
            "checks": found.get_check_constraints(table),
        }
        for table in found.get_table_names()
        if ours(table)
    }


def _told(index: Any) -> str:
    """Return an index as text: the condition of a partial index has no equality."""
    options = {key: str(value) for key, value in index.pop("dialect_options", {}).items()}
    return f"{sorted(index.items())} {sorted(options.items())}"


def test_migrated_schema_equals_a_fresh_one(engine: Engine) -> None:
    upgrade(engine)
    migrated = reflected(engine)
    with writers(engine).begin() as connection:
        command.downgrade(config(connection), "base")
    assert reflected(engine) == {}
    with writers(engine).begin() as connection:
        DatabaseRow.metadata.create_all(connection)
    assert reflected(engine) == migrated
    assert len(migrated) == len(DatabaseRow.metadata.tables)


def test_no_revision_is_missing(engine: Engine) -> None:
    upgrade(engine)
    with engine.connect() as connection:
        looked_at = {"include_name": lambda name, kind, _: kind != "table" or ours(name)}
        context = MigrationContext.configure(connection, opts=looked_at)
        assert compare_metadata(context, DatabaseRow.metadata) == []


def test_schema_snapshot_is_up_to_date(sqlite_url: str) -> None:
    engine = open_engine(sqlite_url)
    assert schema_of(engine) == SNAPSHOT.read_text(), "run python db/revise.py"
    engine.dispose()


def test_database_is_current_once_upgraded(engine: Engine) -> None:
    assert not is_current(engine)
    upgrade(engine)
    assert is_current(engine)
    with closing(SqlStorage(engine)) as storage:
        match = new_match(storage)
        upgrade(engine)
        with storage.reading() as uow:
            assert uow.matches.all() == [match]


def test_database_of_unreleased_version_is_refused(engine: Engine) -> None:
    upgrade(engine)
    with writers(engine).begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0030'")
    with pytest.raises(StorageUnavailable, match="pbem rebuild --from-archive FOLDER"):
        upgrade(engine)
    assert schema_at(str(engine.url.render_as_string(hide_password=False))).found == "0030"


def test_check_does_not_create_a_database(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path}/pbem.sqlite")
    assert not is_current(engine)
    assert list(tmp_path.iterdir()) == []


def test_database_of_a_newer_pbem_is_left_alone(engine: Engine) -> None:
    upgrade(engine)
    with writers(engine).begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StorageUnavailable, match="newer version of pbem"):
        is_current(engine)
    with pytest.raises(StorageUnavailable, match="newer version of pbem"):
        upgrade(engine)


@pytest.mark.servers
def test_several_processes_may_open_an_empty_database_at_once(empty_url: str) -> None:
    assert start_together(3, open_first, empty_url, 0) == [[0]] * 3


@pytest.fixture
def next_scripts(tmp_path: Path) -> Path:
    """The migrations and one more, which replaces a table that others refer to (on SQLite)."""
    scripts = shutil.copytree(folder("db"), tmp_path / "100% db")
    (scripts / "versions" / "9000_next.py").write_text(
        dedent(
            f"""\
            import sqlalchemy as sa
            from alembic import op

            revision = "9000"
            down_revision = {_head()!r}

            def upgrade():
                with op.batch_alter_table("players") as players:
                    players.alter_column("name", nullable=True)
                    players.add_column(sa.Column("title", sa.Text()))
                crash = "SELECT 1 FROM players WHERE name = 'Crash'"
                if op.get_bind().exec_driver_sql(crash).first():
                    raise RuntimeError("half way")
            """
        )
    )
    return scripts


def test_revisions_are_known_by_their_file_names() -> None:
    directory = ScriptDirectory(str(folder("db")))
    assert list(revisions(folder("db"))) == [each.revision for each in directory.walk_revisions()]


def _head() -> str:
    head = ScriptDirectory(str(folder("db"))).get_current_head()
    assert head is not None
    return head


def test_migration_can_replace_a_table_that_others_refer_to(
    engine: Engine, next_scripts: Path
) -> None:
    upgrade(engine)
    with closing(SqlStorage(engine)) as storage:
        match = new_match(storage)
        plan = plan_of(engine, schema_of_database(engine, next_scripts), next_scripts)
        assert [(each.name, each.rows) for each in plan.tables] == [("players", 3)]
        upgrade(engine, next_scripts)
        assert "title" in {each["name"] for each in inspect(engine).get_columns("players")}
        with storage.writing() as uow:
            assert uow.matches.all() == [match]
            assert len(uow.players.all()) == 3
            people(uow, "Dora")


def test_running_process_notices_a_changed_schema(
    engine: Engine, empty_url: str, next_scripts: Path
) -> None:
    with closing(open_storage(empty_url)) as working:
        match = new_match(working)
        upgrade(engine, next_scripts)
        for unit_of_work in (working.writing, working.reading):
            with pytest.raises(SchemaDiffers, match=r"9000\. This process"), unit_of_work() as uow:
                uow.matches.get(match.id)
    with pytest.raises(SchemaDiffers, match="of a newer version of pbem"):
        open_storage(empty_url)


@pytest.mark.servers
def test_opening_does_not_wait_for_a_running_upgrade(postgresql_url: str) -> None:
    with psycopg.connect(postgresql_url) as upgrading:
        upgrading.execute("SELECT pg_advisory_xact_lock(%s)", (UPGRADE_LOCK,))
        with pytest.raises(SchemaDiffers, match="being upgraded"):
            open_storage(postgresql_url)
    open_storage(postgresql_url).close()


@pytest.mark.servers
def test_upgrade_waits_for_open_transactions_then_gives_up(
    postgresql_url: str, next_scripts: Path
) -> None:
    """The upgrade waits for writers and snapshot readers, whatever tables they have read."""
    engine = open_engine(postgresql_url)
    event.listen(engine, "connect", _impatient)
    with closing(open_storage(postgresql_url)) as storage, closing(SqlStorage(engine)):
        for unit_of_work in (storage.writing, storage.reading):
            with unit_of_work(), pytest.raises(StorageUnavailable, match="lock"):
                upgrade(engine, next_scripts)
        upgrade(engine, next_scripts)


def _impatient(connection: Any, _record: object) -> None:
    connection.execute("SET lock_timeout = '1ms'")
    connection.commit()


def test_failed_migration_changes_nothing(engine: Engine, next_scripts: Path) -> None:
    upgrade(engine)
    before = reflected(engine)
    with closing(SqlStorage(engine)) as storage:
        with storage.writing() as uow:
            people(uow, "Crash")
        with pytest.raises(RuntimeError, match="half way"):
            upgrade(engine, next_scripts)
        assert reflected(engine) == before
        assert is_current(engine)
        with storage.reading() as uow:
            assert uow.players.named("Crash") is not None


@pytest.mark.servers
def test_installed_package_finds_its_migrations(tmp_path: Path) -> None:
    installed = tmp_path / "site-packages"
    shutil.copytree(ROOT / "pbem", installed / "pbem")
    shutil.copytree(ROOT / "db", installed / "pbem" / "db")
    program = dedent(
        """\
        import pbem.resources
        from pbem.adapters.db.unit_of_work import open_storage
        open_storage("sqlite:///club.sqlite").close()
        print(pbem.resources.folder("db"))
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={"PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
    )
    assert (done.stderr, done.stdout.strip()) == ("", str(installed / "pbem" / "db"))
    assert is_current(open_engine(f"sqlite:///{tmp_path}/club.sqlite"))


@pytest.mark.parametrize("name", ("templates", "db"))
def test_checkout_has_its_folders_beside_the_package(name: Any) -> None:
    assert folder(name) == ROOT / name


@pytest.mark.servers
def test_job_queue_has_the_schema_of_its_library(postgresql_url: str, postgres: Postgres) -> None:
    with postgres.database() as fresh, psycopg.connect(postgres.url(fresh)) as connection:
        connection.execute(SchemaManager.get_schema().encode())
        wanted = _of_the_queue(connection)
    with psycopg.connect(postgresql_url) as connection:
        found = _of_the_queue(connection)
    assert wanted
    assert found == wanted, "a revision must bring the schema to that of the installed version"


def _of_the_queue(connection: psycopg.Connection) -> list[str]:
    """Return columns, indexes, constraints, triggers and functions."""
    found = connection.execute(
        """
        SELECT concat_ws(' ', table_name, column_name, data_type, udt_name, column_default)
          FROM information_schema.columns WHERE starts_with(table_name, 'procrastinate_')
        UNION SELECT indexdef FROM pg_indexes WHERE starts_with(tablename, 'procrastinate_')
        UNION SELECT pg_get_functiondef(oid)
          FROM pg_proc WHERE starts_with(proname, 'procrastinate_')
        UNION SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgname LIKE 'procrastinate%'
        UNION SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
          FROM pg_constraint WHERE starts_with(conrelid::regclass::text, 'procrastinate_')
        UNION SELECT concat_ws(' ', enumtypid::regtype, enumlabel, enumsortorder) FROM pg_enum
        """
    )
    return sorted(row[0] for row in found)
