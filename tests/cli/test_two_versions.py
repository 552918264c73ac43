"""Test two versions of pbem on one database: the old one stops and the new one takes over."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from pbem.adapters.db.engine import open_engine
from pbem.adapters.db.unit_of_work import SqlStorage
from pbem.adapters.db.upgrading import upgrading
from pbem.adapters.job_queue import ProcrastinateQueue
from pbem.cli.exit_statuses import ExitStatus
from pbem.ports.inbound import ReceivedMail
from pbem.run.bootstrap.club import build_club
from pbem.run.config import load_config
from pbem.service.receive import receive
from pbem.service.work import Work
from tests.support.next_version import NEXT, PATIENCE_S, ROOT, Program, head, install_next

pytestmark = pytest.mark.servers

TELL = """
CREATE FUNCTION told() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_notify('read', NEW.message_id || ' ' || NEW.state); RETURN NEW; END $$;
CREATE TRIGGER told AFTER UPDATE ON inbound FOR EACH ROW EXECUTE FUNCTION told();
"""
CONFIGURATION = """\
[club]
address = "club@games.example"
data_dir = "club"
secret = "a secret for the tests alone"

[imap]
host = "127.0.0.1"
port = 1
security = "none"

[smtp]
host = "127.0.0.1"
port = 1
security = "none"

[lmtp]
listen = "unix:{folder}/lmtp"

[site]
enabled = false

[database]
url = "{url}"

[jobs]
engine = "{engine}"
"""


def configured(folder: Path, url: str, engine: str) -> Path:
    path = folder / "pbem.toml"
    path.touch(0o600)
    path.write_text(CONFIGURATION.format(folder=folder, url=url, engine=engine))
    return path


@pytest.fixture
def this(tmp_path: Path, postgresql_url: str) -> Program:
    """Return this version of pbem, with a club on PostgreSQL."""
    return Program(ROOT, configured(tmp_path, postgresql_url, "procrastinate"))


@pytest.fixture
def other(tmp_path: Path, this: Program) -> Program:
    """Return the next version, with the same club."""
    return Program(install_next(tmp_path / "site"), tmp_path / "pbem.toml")


class Post:
    """Put emails into the database, whatever its schema, and wait until they are read."""

    def __init__(self, config: Path, url: str) -> None:
        self._listener = psycopg.connect(url, autocommit=True)
        self._listener.execute(TELL)
        self._listener.execute("LISTEN read")
        self._club = build_club(load_config(config))
        self._url, self._sent = url, 0

    def is_read(self) -> None:
        """Add an email, and wait until a worker reads it."""
        self._sent += 1
        name = f"<{self._sent}@example.org>"
        raw = f"From: anna@example.org\nMessage-ID: {name}\n\nhello\n".encode()
        now = datetime.now(UTC)
        with (
            closing(SqlStorage(open_engine(self._url), ProcrastinateQueue())) as storage,
            storage.writing() as uow,
        ):
            mail = ReceivedMail("INBOX", 1, self._sent, now, raw)
            receive(Work.of(uow, self._club, now), [mail])
        word = next(self._listener.notifies(timeout=PATIENCE_S, stop_after=1))
        assert word.payload.split()[0] == name

    def close(self) -> None:
        self._club.storage.close()
        self._listener.close()


@pytest.fixture
def post(this: Program, tmp_path: Path, postgresql_url: str) -> Iterator[Post]:
    """Return a mailbox to which strangers write."""
    with closing(Post(tmp_path / "pbem.toml", postgresql_url)) as post:
        yield post


def test_workers_of_a_new_version_take_over_after_the_upgrade(
    this: Program, other: Program, post: Post, tmp_path: Path, postgresql_url: str
) -> None:
    with ExitStack() as stack:
        begun = {
            "worker": "working",
            "fetch": "reading|standing by",
            "lmtp": "taking mail",
            "serve": "serving",
        }
        place = f"unix:{tmp_path}/another"
        old = [stack.enter_context(this.running(name)) for name in ("worker", "fetch", "lmtp")]
        old.append(stack.enter_context(this.running("serve", PBEM_LMTP__LISTEN=place)))
        for process, says in zip(old, begun.values(), strict=True):
            process.says(says)
        systemd = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        systemd.bind(f"{tmp_path}/notify")
        systemd.settimeout(PATIENCE_S)
        words = ("worker", "--queues", "process")
        new = stack.enter_context(other.running(*words, NOTIFY_SOCKET=f"{tmp_path}/notify"))
        new.says(f"waiting for the schema .*{head()} of an older version of pbem.*pbem upgrade")
        assert systemd.recv(4096).startswith(b"READY=1\nSTATUS=waiting: the database has")
        post.is_read()

        with upgrading(postgresql_url) as look:
            working = " ".join(look.others())
        assert all(f"pbem {name} " in working for name in begun)
        done = other.run("upgrade", "--while-others-work", "--no-backup")
        assert done.returncode == 0, done.stdout
        assert f"{NEXT}  Titles of players." in done.stdout

        assert [process.ends() for process in old] == [ExitStatus.SCHEMA] * 4
        new.says("working")
        post.is_read()
        assert new.ended() == 0
