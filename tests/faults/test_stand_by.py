"""Two processes that could read one mailbox: one does, and the other takes over when it cannot."""

from __future__ import annotations

import os
import queue
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import psycopg
import pytest

from pbem.adapters.db.unit_of_work import open_storage
from pbem.cli.new_config import Answers, write_config
from tests.support.dovecot import Dovecot
from tests.support.postgres import Postgres, running, server_programs
from tests.support.relay import Relay

pytestmark = pytest.mark.servers

PASSWORD = "open sesame"
PATIENCE_S = 60.0
TELL = """
CREATE FUNCTION told() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_notify('recorded', NEW.message_id); RETURN NEW; END $$;
CREATE TRIGGER told AFTER INSERT ON inbound FOR EACH ROW EXECUTE FUNCTION told();
"""


class Hand:
    """A process of `pbem fetch` with its own connection to the database."""

    def __init__(self, name: str, config: Path, server: Postgres, said: queue.Queue[str]) -> None:
        self.name = name
        self.line = Relay(server.socket)
        self._config = config
        self._said = said

    def begin(self) -> None:
        words = [sys.executable, "-m", "pbem", "fetch", "--config", str(self._config)]
        url = f"postgresql://postgres@127.0.0.1:{self.line.port}/postgres"
        environment = {**os.environ, "PBEM_DATABASE__URL": url}
        self.process = subprocess.Popen(
            words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment
        )
        threading.Thread(target=self._listen, args=(self.process,), daemon=True).start()

    def _listen(self, process: subprocess.Popen[str]) -> None:
        assert process.stderr is not None
        with process.stderr as lines:
            for line in lines:
                if found := re.search(r"\] (reading|standing by) +mailbox=first", line):
                    self._said.put(f"{self.name} {found[1]}")

    def dies(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE_S)

    def ends(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE_S)


@contextmanager
def hand(name: str, config: Path, server: Postgres, said: queue.Queue[str]) -> Iterator[Hand]:
    """A working process that is stopped at the end."""
    new = Hand(name, config, server, said)
    with new.line:
        new.begin()
        try:
            yield new
        finally:
            new.dies()


@pytest.fixture
def server() -> Iterator[Postgres]:
    """A PostgreSQL server that may be restarted."""
    programs = server_programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed")
    with running(programs) as postgres:
        yield postgres


@pytest.fixture
def config(dovecot: Dovecot, domain: str, tmp_path: Path) -> Path:
    """A club on Dovecot."""
    path, address = tmp_path / "pbem.toml", f"club@{domain}"
    write_config(path, Answers(address=address, user=address, password=PASSWORD, director=""))
    text = path.read_text().replace("port = 0", f"port = {dovecot.imap_port}", 1)
    path.write_text(text.replace('host = "localhost"', 'host = "127.0.0.1"'))
    dovecot.add(address, PASSWORD)
    return path


class Post:
    """Emails to the club, and notice of those that are recorded."""

    def __init__(self, dovecot: Dovecot, address: str, url: str) -> None:
        self._dovecot, self._address, self._url = dovecot, address, url
        self.sent: list[str] = []

    def arrives(self) -> None:
        """Deliver an email, which must be recorded."""
        with psycopg.connect(self._url, autocommit=True) as listener:
            listener.execute("LISTEN recorded")
            self.sent.append(f"<{len(self.sent)}@example.org>")
            raw = f"From: anna@example.org\nMessage-ID: {self.sent[-1]}\n\nhello\n"
            self._dovecot.deliver("anna@example.org", self._address, raw.encode())
            word = next(listener.notifies(timeout=PATIENCE_S, stop_after=1))
        assert word.payload == self.sent[-1]

    def recorded(self) -> list[str]:
        with psycopg.connect(self._url) as connection:
            return [row[0] for row in connection.execute("SELECT message_id FROM inbound")]


@pytest.mark.timeout(240)
def test_one_reads_and_the_other_takes_over(
    dovecot: Dovecot, domain: str, server: Postgres, config: Path
) -> None:
    said: queue.Queue[str] = queue.Queue()
    url = server.url("postgres")
    with closing(open_storage(url)), psycopg.connect(url) as connection:
        connection.execute(TELL)
    post = Post(dovecot, f"club@{domain}", url)

    def hears(*lines: str) -> str:
        while (line := said.get(timeout=PATIENCE_S)) not in lines:
            pass
        return line

    with ExitStack() as hands:
        one = hands.enter_context(hand("one", config, server, said))
        hears("one reading")
        other = hands.enter_context(hand("other", config, server, said))
        hears("other standing by")
        post.arrives()

        one.dies()
        hears("other reading")
        post.arrives()
        one.begin()
        hears("one standing by")

        other.line.cut()
        hears("one reading")
        post.arrives()
        hears("other standing by")

        server.stop()
        server.start()
        hears("one reading", "other reading")
        post.arrives()
        hears("one standing by", "other standing by")
        assert [one.ends(), other.ends()] == [0, 0]
    assert post.recorded() == post.sent
