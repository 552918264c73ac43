"""The file of a SQLite database: a lost one is noticed, and not replaced by an empty one."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from pbem.adapters.db.engine import open_engine
from pbem.adapters.db.unit_of_work import SqlStorage, open_storage
from pbem.ports.process import StorageGone, StorageUnavailable
from tests.support.stored import people

pytestmark = pytest.mark.thorough


def _read(storage: SqlStorage) -> None:
    with storage.reading() as uow:
        uow.players.all()


def _write(storage: SqlStorage, meanwhile: Callable[[], None] = lambda: None) -> None:
    with storage.writing() as uow:
        people(uow, "Anna")
        meanwhile()


def _unlinked(path: Path) -> None:
    for each in path.parent.glob("pbem.sqlite*"):
        each.unlink()


def _replaced(path: Path) -> None:
    shutil.copy(path, path.with_name("backup"))
    path.with_name("backup").replace(path)


@pytest.mark.parametrize("happens", (_unlinked, _replaced))
def test_replaced_database_is_neither_read_nor_written(
    sqlite_url: str, happens: Callable[[Path], None]
) -> None:
    path = Path(sqlite_url.removeprefix("sqlite:///"))
    with closing(SqlStorage(open_engine(sqlite_url))) as storage:
        _write(storage)
        happens(path)
        before = path.exists()
        for attempt in (_read, _write, _read):
            with pytest.raises(StorageGone, match="restore a backup"):
                attempt(storage)
        assert path.exists() == before, "no file is created"


def test_database_lost_during_a_transaction_is_an_error(sqlite_url: str) -> None:
    path = Path(sqlite_url.removeprefix("sqlite:///"))
    with closing(SqlStorage(open_engine(sqlite_url))) as storage, pytest.raises(StorageGone):
        _write(storage, meanwhile=lambda: _unlinked(path))


def _emptied(path: Path) -> None:
    _unlinked(path)
    path.touch()


def _lost_in_a_crash(path: Path) -> None:
    path.with_name(".pbem.sqlite.made").unlink()
    path.rename(path.with_name("pbem.sqlite-wal"))


@pytest.mark.parametrize("happens", (_unlinked, _emptied, _lost_in_a_crash))
def test_no_database_is_created_where_one_existed(
    tmp_path: Path, happens: Callable[[Path], None]
) -> None:
    path = tmp_path / "pbem.sqlite"
    url = f"sqlite:///{path}"
    open_storage(url).close()
    happens(path)
    with pytest.raises(
        StorageUnavailable, match=r"there was one: \S+\. .*Restore .* from scratch, move"
    ):
        open_storage(url)
    (tmp_path / ".pbem.sqlite.made").unlink(missing_ok=True)
    (tmp_path / "pbem.sqlite-wal").unlink(missing_ok=True)
    open_storage(url).close()


def test_records_prove_that_a_database_existed(empty_url: str, tmp_path: Path) -> None:
    records = tmp_path / "archive"
    records.mkdir()
    (records / "index.html").touch()
    (records / "match-1.json").touch()
    with pytest.raises(StorageUnavailable, match=r"match-1\.json"):
        open_storage(empty_url, records)
    (records / "match-1.json").unlink()
    open_storage(empty_url, records).close()
    (records / "match-1.json").touch()
    open_storage(empty_url, records).close()
