"""The bare cost of a round of email, without pbem's own work.

The same emails are fetched from the same folder in the same batches. Each is written to SQLite in
its own transaction (WAL, synchronous=FULL), and the same answers are sent to the same server.
"""

from __future__ import annotations

import smtplib
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from imapclient import IMAPClient

from bench.house import PASSWORD, House
from pbem.inbox.poll import BATCH
from pbem.mail.outgoing.letter import to_bytes

Letters = Sequence[tuple[str, bytes]]
"""Recipients with their emails."""


class Bare:
    """Only the libraries, which stay logged in, as pbem does."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._imap = IMAPClient(house.imap.host, house.imap.port, ssl=False)
        self._imap.login(house.address, PASSWORD)
        self._imap.select_folder("INBOX")
        self._database = _database(house.folder / "bare.sqlite")

    def handle(self, uids: Sequence[int], letters: Letters) -> None:
        """Fetch, commit and send."""
        for at in range(0, len(uids), BATCH):
            answers = self._imap.fetch(uids[at : at + BATCH], ["BODY.PEEK[]", "INTERNALDATE"])
            for uid, answer in answers.items():
                self._keep(uid, answer[b"BODY[]"])
        with smtplib.SMTP("127.0.0.1", self._house.smtp.port, "localhost") as smtp:
            for recipient, raw in letters:
                smtp.sendmail(self._house.address, [recipient], raw)

    def _keep(self, uid: int, raw: bytes) -> None:
        self._database.execute("BEGIN IMMEDIATE")
        self._database.execute("INSERT INTO mails (uid, raw) VALUES (?, ?)", [uid, raw])
        self._database.execute("COMMIT")

    def newest(self, mails: int, letters: int) -> tuple[list[int], Letters]:
        """Return what pbem's last round read and sent: UIDs, and recipients with their emails."""
        uids = "SELECT uid FROM inbound ORDER BY id DESC LIMIT ?"
        sent = "SELECT message_id FROM outbox ORDER BY id DESC LIMIT ?"
        with closing(sqlite3.connect(self._house.database)) as database:
            read = sorted(row[0] for row in database.execute(uids, [mails]))
            written = map(self._house.letter, (row[0] for row in database.execute(sent, [letters])))
            return read, [(letter.to_address, to_bytes(letter)) for letter in written]

    def close(self) -> None:
        """Log out."""
        self._imap.logout()
        self._database.close()


def _database(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.execute("CREATE TABLE mails (uid INTEGER PRIMARY KEY, raw BLOB NOT NULL)")
    return database
