"""Fixtures of the conversation tests: a club on the embedded mail server and SQLite."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.adapters.db import SqlStorage, open_storage
from pbem.adapters.embedded_mail import EmbeddedMail
from tests.conversations.house import House


@pytest.fixture
def server() -> Iterator[EmbeddedMail]:
    """A mail server on loopback."""
    with EmbeddedMail({}) as server:
        yield server


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[SqlStorage]:
    """A new database."""
    storage = open_storage(f"sqlite:///{tmp_path / 'pbem.sqlite'}")
    yield storage
    storage.close()


@pytest.fixture
def house(server: EmbeddedMail, storage: SqlStorage, tmp_path: Path) -> Iterator[House]:
    """A club without players."""
    house = House(server, storage, tmp_path)
    yield house
    house.mailbox.close()
