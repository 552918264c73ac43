"""Fixtures of the conversation tests: a club on fakes or on real servers.

The tests in tests/contracts check that the fakes keep their contracts, so most conversations need
nothing else. Some modules run on both (`tests.conversations.house.ON_BOTH`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.adapters.db.engine import open_engine
from pbem.adapters.db.unit_of_work import SqlStorage
from pbem.ports.storage import Storage
from tests.conversations.house import House
from tests.conversations.post_office import Fakes, PostOffice, Servers
from tests.fakes.clock import FakeClock
from tests.fakes.storage import FakeStorage
from tests.support.mail_servers import DovecotMail

LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


@pytest.fixture
def clock() -> FakeClock:
    """The clock of the club and of the fake servers."""
    return FakeClock()


@pytest.fixture
def servers(dovecot_mail: DovecotMail) -> Servers:
    """Mailboxes on a loopback server, without emails or owners."""
    dovecot_mail.forget()
    return Servers(dovecot_mail)


@pytest.fixture
def sqlite_storage(sqlite_url: str) -> Iterator[SqlStorage]:
    """A new database."""
    with closing(SqlStorage(open_engine(sqlite_url))) as storage:
        yield storage


@pytest.fixture
def house(request: pytest.FixtureRequest, clock: FakeClock, tmp_path: Path) -> Iterator[House]:
    """A club without players: on the fakes, unless the test asks for `sqlite` or `servers`."""
    kind = getattr(request, "param", "fakes")
    post: PostOffice = request.getfixturevalue("servers") if kind == "servers" else Fakes(clock)
    storage: Storage = (
        FakeStorage() if kind == "fakes" else request.getfixturevalue("sqlite_storage")
    )
    with closing(House(post, storage, clock, tmp_path)) as house:
        yield house
        with storage.reading() as uow:
            failed = uow.service.failed_templates(LONG_AGO)
        assert not failed or house.has_faulty_templates
